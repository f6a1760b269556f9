// Parses the command line of `stencilc tune`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/cli/options.h"

namespace stencilc::driver {

// `words` starts with `tune`. Returns an exit code if the program should end.
std::optional<int> parse_tune_options(const std::vector<std::string>& words, Options& options);

}  // namespace stencilc::driver
