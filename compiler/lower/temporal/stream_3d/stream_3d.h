// Launches that take several time steps of a stencil with three axes.
#pragma once

#include "kernel/module.h"
#include "lower/cell/cell.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::lower {

// A block has a tile of rows, some in each of its warps, and streams along z. A plane that arrives
// goes through all time steps, each of which keeps in registers the sums it is added to.
kernel::Body lower_stream_3d(const Context& context, const plan::Schedule& schedule,
                             const plan::Temporal& temporal, kernel::Launch& launch);

}  // namespace stencilc::lower
