// What a plane in shared memory has in place of cells beyond the rim of the grid.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lower/taps.h"

namespace stencilc::lower {

// The index map of an axis, if its ends are of one kind and no more than that. What no read meets
// may be anything.
std::optional<kernel::Fn> map_along(const ir::Boundary& boundary, int axis);

// What stands for a cell beyond the ends along x and y: the place of another one in the plane that
// begins at `first`; below 0, the constant. Null where the ends of an axis differ, where it takes
// more than one index or one constant, or where the other cell is not in the plane.
kernel::ExprPtr place_in_plane(const Context& context, const ir::Boundary& boundary,
                               const std::vector<kernel::ExprPtr>& first,
                               const std::vector<std::string>& place, int width, Names& names,
                               kernel::Body& body);

bool same(const ir::Constant* a, const ir::Constant* b);

// Is zero all that reads meet beyond the ends, as in what boxes bring?
bool is_zero(const ir::Boundary& boundary, int rank);

}  // namespace stencilc::lower
