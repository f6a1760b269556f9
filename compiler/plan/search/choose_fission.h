// Chooses which launches of a step are split into several.
#pragma once

#include <array>

#include "plan/search/choose_values.h"

namespace stencilc::plan {

// The schedule, in which statements that share a launch have several, with shapes of their own,
// where that is predicted to gain. Of steps that are taken one by one. `stencil`: without
// temporaries.
Schedule with_split_launches(const ir::Stencil& stencil, Schedule schedule, const Device& device,
                             const std::array<int64_t, 3>& extents, const SizesOf& sizes);

}  // namespace stencilc::plan
