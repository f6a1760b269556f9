// Counts the work of a step per cell, whatever the schedule: the two sides of the roofline.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/ir.h"
#include "ir/operations.h"

namespace stencilc::ir {

// Compulsory bytes: each level of each field that a cell reads, once, and each field that is
// assigned, once. Halos, points and fields with fewer axes than the stencil are not counted.
struct Traffic {
  int read = 0, stored = 0;  // bytes
  int bytes() const { return read + stored; }
};
Traffic compulsory_traffic(const Stencil& stencil);

// What a cell computes, in the canonical order.
Operations operations_of_cell(const Stencil& stencil);

// Of these, the arithmetic operations: a fused multiply-add counts as two; comparisons, conversions
// and selections are not counted.
struct Arithmetic {
  int real = 0, integer = 0;
};
Arithmetic arithmetic_of_cell(const Stencil& stencil);

// The same as instructions: a fused multiply-add counts as one; divisions, roots and transcendental
// functions are counted separately; a division by a power of two is a multiplication.
struct Instructions {
  int f32 = 0, f64 = 0, integer = 0;
  int divisions = 0, functions = 0;  // transcendental functions and divisions, in any type
  int roots = 0;                     // of these functions: square roots
  // All of them; a division or a function counts as ten.
  int64_t weighted() const { return f32 + f64 + integer + int64_t{10} * (divisions + functions); }
};
Instructions instructions_of_cell(const Stencil& stencil);
// For some values; null ones are ignored.
Instructions instructions_of(const std::vector<ExprPtr>& values);

}  // namespace stencilc::ir
