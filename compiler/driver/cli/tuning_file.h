// Finds and reads the tune file of a program.
#pragma once

#include <string>

#include "diag/diagnostic.h"
#include "driver/cli/options.h"

namespace stencilc::driver {

// laplace.tune.json for laplace.stn; "" for standard input.
std::string tune_file_of(const std::string& input);

// Reads the file that the options name, or the one beside the input if it exists, into a source and
// into options.compilation. Returns false after an error.
bool load_tuning(Options& options, diag::Sources& sources, diag::Engine& engine);

}  // namespace stencilc::driver
