// The ghost cells of temporaries: what their expression gives outside the grid.
#pragma once

#include <vector>

#include "kernel/module.h"
#include "lower/context/context.h"

namespace stencilc::lower {

// A launch with a thread for each ghost cell of the fields that are stored, all of which have as
// many. It follows the launch that stores them.
kernel::Launch lower_ghost_cells(const ir::Stencil& stencil,
                                 const std::vector<plan::Stored>& stores, plan::Target target,
                                 const Signature& signature, kernel::Module& module);

}  // namespace stencilc::lower
