// One row of the cells that a thread computes.
#pragma once

#include <functional>
#include <vector>

#include "lower/tile/register_tile_load.h"

namespace stencilc::lower {

struct Row {
  std::vector<kernel::ExprPtr> at;  // of cell 0
  kernel::ExprPtr i;                // its index in memory
  kernel::Count width = 1;          // cells
  bool edges = false;               // may they lie near the boundary?
  EdgeFlags flags;                  // of the variant
  // What the traversal holds of the neighbours of cell v; null for what it does not.
  std::function<kernel::ExprPtr(const ir::Read& read, const kernel::ExprPtr& v)> in_registers;
  // Values it has computed, in cell v.
  struct Made {
    ir::ExprPtr expr;
    kernel::Buffer registers;
    kernel::ExprPtr row;  // null: they hold one
  };
  std::vector<Made> made;
};

// The loop over the cells of a row, and the stores of what all of them make.
kernel::Body lower_row(const Context& context, const Row& row, const Fill& fill, Names names);

}  // namespace stencilc::lower
