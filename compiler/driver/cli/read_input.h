// Reads what all commands need first: the program, its tune file and the devices.
#pragma once

#include "diag/diagnostic.h"
#include "driver/cli/options.h"

namespace stencilc::driver {

// Reads the input into sources[0] and the tune file, if there is one and the command uses it, into
// the next source, and finds the devices of --arch. Returns false after an error.
bool read_input(Options& options, diag::Sources& sources, diag::Engine& engine);

}  // namespace stencilc::driver
