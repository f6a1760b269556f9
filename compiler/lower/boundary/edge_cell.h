// The statements that compute and store a cell that may read beyond the boundary.
#pragma once

#include "lower/cell/interior_cell.h"

namespace stencilc::lower {

// interior_cell() for a cell anywhere in the grid: reads go by the boundaries, statements keep to
// their domains. `kept` gives what the traversal holds of the neighbours, and null for what it does
// not.
std::vector<kernel::ExprPtr> edge_cell(const Context& context,
                                       const std::vector<kernel::ExprPtr>& at,
                                       const kernel::ExprPtr& i, Names& names, kernel::Body& body,
                                       Cell::Tap in_registers = nullptr, Sink sink = nullptr,
                                       const CellContext& here = {});

// The value of t+1 of a field of the launch at a cell of the grid. What it reads of t+1 of other
// fields, `here` has staged.
kernel::ExprPtr next_of_cell(const Context& context, int field,
                             const std::vector<kernel::ExprPtr>& at, const kernel::ExprPtr& i,
                             Names& names, kernel::Body& body, const CellContext& here);

// Where a cell lies: its coordinates, its index in memory, and the condition that it is in the
// grid, where threads have others, too.
struct CellPlace {
  const std::vector<kernel::ExprPtr>& at;
  kernel::ExprPtr i;
  kernel::ExprPtr in_grid;
  bool anywhere = false;  // perhaps beside the piece of the grid that memory holds
};
// The cell by edge_cell() in a variant that `edges` have, otherwise by interior_cell(). Outside the
// grid what takes registers alone is computed, too, and not stored.
std::vector<kernel::ExprPtr> any_cell(const Context& context, bool edges, const CellPlace& cell,
                                      const Cell::Tap& in_registers, const Sink& sink, Names& names,
                                      kernel::Body& body, const CellContext& here = {});

}  // namespace stencilc::lower
