// Runs `stencilc run x.stn`, which builds a program and runs it.
#pragma once

#include "driver/cli/options.h"

namespace stencilc::driver {

// Returns the exit code.
int run_command(const Options& options);

}  // namespace stencilc::driver
