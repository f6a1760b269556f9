// Launches that take several time steps.
#pragma once

#include "kernel/module.h"
#include "lower/cell/cell.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::lower {

// Of a stencil with two axes. A warp has a tile of 32 vectors along x and streams along y: a row
// that arrives goes through all time steps, each of which keeps in registers what it reads again.
kernel::Body lower_stream_2d(const Context& context, const plan::Schedule& schedule,
                             const plan::Temporal& temporal, kernel::Launch& launch);

}  // namespace stencilc::lower
