// Runs `stencilc tune x.stn`, which searches for the fastest schedule.
#pragma once

#include "driver/cli/options.h"

namespace stencilc::driver {

// Returns the exit code.
int tune_command(const Options& options);

}  // namespace stencilc::driver
