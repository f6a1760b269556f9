// What a step has to do for a cell, whatever the schedule: the sides of the roofline.
#pragma once

#include <vector>

#include "ir/ir.h"
#include "ir/operations.h"

namespace stencilc::ir {

// Compulsory bytes: each level of each field that a cell reads once, and each field that is
// assigned stored once. Halos, points and fields on fewer axes than the stencil count nothing.
struct Traffic {
  int read = 0, stored = 0;  // bytes
  int bytes() const { return read + stored; }
};
Traffic compulsory_traffic(const Stencil& stencil);

// What a cell computes, in the canonical order.
Operations operations_of_cell(const Stencil& stencil);

// Of these, what arithmetic is counted by: a fused multiplication and addition is two operations;
// comparisons, conversions and selections are none.
struct Arithmetic {
  int real = 0, integer = 0;
};
Arithmetic arithmetic_of_cell(const Stencil& stencil);

// The same as instructions: a fused multiplication and addition is one, and divisions, roots and
// longer functions count apart; a division by a power of two is a multiplication.
struct Instructions {
  int f32 = 0, f64 = 0, integer = 0;
  int divisions = 0, functions = 0;  // of the longer ones, in any type
  int roots = 0;                     // of these functions: square roots
};
Instructions instructions_of_cell(const Stencil& stencil);
// Of some values; null ones count nothing.
Instructions instructions_of(const std::vector<ExprPtr>& values);

}  // namespace stencilc::ir
