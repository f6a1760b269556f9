// What all commands read first: the program, its tune file and the devices.
#pragma once

#include "diag/diagnostic.h"
#include "driver/cli/options.h"

namespace stencilc::driver {

// Reads the input into sources[0] and its tune file into the next, where there is one and the
// command takes it, and finds the devices that --arch names; false after a report.
bool read_input(Options& options, diag::Sources& sources, diag::Engine& engine);

}  // namespace stencilc::driver
