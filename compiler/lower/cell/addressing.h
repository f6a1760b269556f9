// How a cell reads its neighbours.
#pragma once

#include <string>
#include <vector>

#include "lower/cell/cell.h"

namespace stencilc::lower {

// The names of the strides along the second and third axis a field has: pitch and plane; a pitch of
// its own where it has two axes of three; none where it has one.
std::vector<std::string> strides_of(const Context& context, const ir::Field& field);

// z * plane + y * pitch + x over the axes the field has, for coordinates as wide as the rank. Where
// memory holds a piece of the grid, its origin is taken off here: (z - origin) * plane.
kernel::ExprPtr linear(const Context& context, const std::vector<kernel::ExprPtr>& at,
                       const ir::Field& field);
// The same for a field on all axes.
kernel::ExprPtr linear(const Context& context, const std::vector<kernel::ExprPtr>& at);
// The same of a cell anywhere in the grid: of one that stands for another beyond the grid's end,
// where that lies in memory; and of one that threads beyond the box load and nobody needs, where
// some cell does.
kernel::ExprPtr linear_of_any(const Context& context, const std::vector<kernel::ExprPtr>& at,
                              const ir::Field& field);
kernel::ExprPtr linear_of_any(const Context& context, const std::vector<kernel::ExprPtr>& at);
// i + offset, where i is the linear index of a cell of a field on all axes.
kernel::ExprPtr shifted(const Context& context, kernel::ExprPtr i, const ir::Offset& offset);

const kernel::Buffer& buffer_of(const Context& context, const ir::Read& read);

// Is the value in memory when the launch starts?
bool in_memory(const Context& context, const ir::Read& read);

// Reads of the cell `at`, whose linear index is i, where no neighbour lies outside the grid.
// Several steps compute cells that stand for others, whose own coordinates `at` are.
kernel::ExprPtr interior_tap(const Context& context, const std::vector<kernel::ExprPtr>& at,
                             const kernel::ExprPtr& i, const ir::Read& read);
// The same where the cell, or its neighbour, may lie beside what memory holds of the grid: then
// what is read is any cell, which nobody needs.
kernel::ExprPtr tap_anywhere(const Context& context, const std::vector<kernel::ExprPtr>& at,
                             const kernel::ExprPtr& i, const ir::Read& read);

}  // namespace stencilc::lower
