// The order of a cell's statements: what stands at one neighbour is loaded or computed once and
// goes into all sums that take it, before the next neighbour.
//
// before   a <- u[x-1] * w[x-1]; a <- a + u[x+1] * w[x+1]; b <- v[x-1] * w[x-1]; b <- b + ...
// after    a <- u[x-1] * w[x-1]; b <- v[x-1] * w[x-1]; a <- a + u[x+1] * w[x+1]; b <- b + ...
//
// List scheduling for few live values. Each sum keeps its own order, so the bits are the same.
#pragma once

#include "kernel/module.h"

namespace stencilc::passes {

// Of lists of statements in which fewer values are live at once afterwards.
void order_by_neighbours(kernel::Module& module);
void order_by_neighbours(kernel::Launch& launch);

kernel::Body ordered_by_neighbours(kernel::Body body);

}  // namespace stencilc::passes
