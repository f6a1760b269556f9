// Builds many libraries at the same time.
#pragma once

#include <vector>

#include "driver/execute/library.h"

namespace stencilc::driver {

// Builds the bench libraries of these stencils, this many at a time (0: one per core). The result
// has the same order.
std::vector<Library> build_all(const std::vector<Compiled>& list, plan::Target target,
                               const std::vector<std::string>& archs, int jobs = 0);

// The given number, or if it is 0, the number of cores.
int jobs_of(int requested);

// Reports why one of them could not be built.
bool all_built(const std::vector<Library>& libraries, diag::Engine& engine);

}  // namespace stencilc::driver
