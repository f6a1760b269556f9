// Lists the shapes with one step per launch from which the model chooses.
#pragma once

#include <vector>

#include "plan/analysis/reads.h"
#include "plan/schedule/schedule.h"

namespace stencilc::plan {

// For two or three axes, simple shapes first. `all`: the reads of the whole stencil.
std::vector<Schedule> shapes(const Reads& all, int rank, const Device& device);
// 3-D shapes in which lanes exchange neighbouring cells. They gained at most 1 % over the others,
// so --explain lists them, but they are not chosen.
std::vector<Schedule> shapes_of_lanes(const Reads& all);

// Whether shapes with tiles in shared memory are considered, for sums whose taps are loops.
// `boxes`: the device has bulk copies. The second function returns how the tiles are filled.
bool weighs_tiles(const Reads& reads, int rank, bool boxes);
Shared tile_of_loops(const Device& device);

}  // namespace stencilc::plan
