// Where the tune file of a program is.
#pragma once

#include <string>

#include "diag/diagnostic.h"
#include "driver/cli/options.h"

namespace stencilc::driver {

// laplace.tune.json of laplace.stn; "" of standard input.
std::string tune_file_of(const std::string& input);

// Reads the file that the options name, or the one beside the input if there is one, into a source
// and into options.compilation; false after a report.
bool load_tuning(Options& options, diag::Sources& sources, diag::Engine& engine);

}  // namespace stencilc::driver
