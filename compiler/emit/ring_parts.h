// What the text of all rings of planes is made of.
#pragma once

#include "emit/ring.h"

namespace stencilc::emit {

// st::Plane<float, ring_rows, ring_cells>
std::string plane_type(const kernel::Buffer& planes);
// Where the planes of a grid begin in shared memory: after those of the grids before.
std::string offset_of(const kernel::Ring& ring, size_t grid);
// [n % ring_depth]: the place of stage n.
std::string place_of(const kernel::Ring& ring, const std::string& n);
// The plane of a grid that is stage n: at + n.
kernel::ExprPtr along(const kernel::Ring& ring, const kernel::Ring::Grid& grid);
// How many stages ahead, in words.
std::string ahead_of(const kernel::Ring& ring);
// Waits for the phase of stage n of these barriers.
std::string await(const kernel::Ring& ring, const std::string& barriers, const std::string& n);

// The plane of a grid that is stage n, as a variable.
void write_plane(Writer& out, const kernel::Ring& ring, const kernel::Ring::Grid& grid,
                 const TextOf& text);
// The function that gives a cell of the plane wherever it lies.
void write_cell(Writer& out, const kernel::Ring::Grid& grid, const TextOf& text);
// The cells outside the grid, of all grids.
void write_all_ghosts(Writer& out, const kernel::Ring& ring, const TextOf& text);

// Of boxes: the function by which one thread, which it declares, asks for those of a stage.
void write_fetch_of_boxes(Writer& out, const kernel::Ring& ring, const std::string& leads,
                          const TextOf& text);
// Otherwise: the function by which the threads that fill load or copy a stage.
void write_fetch_by_threads(Writer& out, const kernel::Source& source, const TextOf& text);
// The functions that load and store what of a stage lies outside the grid.
void write_ghost_functions(Writer& out, const kernel::Ring& ring, const TextOf& text);

}  // namespace stencilc::emit
