// The ghost cells of temporaries: what their expression gives outside the grid.
#pragma once

#include <vector>

#include "kernel/module.h"
#include "lower/context/context.h"

namespace stencilc::lower {

// A launch with a thread for each ghost cell of the fields that are stored. Those of a group have
// as many; on a GPU each group has a row of blocks. It follows the launch that stores the fields.
kernel::Launch lower_ghost_cells(const ir::Stencil& stencil,
                                 const std::vector<std::vector<plan::Stored>>& groups,
                                 plan::Target target, const Signature& signature,
                                 kernel::Module& module);

}  // namespace stencilc::lower
