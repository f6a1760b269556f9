// How the cells of a sweep are walked.
#pragma once

#include <string>

#include "kernel/module.h"
#include "lower/cell/interior_cell.h"
#include "plan/schedule/schedule.h"

namespace stencilc::lower {

// A grid of thread blocks: each covers a tile, each thread `coarsen` cells of it. Blocks whose tile
// and neighbours lie inside run code without a guard; the others, in the same launch, follow the
// boundaries.
kernel::Body lower_blocks(const Context& context, const plan::Schedule& schedule,
                          kernel::Launch& launch);

// A grid of thread blocks whose threads compute vectors of `vector` cells along x, and `coarsen`
// rows of them. What the launch copies into shared memory is added to it.
kernel::Body lower_patches(const Context& context, const plan::Schedule& schedule,
                           kernel::Launch& launch);

// The same, where a launch takes sums over boxes: their taps are loops, and the threads add each
// row that arrives to the sums of all their rows that read it. Empty: the launch does without, and
// its `no_loops` says the reason.
kernel::Body lower_convolution(const Context& context, const plan::Schedule& schedule,
                               kernel::Launch& launch);

// A grid of thread blocks that have what their cells read in shared memory. Each thread computes a
// cell, or `coarsen` cells one after the other, and keeps what the next one reads again along the
// axis in registers.
kernel::Body lower_tiles(const Context& context, const plan::Schedule& schedule,
                         kernel::Launch& launch);

// Loops over rows on all cores. Within a row the cells whose neighbours lie inside form one loop
// without a guard.
kernel::Body lower_loops(const Context& context);

}  // namespace stencilc::lower
