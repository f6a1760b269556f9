// Inlines into an update the values of t+1 that its own launch computes.
#pragma once

#include <functional>

#include "ir/ir.h"

namespace stencilc::plan {

// before   hz[t+1] = hz - 0.7*(ex[y+1, t+1] - ex[t+1])       the launch also stores ex
// after    hz - 0.7*(ex_next[y+1] - ex_next)                 ex_next: the value of ex[t+1], shifted
//
// `made` gives the value of t+1 of a field at the cell, or null if it is read from memory. Each
// shifted value is one shared node, so the expression grows with the number of positions, not with
// the number of ways to reach them.
ir::ExprPtr expand(const ir::ExprPtr& expr, const std::function<ir::ExprPtr(int field)>& made,
                   ir::MovedValues& moved);

// The value of an update for a cell away from the boundary, as one expression. `when` is the
// condition under which an output is written (null: always); `none`: it is never written.
struct Whole {
  ir::ExprPtr value, when;
  bool none = false;
};
Whole whole(const ir::Stencil& stencil, const ir::Update& update,
            const std::function<ir::ExprPtr(int field)>& made, ir::MovedValues& moved);

// Whether the limits of `on` hold for every cell away from the boundary. Otherwise they hold for
// none.
bool holds_inside(const ir::Domain& domain);

}  // namespace stencilc::plan
