// The shapes among which the model chooses: the presets' fields that decide how fast a launch runs.
#pragma once

#include <vector>

#include "plan/analysis/reads.h"
#include "plan/schedule/schedule.h"

namespace stencilc::plan {

// Of two or three axes, simple ones first. `all`: of the whole stencil.
std::vector<Schedule> shapes(const Reads& all, int rank, const Device& device);
// Those in which lanes lend each other what lies beside their cells, of three axes. They gained at
// most 1 % on what is chosen of the others, so they are told and not chosen.
std::vector<Schedule> shapes_of_lanes(const Reads& all);

// Are tiles among them, for sums whose taps are loops? `boxes`: on devices that copy boxes. And how
// they are filled.
bool weighs_tiles(const Reads& reads, int rank, bool boxes);
Shared tile_of_loops(const Device& device);

}  // namespace stencilc::plan
