// Compiles a program and writes the outputs, or prints a stage or an explanation.
#pragma once

#include "driver/cli/options.h"

namespace stencilc::driver {

// Returns the exit code.
int compile_command(const Options& options);

}  // namespace stencilc::driver
