// Counts what a cell computes, by kind, for --explain.
#pragma once

#include <vector>

#include "ir/ir.h"

namespace stencilc::ir {

// Counts values that change from cell to cell; values that are the same for all cells are computed
// once and not counted. A `let` that is read at several offsets is counted for each.
struct Operations {
  // Of floats. Products with 1 or -1 and signs are not counted.
  int additions = 0, products = 0;
  int fused = 0;      // a multiplication and an addition with one rounding
  int divisions = 0;  // except by a power of two, which is a product
  int roots = 0;
  int functions = 0;  // exp, log, sin and similar
  int extrema = 0;    // min, max, abs, floor, ceil
  int integers = 0;   // integer arithmetic
  int comparisons = 0, logic = 0, selections = 0;
  int conversions = 0;

  // Of floats; a fused multiply-add counts as two.
  int flops() const {
    return additions + products + 2 * fused + divisions + roots + functions + extrema;
  }
};

// Null values count nothing.
Operations operations_of(const std::vector<ExprPtr>& values);

// The nodes of the values that change from cell to cell, each once, children first.
std::vector<ExprPtr> varying(const std::vector<ExprPtr>& values);

// Whether dividing by it gives the same bits as multiplying with its reciprocal: a power of two
// whose reciprocal is not denormal.
bool has_exact_reciprocal(const ExprPtr& divisor);

// Divisors of floats that are the same for all cells, where a product with the reciprocal would
// round differently.
std::vector<ExprPtr> invariant_divisors(const std::vector<ExprPtr>& values);

}  // namespace stencilc::ir
