// Runs `stencilc bench x.stn`, which times schedules.
#pragma once

#include "driver/cli/options.h"

namespace stencilc::driver {

// Returns the exit code.
int bench_command(const Options& options);

}  // namespace stencilc::driver
