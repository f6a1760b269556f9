// Where the threads of a block stand, and whether the block lies away from the boundary.
#pragma once

#include "lower/cell/interior_cell.h"
#include "plan/schedule/schedule.h"

namespace stencilc::lower {

// The first cell of a thread, and the first cell of its block, along each axis.
struct ThreadMapping {
  std::vector<kernel::ExprPtr> block, thread;
};

// The cells of a block along an axis, and those that a thread computes one by one along the
// streamed axis, as constants of the kernel.
kernel::Count block_cells(const Context& context, const plan::Schedule& schedule, int axis);
kernel::Count streamed_cells(const Context& context, const plan::Schedule& schedule);

// Declares where the thread stands. The name of the axis is the coordinate of its first cell, but
// for an axis along which the thread computes several cells one by one: there it is kept for the
// cell in work. `row`: which one of the blocks along the second axis it is in; null: that of the
// launch. `column`: the place of the thread in its block along x; null: its number there.
ThreadMapping map_threads(const Context& context, const plan::Schedule& schedule,
                          kernel::Body& body, kernel::ExprPtr row = nullptr,
                          const kernel::ExprPtr& column = nullptr);

// Behind the last cell of a block along an axis.
kernel::ExprPtr end_of_block(const Context& context, const plan::Schedule& schedule,
                             const ThreadMapping& mapping, int axis);

// Declares, for each axis, whether all cells of the block and those so far from them lie inside.
// Returns whether that holds along all axes but `free_axis`, if there is one. Into `each`: along
// each axis.
kernel::ExprPtr block_inside(const Context& context, const plan::Schedule& schedule,
                             const ThreadMapping& mapping, const ir::Reach& margin,
                             kernel::Body& body, int free_axis = -1,
                             std::vector<kernel::ExprPtr>* each = nullptr);

// The coordinates of the k-th cell of a thread; of its only one, where k is null.
std::vector<kernel::ExprPtr> cell_at(const Context& context, const plan::Schedule& schedule,
                                     const ThreadMapping& mapping, const kernel::ExprPtr& k,
                                     kernel::Body& body);

}  // namespace stencilc::lower
