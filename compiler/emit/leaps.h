// Calls of kernels that take several time steps.
#pragma once

#include <string>
#include <vector>

#include "kernel/module.h"

namespace stencilc::emit {

// The time steps of its launches: the most, then fewer for what is left of a run.
std::vector<int> step_counts(const kernel::Kernel& kernel);

// The condition on the grid from which on it is called, `suffix` behind the names of its numbers of
// blocks; empty: none.
std::string large_enough(const kernel::Launch& launch, const std::string& suffix);

}  // namespace stencilc::emit
