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
#include <set>
#include <string>

#include "kernel/kernel.h"

namespace stencilc::passes {

// Of which variables a variable is made.
using Parts = std::map<std::string, std::set<std::string>>;
void add_parts(const kernel::Body& body, Parts& parts);

// The conditions under which the results of divisions and roots are used, by the list of statements
// that it is and the name of the variable that they are assigned to.
using Conditions = std::map<const kernel::Body*, std::map<std::string, kernel::ExprPtr>>;

// Those in a body and in what it holds, which stays where it is. Moves what computes a condition
// before what needs it. A condition that has nothing in common with a quotient, such as a mask,
// says nothing about rare numbers, and is none: nvcc would make a branch of it. `parts`: of what
// stands in and before the body.
Conditions conditions_of_divisions(kernel::Body& body, Parts& parts);

}  // namespace stencilc::passes
