// Needed divisions: a quotient or root that only one side of a choice uses asks for a second run
// only where that side is chosen. So the limiter of a flat region, 0/0 that is not chosen, costs
// nothing.
//
// before   q <- quotient(a, b)
//          c <- a > 0
//          y <- c ? q : 0
// after    c <- a > 0
//          q <- quotient(a, b, c)
//          y <- c ? q : 0
#pragma once

#include <map>
#include <string>

#include "kernel/kernel.h"

namespace stencilc::passes {

// The conditions under which the results of divisions and roots are used, by the name of the
// variable that they are assigned to. Moves what computes a condition before these.
std::map<std::string, kernel::ExprPtr> conditions_of_divisions(kernel::Body& body);

}  // namespace stencilc::passes
