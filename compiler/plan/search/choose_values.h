// Chooses which values of a program launches of their own compute and keep in memory, and the
// schedule with them.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "plan/search/choose.h"

namespace stencilc::plan {

// The sizes of the kernels that a schedule makes of a stencil, as KernelSizes.
using SizesOf = std::function<std::vector<KernelSize>(const ir::Stencil&, const Schedule&)>;

// May these values be in memory, all together? The stencil has them as temporaries.
using MayKeep = std::function<bool(const ir::Stencil&)>;

// As choose_all(). Values are global where that is predicted to gain enough, and where they may be.
Schedules choose_with_values(const ir::Stencil& stencil, Target target, int optimisation,
                             const Device& device, const std::array<int64_t, 3>& extents,
                             const SizesOf& sizes, const MayKeep& may_keep = nullptr);

}  // namespace stencilc::plan
