// What `stencilc run` writes: arrays and pictures.
#pragma once

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/execute/call.h"

namespace stencilc::driver {

// A field's newest level, with its halo.
const data::Array& newest(const ir::Stencil& stencil, const HostData& host, int field);
// The cells of an array that has a halo around them.
data::Array without_halo(const data::Array& array, const data::Extents& halo);

// Writes the files of --out and --plot and says so on standard output.
void write_outputs(const Options& options, const ir::Stencil& stencil, const HostData& host,
                   diag::Engine& engine);

}  // namespace stencilc::driver
