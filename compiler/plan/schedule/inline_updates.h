// Spelling out what one launch makes and reads itself.
#pragma once

#include <functional>

#include "ir/ir.h"

namespace stencilc::plan {

// before   hz[t+1] = hz - 0.7*(ex[y+1, t+1] - ex[t+1])       where the launch stores ex, too
// after    hz - 0.7*(ex_next[y+1] - ex_next)                 ex_next: the value of ex[t+1], moved
//
// `made` gives the value of t+1 of a field at the cell, or null where it is read from memory. What
// was moved to a place once is the same node there ever after, so that the text grows with the
// places, not with the ways to them.
ir::ExprPtr expand(const ir::ExprPtr& expr, const std::function<ir::ExprPtr(int field)>& made,
                   ir::MovedValues& moved);

// The value an update gives to a cell away from the rim, as one expression; `when` says where an
// output is written (null: everywhere), `none` that it is written nowhere.
struct Whole {
  ir::ExprPtr value, when;
  bool none = false;
};
Whole whole(const ir::Stencil& stencil, const ir::Update& update,
            const std::function<ir::ExprPtr(int field)>& made, ir::MovedValues& moved);

// Do the limits hold for every cell away from the rim? (If not, they hold for none.)
bool holds_inside(const ir::Domain& domain);

}  // namespace stencilc::plan
