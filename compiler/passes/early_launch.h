// Early launches: a kernel that may begin before the launch before it ends waits for that launch
// first.
#pragma once

#include "kernel/module.h"

namespace stencilc::passes {

// Programmatic dependent launch: the wait comes first in kernels that are `early`, unless their body
// waits at a place of its own.
void wait_for_previous_launch(kernel::Module& module);

}  // namespace stencilc::passes
