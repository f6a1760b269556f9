// `stencilc fmt`: brings .stn files into their one form.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/cli/options.h"

namespace stencilc::driver {

// Fills the options from the words of `fmt file.stn ...`. A number: the program ends with it.
std::optional<int> parse_format_options(const std::vector<std::string>& words, Options& options);

// Rewrites the files ("-": standard input to standard output), or with --check names those that
// would change. A file with syntax errors is left alone. Returns the exit code.
int format_command(const Options& options);

}  // namespace stencilc::driver
