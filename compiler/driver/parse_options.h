// The command line of all commands.
#pragma once

#include <optional>

#include "driver/cli/options.h"

namespace stencilc::driver {

// Fills the options. A number: the program ends with it (help was printed, or the usage is wrong).
std::optional<int> parse_options(int argc, char** argv, Options& options);

}  // namespace stencilc::driver
