// Calls of kernels that take several time steps.
#pragma once

#include <string>
#include <vector>

#include "kernel/module.h"

namespace stencilc::emit {

// Is there a kernel that takes as many steps as it is told?
bool takes_any_steps(const kernel::Module& module);
// The time steps of its launches: the most, then fewer for what is left of a run, if no other
// kernel takes these.
std::vector<int> step_counts(const kernel::Module& module, const kernel::Kernel& kernel);

// The condition on the grid from which on it is called; empty: none. `planes`: how many of them are
// computed; empty: all of the grid's.
std::string large_enough(const kernel::Launch& launch, const std::string& planes);

// So many launches leave the buffers where they were: of several steps, or of one.
int period(const kernel::Module& module, bool several);
// Can launches be recorded, and replayed? Then all of them have the same arguments.
bool can_replay(const kernel::Module& module, const kernel::Launch& launch);
// And all of a step, which is nothing but launches?
bool can_replay_steps(const kernel::Module& module);

// The first launch of a single step.
const kernel::Launch& first_of_step(const kernel::Module& module);
// The launch of several steps; null: there is none.
const kernel::Launch* launch_of_steps(const kernel::Module& module);
// Does any launch ask for the number of the step?
bool counts_steps(const kernel::Module& module);

}  // namespace stencilc::emit
