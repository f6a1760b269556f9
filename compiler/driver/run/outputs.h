// Writes the results of `stencilc run`: arrays and pictures.
#pragma once

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/execute/call.h"

namespace stencilc::driver {

// The newest level of a field, with its halo.
const data::Array& newest(const ir::Stencil& stencil, const HostData& host, int field);
// The cells of an array without the halo.
data::Array without_halo(const data::Array& array, const data::Extents& halo);

// Writes the files of --out and --plot and prints their names.
void write_outputs(const Options& options, const ir::Stencil& stencil, const HostData& host,
                   diag::Engine& engine);

}  // namespace stencilc::driver
