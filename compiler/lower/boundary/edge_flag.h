// The flags of a body that serves blocks inside the grid and blocks at its boundary.
#pragma once

#include "lower/context/context.h"

namespace stencilc::lower {

// The condition, if there is a flag asked where that holds alone.
kernel::ExprPtr unless(const kernel::ExprPtr& flag, const kernel::ExprPtr& condition);
// Where the same statements serve inside and near the boundary (EdgeFlags::edge), the condition is
// asked near the boundary alone.
kernel::ExprPtr near_boundary(const EdgeFlags& flags, const kernel::ExprPtr& condition);
// Likewise near the boundary and at the ends of x.
kernel::ExprPtr near_ends_of_rows(const EdgeFlags& flags, const kernel::ExprPtr& condition);
// The flags of a body that serves inside and near the boundary, for what lies at a cell's own x and
// for what lies beside it; null: there is none.
kernel::ExprPtr edge_flag(const EdgeFlags& flags);
kernel::ExprPtr edge_x_flag(const EdgeFlags& flags);

}  // namespace stencilc::lower
