// What `stencilc run` writes: arrays and pictures.
#pragma once

#include "diag/diagnostic.h"
#include "driver/call.h"
#include "driver/options.h"

namespace stencilc::driver {

// Writes the files of --out and --plot and says so on standard output.
void write_outputs(const Options& options, const ir::Stencil& stencil, const HostData& host,
                   diag::Engine& engine);

}  // namespace stencilc::driver
