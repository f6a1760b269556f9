// stencilc bench --devices: times a stencil on one device and on several.
#pragma once

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "ir/ir.h"

namespace stencilc::driver {

// Times it, and writes the report.
void bench_devices(const Options& options, const ir::Stencil& stencil, const diag::Sources& sources,
                   diag::Engine& engine);

}  // namespace stencilc::driver
