// Whole rows of a grid near its boundary: a row beyond it is another one, or all of one value, and
// so is a cell beyond the ends of a row.
#pragma once

#include <string>

#include "lower/cell/cell.h"

namespace stencilc::lower {

// Is that so for the field? Its sides are index maps or one constant, and it has rows.
bool rows_map(const Context& context, int field);

// The functions of a kernel::FillRow.
struct RowFunctions {
  std::string row, cell;
};
RowFunctions declare_rows(const Context& context, int field, int level, const EdgeFlags& flags,
                          Names& names, kernel::Body& body);

}  // namespace stencilc::lower
