// Parses the command line of all commands.
#pragma once

#include <optional>
#include <vector>

#include "driver/cli/option_table.h"
#include "driver/cli/options.h"

namespace stencilc::driver {

// Fills the options. Returns an exit code if the program should end, because help was printed or
// the usage is wrong.
std::optional<int> parse_options(int argc, char** argv, Options& options);

// All commands with their options, as parse_options() knows them.
std::vector<CommandRow> all_commands();

}  // namespace stencilc::driver
