// Unused arguments: parameters and buffers of kernels that their bodies never touch.
#pragma once

#include "kernel/module.h"

namespace stencilc::passes {

// Takes them away, and notes in the module which of its grids, params, weights, tables and series
// are used.
void drop_unused_arguments(kernel::Module& module);

}  // namespace stencilc::passes
