// Values that are the same in every cell of a run: the host computes them once, and kernels take
// them as arguments, which need no registers.
//
// before   kernel:  factor <- -1 / h;  ... factor * u[x]
// after    host:    factor <- -1 / h
//          kernel:  ... factor * u[x]
#pragma once

#include "kernel/module.h"

namespace stencilc::passes {

// What the statements at the top of kernels make of params by rounded arithmetic, where all launches
// take one step. Kernels for which the schedule sets `resident` or `shared` keep theirs.
void hoist_launch_values(kernel::Module& module);

// After divide_fast: the reciprocals of divisors that are numbers, params or launch values.
void prepare_divisors(kernel::Module& module);

}  // namespace stencilc::passes
