// The command line of `stencilc tune`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/cli/options.h"

namespace stencilc::driver {

// `words` begin with `tune`. As parse_options.
std::optional<int> parse_tune_options(const std::vector<std::string>& words, Options& options);

}  // namespace stencilc::driver
