// Launches that take several time steps.
#pragma once

#include "kernel/module.h"
#include "lower/cell/cell.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::lower {

// Of a stencil with two axes. A warp has a strip of 32 vectors along x and marches along y: a row
// that arrives goes through all time steps, each of which keeps in registers what it reads again.
kernel::Body lower_leap(Context& context, const plan::Schedule& schedule,
                        const plan::Temporal& temporal, kernel::Launch& launch);

}  // namespace stencilc::lower
