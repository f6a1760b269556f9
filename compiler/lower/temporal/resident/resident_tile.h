// A launch of several time steps whose blocks hold tiles.
#pragma once

#include "kernel/module.h"
#include "lower/cell/cell.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::lower {

// A grid of blocks; the warps of each have some rows of a tile in registers. `context`: of a launch
// that stores all that a step makes.
kernel::Body lower_resident_tile(const Context& context, const plan::Schedule& schedule,
                                 const plan::Temporal& temporal, kernel::Module& module,
                                 kernel::Launch& launch);

}  // namespace stencilc::lower
