// Chooses shapes of their own for launches of a step that has several.
#pragma once

#include <array>

#include "plan/search/choose_values.h"

namespace stencilc::plan {

// The schedule, in which each launch has the shape that would be chosen for a step of this launch
// alone, where that is predicted to gain. Of steps that are taken one by one. `stencil`: without
// temporaries.
Schedule with_own_shapes(const ir::Stencil& stencil, Schedule schedule, const Device& device,
                         const std::array<int64_t, 3>& extents, const SizesOf& sizes);

}  // namespace stencilc::plan
