// Prints diagnostics and chooses the exit code.
#pragma once

#include "diag/diagnostic.h"
#include "driver/cli/options.h"

namespace stencilc::driver {

// The first -W option that does not name a warning, or "".
std::string unknown_warning(const std::vector<std::string>& warnings);
// Applies -W options to the engine.
void set_warnings(const std::vector<std::string>& warnings, diag::Engine& engine);

// Prints all diagnostics to stderr and returns the exit code: 0 without errors, 4 for a limit, 3
// for a file, otherwise 1.
int finish(const diag::Engine& engine, const diag::Sources& sources, const Options& options);

}  // namespace stencilc::driver
