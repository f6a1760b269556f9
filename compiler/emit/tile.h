// Tiles in shared memory as text: rings of one place (kernel/ring.h).
#pragma once

#include "emit/ring.h"

namespace stencilc::emit {

// The tile's memory; of boxes, the barrier, and what asks for them.
void write_tile(Writer& out, const kernel::Ring& ring, const TextOf& text);
// What fills it. Behind it all threads find it whole.
void write_tile_source(Writer& out, const kernel::Source& source, const TextOf& text);

// The type of what stores cells outside the grid, and what it is made of.
std::string ghosts_type(const kernel::Ring& ring, const kernel::Ring::Grid& grid);
std::vector<std::string> ghosts_arguments(const kernel::Ring& ring, const kernel::Ring::Grid& grid,
                                          const TextOf& text);
// Where a coordinate along the last axis lies in memory: one near the box, or any one.
kernel::ExprPtr in_memory(const kernel::Ring& ring, const kernel::ExprPtr& at, bool any = false);
// a + b, without parentheses about b.
kernel::ExprPtr plus(const kernel::ExprPtr& a, const kernel::ExprPtr& b);
// The function by which all threads load or copy a plane.
std::string plane_function(const kernel::Ring& ring, const kernel::Ring::Grid& grid);

}  // namespace stencilc::emit
