// Cells that no statement of a step assigns: where they lie, for all forms of kernels, and how a
// stepped field keeps its value there.
#pragma once

#include "lower/context/context.h"

namespace stencilc::lower {

// How a kernel has a cell that no statement assigns keep its value.
enum class Keeping {
  // Each cell asks whether a statement assigns it (edge_cell.h). Everything else is for cells near
  // the boundary that are all computed as those inside.
  by_cell,
  at_hand,  // their values at t are in registers, and chosen instead
  passing,  // their values go through the sums, in the place of what rows or planes add
  recalled  // their values are read again from the rows or planes of t in shared memory
};

// The box of cells that a statement assigns, if that is all there is to the update; otherwise null.
const ir::Domain* only_box(const ir::Update& update);

// Does the coordinate lie in the domain along its axis, and what else does `on` ask for there? Each
// once. Null: it always does.
kernel::ExprPtr in_domain(const Context& context, const ir::Domain& domain, int axis,
                          const kernel::ExprPtr& at);

// Are all cells in the domain?
bool assigns_all(const Context& context, const ir::Domain& domain);
// Have the domains the same cells, as they are written?
bool same_cells(const Context& context, const ir::Domain& one, const ir::Domain& other);

// Does any statement leave out cells at the ends of the axis?
bool limits(const std::vector<ir::Case>& cases, int axis);
// Of the launch, and of a whole step.
bool launch_limits(const Context& context, int axis);
bool step_limits(const Context& context, int axis);

// Is all that the launch assigns one box of cells, less than the grid?
bool assigns_one_box(const Context& context);
// Does each statement of the launch assign all cells along the axis, whatever they are?
bool assigns_all_along(const Context& context, int axis);
// Has a statement of the launch a mask, so that a cell may be assigned at some steps only?
bool has_masks(const Context& context);

// Cells at an end of an axis that are outside the box of a domain.
inline int unassigned_cells(const ir::Domain& box, int axis, int end) {
  return end == 0 ? box.low[axis] : box.high[axis];
}

// A cell of those that a thread has along an axis.
struct CellOfThread {
  kernel::ExprPtr at;  // its coordinate
  // Its number among the thread's cells, where these fill the grid: then few of them can lie at an
  // end. Null: that is not known.
  kernel::ExprPtr number;
  int count = 1;           // the thread's cells
  kernel::ExprPtr ragged;  // the flag of a variant where the last ones need not end with the grid
  bool in_grid = false;    // cells outside the grid are no matter
};
// Is it one of those outside the box? At one end; at either; null: no cell is.
kernel::ExprPtr is_unassigned(const Context& context, const ir::Domain& box, int axis, int end,
                              const CellOfThread& cell);
kernel::ExprPtr is_unassigned(const Context& context, const ir::Domain& box, int axis,
                              const CellOfThread& cell);
// Is any of `count` cells along x, the first of which is at `at`? Asked without branches.
kernel::ExprPtr any_unassigned(const Context& context, const ir::Domain& box,
                               const std::vector<kernel::ExprPtr>& at, int count);

}  // namespace stencilc::lower
