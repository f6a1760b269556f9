// The shapes among which the model chooses: the presets' fields that decide how fast a launch runs.
#pragma once

#include <vector>

#include "plan/reads.h"
#include "plan/schedule.h"

namespace stencilc::plan {

// Of two or three axes, simple ones first. `all`: of the whole stencil.
std::vector<Schedule> shapes(const Reads& all, int rank, const Device& device);

}  // namespace stencilc::plan
