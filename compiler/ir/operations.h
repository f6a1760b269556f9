// What a cell computes, by kind: what --explain counts.
#pragma once

#include <vector>

#include "ir/ir.h"

namespace stencilc::ir {

// Of values that change from cell to cell; what is the same for all cells is computed once, and
// counts nothing. A value that is read at several offsets of a `let` is computed at each.
struct Operations {
  // Of floats. A product with 1 or -1 is none, and signs cost nothing.
  int additions = 0, products = 0;
  int fused = 0;      // multiplications and additions with one rounding
  int divisions = 0;  // but by a power of two, which is a product
  int roots = 0;
  int functions = 0;  // exp, log, sin and their kind
  int extrema = 0;    // min, max, abs, floor, ceil
  int integers = 0;   // arithmetic of integers
  int comparisons = 0, logic = 0, selections = 0;
  int conversions = 0;

  // Of floats, as they are counted everywhere: a fused multiplication and addition is two.
  int flops() const {
    return additions + products + 2 * fused + divisions + roots + functions + extrema;
  }
};

// Null values count nothing.
Operations operations_of(const std::vector<ExprPtr>& values);

// The nodes of the values that change from cell to cell, each once, children first.
std::vector<ExprPtr> varying(const std::vector<ExprPtr>& values);

// Is a division by it the same, bit for bit, as a product with its reciprocal? A power of two whose
// reciprocal is no denormal number.
bool has_exact_reciprocal(const ExprPtr& divisor);

// What floats are divided by though it is the same for all cells, where a product with the
// reciprocal would round differently.
std::vector<ExprPtr> invariant_divisors(const std::vector<ExprPtr>& values);

}  // namespace stencilc::ir
