// The command line of `stencilc bench`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/cli/options.h"

namespace stencilc::driver {

// `words` begin with `bench`. As parse_options.
std::optional<int> parse_bench_options(const std::vector<std::string>& words, Options& options);

}  // namespace stencilc::driver
