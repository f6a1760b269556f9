// The statements that compute and store a cell that may read beyond the boundary.
#pragma once

#include "lower/cell/interior_cell.h"

namespace stencilc::lower {

// interior_cell() for a cell anywhere in the grid: reads go by the boundaries, statements keep to
// their domains. `kept` gives what the traversal holds of the neighbours, and null for what it does
// not.
std::vector<kernel::ExprPtr> edge_cell(Context& context, const std::vector<kernel::ExprPtr>& at,
                                       const kernel::ExprPtr& i, Names& names, kernel::Body& body,
                                       Cell::Tap in_registers = nullptr, Sink sink = nullptr,
                                       const CellContext& here = {});

}  // namespace stencilc::lower
