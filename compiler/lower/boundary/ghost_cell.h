// The value of a field at a place that may lie beyond any end.
#pragma once

#include <optional>

#include "lower/boundary/ghost_value.h"
#include "lower/cell/addressing.h"

namespace stencilc::lower {

// The statements of a function that returns it, in the type it has in memory. Ends that differ are
// told apart, axis by axis. Without a `fetch`, cells inside come from memory. Along the axes before
// `first_axis` the place is inside.
kernel::Body cell_anywhere(const Context& context, int field, int level,
                           const std::vector<kernel::ExprPtr>& at, const Names& names,
                           const EdgeTaps::Fetch& fetch = nullptr, int first_axis = 0);

// The same as a place in memory, which is below 0 where the cell is `ghost`, one value, and not in
// memory.
struct Places {
  kernel::Body body;
  kernel::ExprPtr ghost;  // zero, where all cells are in memory
};
// Nothing where a cell outside the grid is more than that.
std::optional<Places> places_anywhere(const Context& context, int field, int level,
                                      const std::vector<kernel::ExprPtr>& at, const Names& names);

}  // namespace stencilc::lower
