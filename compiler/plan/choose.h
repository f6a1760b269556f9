// The schedule of a stencil, where nobody asks for another.
#pragma once

#include "plan/schedule.h"

namespace stencilc::plan {

// One cell a thread.
Schedule naive(int rank);

// One column of cells a thread.
Schedule columns(int rank);

// Vectors of cells, several rows of them a thread: the shapes that were fastest on an H200 for
// stencils of its kind (docs/performance.md).
Schedule coarsened(const ir::Stencil& stencil, const Device& device = any_device());

}  // namespace stencilc::plan
