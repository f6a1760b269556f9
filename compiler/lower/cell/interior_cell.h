// What the traversals of both targets share: the statements that compute and store one cell.
#pragma once

#include "lower/cell/addressing.h"

namespace stencilc::lower {

// The statement that stores what the launch makes of a field. `always`: in every cell.
using Sink = std::function<kernel::Stmt(int field, const kernel::ExprPtr& value, bool always)>;
// At i of the field's buffer.
Sink store_at(const Context& context, kernel::ExprPtr i);

// Computes what the launch makes of an interior cell and stores it. `tap` reads its neighbours.
// Returns what the cell adds to each of the launch's folds; nothing where the kernel does not fold.
std::vector<kernel::ExprPtr> interior_cell(const Context& context,
                                           const std::vector<kernel::ExprPtr>& at, Cell::Tap tap,
                                           const Sink& sink, Names& names, kernel::Body& body,
                                           const CellContext& here = {});

// Is the cell of the colour in work? Null: there are no colours.
kernel::ExprPtr in_color(const Context& context, const std::vector<kernel::ExprPtr>& at);

kernel::Fold fold_of(ir::Reduction::Kind kind);
// What changes nothing in the n-th fold of the launch.
kernel::ExprPtr identity_of(const Context& context, size_t n);
// The row of a cell, counted over all planes: z * ny + y.
kernel::ExprPtr row_of(const Context& context, const std::vector<kernel::ExprPtr>& at);

}  // namespace stencilc::lower
