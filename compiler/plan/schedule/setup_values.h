// Set-up values: what is the same in every step of a run, because it is made of fields that no
// statement assigns. A launch before the first step of a run computes such a value once for each
// cell, into memory, and the steps read it there as they read an input. Its bits are the same: the
// order inside a value is that of its own cell.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.h"

namespace stencilc::plan {

// A value of the program (a `let`, or an argument of a function), or a largest expression without
// a name that has a division, a root or a transcendental function.
struct SetupValue {
  std::string name;    // of the value; invariant1, ... without one
  int let = 0;         // of a value; 0 or more, or an argument's
  bool named = false;  // is it a value of the program?
  int number = 0;      // of an expression without a name: equal ones have the same
  ir::ExprPtr expr;    // at its own cell
};

// Those that the updates read: all values that can be set up, and what else is worth a name.
std::vector<SetupValue> setup_values(const ir::Stencil& stencil);

// The names of those that `setup=all` sets up: values inside others are left out.
std::vector<std::string> all_setups(const ir::Stencil& stencil);

// Why these cannot be set up; or empty.
std::string setup_problem(const ir::Stencil& stencil, const std::vector<std::string>& names);

// The stencil in which these are set up: each is a temporary that the updates read like an input,
// and `setups` assign. Beyond the grid its cells are what the expression gives there: those of
// other cells, where all that it reads is extended in the same way, or ghost cells of its own. What
// is read inside others that are set up alone gets no memory. The names can be set up.
ir::Stencil with_setup(const ir::Stencil& stencil, const std::vector<std::string>& names);

// The same with values that launches of each step keep in memory (value_placement.h).
ir::Stencil with_kept(const ir::Stencil& stencil, const std::vector<std::string>& setup,
                      const std::vector<std::string>& global);

// The stencil whose one step computes the set-up values of that stencil.
ir::Stencil setup_step(const ir::Stencil& placed);

}  // namespace stencilc::plan
