// Fast division: divisions and roots that a thread computes side by side get no branch for rare
// numbers each, but one for all of them.
//
// before   for v in 0 .. 4: c[v] <- a[v] / sqrt(b[v])
// after    fast_division
//            for v in 0 .. 4: c[v] <- quotient(a[v], root(b[v]))
#pragma once

#include "kernel/module.h"

namespace stencilc::passes {

// Of launches over cells, where there are two or more and the statements around them may run twice.
void divide_fast(kernel::Module& module);
void divide_fast(kernel::Launch& launch);

// The same of statements after without_dead_code().
// `one_by_one`: each such statement runs twice by itself, and keeps nothing for it.
kernel::Body with_fast_division(kernel::Body body, bool one_by_one = false);

}  // namespace stencilc::passes
