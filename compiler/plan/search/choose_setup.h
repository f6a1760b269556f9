// Chooses which values a launch before the first step of a run computes, and the schedule with
// them.
#pragma once

#include <array>

#include "plan/search/choose_values.h"

namespace stencilc::plan {

// As choose_with_values(). Values that no step changes are set up where that is predicted to gain
// enough in a run of a hundred steps, and where they may be in memory.
Schedules choose_with_setup(const ir::Stencil& stencil, Target target, int optimisation,
                            const Device& device, const std::array<int64_t, 3>& extents,
                            const SizesOf& sizes, const MayKeep& may_keep = nullptr);

}  // namespace stencilc::plan
