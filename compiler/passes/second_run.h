// What the second run of a FastDivision begins with. ptxas computes what both runs share once, and
// keeps it in registers until it is known whether there is a second run, which is seldom the case.
// Where that takes many registers, the second run begins anew: it uses copies of the indices that
// nvcc cannot know to be equal, so it loads and computes everything again.
//
// before   let x = a[i]
//          fast_division                      -- keeps f(x) and g(b[i])
//            c[i] <- quotient(f(x), g(b[i]))
// after    fast_division                      -- keeps i
//            let j = anew(i)
//            let x = a[j]
//            c[j] <- quotient(f(x), g(b[j]))
#pragma once

#include "kernel/kernel.h"

namespace stencilc::passes {

// Of a body whose FastDivisions have been found. Those that read arrays in registers stay as they
// are: what a thread has loaded for several cells is not loaded twice.
void begin_anew(kernel::Body& body);

}  // namespace stencilc::passes
