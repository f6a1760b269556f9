// Ghost cells that are nothing but other cells, or one number: by index maps, and what a plane in
// shared memory has of them.
#pragma once

#include <array>
#include <optional>

#include "ir/boundary.h"
#include "kernel/ring.h"
#include "lower/cell/addressing.h"

namespace stencilc::lower {

// The index map of an axis, if its ends are of one kind and no more than that. What no read meets
// may be anything.
std::optional<kernel::Fn> map_along(const ir::Boundary& boundary, int axis);
// The same of one end of it.
std::optional<kernel::Fn> ghost_map(const ir::Side& side);

// The function of emitted code that maps an index so.
kernel::Fn index_map(ir::EdgeKind::Source source);

// A ghost cell that a number is given for, as memory would hold it.
kernel::ExprPtr ghost_number(const ir::Field& field, const ir::Constant& number);

// What ghost cells along the first axes are, if each axis has an index map or a number, and all
// numbers are one.
struct PlainGhosts {
  std::array<std::optional<kernel::Fn>, ir::kMaxRank> maps;  // [axis]; nothing: the number
  const ir::Constant* number = nullptr;                      // null: no axis has it
};
std::optional<PlainGhosts> plain_ghosts(const ir::Boundary& boundary, int axes);

// Is zero all that reads meet beyond the ends, as in what boxes bring?
bool is_zero(const ir::Boundary& boundary, int rank);

// Where other cells of a box stand for those beyond the ends along x and y: declares the function
// that tells which, and names it in the grid, with the constant that stands for others.
void declare_from(const Context& context, int field, kernel::Ring::Grid& grid, Names& names,
                  kernel::Body& body);

}  // namespace stencilc::lower
