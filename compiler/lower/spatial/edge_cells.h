// Threads of their own for the cells near the boundary (`edges=cells`).
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "kernel/module.h"
#include "lower/tile/thread_mapping.h"

namespace stencilc::lower {

// What the threads of such a launch compute.
struct EdgeCellBodies {
  // The cells of a thread that are all inside.
  std::function<kernel::Body(const ThreadMapping& mapping)> inside;
  // A cell of the grid or a place beyond it, which may lie near the boundary.
  std::function<kernel::Body(const std::vector<kernel::ExprPtr>& at, const Names& names)> edge_cell;
  // A cell that lies inside, where threads compute several.
  std::function<kernel::Body(const std::vector<kernel::ExprPtr>& at, const Names& names)>
      inside_cell = nullptr;
};

// How many cells, at most, lie near both ends of x together, and of y, and so in no thread whose
// cells are all inside.
std::array<int, 2> edge_widths(const ir::Stencil& stencil, const plan::Launch& launch,
                               const plan::Schedule& schedule);

// Has the launch such threads? `margin`: how far the threads whose cells are all inside read.
bool has_edge_cells(const Context& context, const plan::Schedule& schedule,
                    const ir::Reach& margin);

// The statements of a launch that has. Of each plane, the first rows of blocks have the cells near
// the ends of x and y. The other rows leave them out, and have all cells of planes near the ends of
// z. Threads that compute several cells leave out all cells of a thread with one near the boundary.
kernel::Body with_edge_cells(const Context& context, const plan::Schedule& schedule,
                             const ir::Reach& margin, const EdgeCellBodies& bodies,
                             kernel::Launch& launch);

}  // namespace stencilc::lower
