// Many libraries at once.
#pragma once

#include <vector>

#include "driver/execute/library.h"

namespace stencilc::driver {

// Builds the bench libraries of these stencils, so many side by side (0: one a core), in their
// order.
std::vector<Library> build_all(const std::vector<Compiled>& list, plan::Target target,
                               const std::vector<std::string>& archs, int jobs = 0);

// As many as the machine has cores, where none are asked for.
int jobs_of(int requested);

}  // namespace stencilc::driver
