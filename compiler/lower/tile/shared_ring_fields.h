// Which fields a block has in shared memory, and how far around it.
#pragma once

#include <map>
#include <utility>

#include "lower/cell/cell.h"
#include "lower/tile/register_tile.h"

namespace stencilc::lower {

// Is it a read, from memory, of a field on all axes and beside the cell?
bool is_read_beside(const Context& context, const ir::ExprPtr& node);

// By field and level: those that are read beside the cell, and how far along x and y.
std::map<std::pair<int, int>, ir::Reach> reaches_of(const Context& context,
                                                    const plan::Schedule& schedule,
                                                    const Patch& patch);

}  // namespace stencilc::lower
