// What the traversals of both targets share: the statements that compute and store one cell.
#pragma once

#include "lower/taps.h"

namespace stencilc::lower {

// Computes all updates of an interior cell and stores them at i. `tap` reads its neighbours.
void interior_cell(Context& context, const std::vector<kernel::ExprPtr>& at,
                   const kernel::ExprPtr& i, Cell::Tap tap, Names& names, kernel::Body& body);

// The same for a cell anywhere in the grid: reads go by the boundaries, updates keep to their
// domains.
void edge_cell(Context& context, const std::vector<kernel::ExprPtr>& at, const kernel::ExprPtr& i,
               Names& names, kernel::Body& body);

// Does the stencil read beside the cell at all? If not, no cell is an edge cell.
bool has_edges(const ir::Stencil& stencil);

}  // namespace stencilc::lower
