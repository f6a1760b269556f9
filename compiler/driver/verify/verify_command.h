// Runs `stencilc verify x.stn`, which compares emitted code with the interpreter.
#pragma once

#include "driver/cli/options.h"

namespace stencilc::driver {

// Returns the exit code.
int verify_command(const Options& options);

}  // namespace stencilc::driver
