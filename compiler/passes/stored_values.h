// Reductions of what a step stores: they read it, and do not compute it again.
//
// before   r = f - laplacian(u);  reduce norm = norm2(f - laplacian(u))   (before the step)
// after    r = f - laplacian(u);  reduce norm = norm2(r)                  (after it, by the same
// launch)
#pragma once

#include "ir/ir.h"

namespace stencilc::passes {

// Of values that one statement assigns to all cells in the type in which they are computed. After
// canonicalise, so that equal values have equal expressions; before infer_levels. Reductions that
// updates read stay before the step. Nothing is done where colours or injections change what updates
// have stored.
void reduce_stored_values(ir::Stencil& stencil);

}  // namespace stencilc::passes
