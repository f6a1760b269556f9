// Runs `stencilc fmt`, which formats .stn files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/cli/options.h"

namespace stencilc::driver {

// Fills the options from the words of `fmt file.stn ...`. Returns an exit code if the program
// should end.
std::optional<int> parse_format_options(const std::vector<std::string>& words, Options& options);

// Formats the files in place ("-": standard input to standard output), or with --check lists those
// that would change. Files with syntax errors are not changed. Returns the exit code.
int format_command(const Options& options);

}  // namespace stencilc::driver
