// Sums over every cell of a box around the cell: convolutions.
#pragma once

#include <optional>
#include <vector>

#include "ir/ir.h"

namespace stencilc::ir {

// A sum whose terms are all offsets of a box, the rows one after the other and x fastest. Its
// weights are one expression; or lie in an array of weights, so that a step along an axis is always
// the same step in the array; or are constants.
struct BoxSum {
  int field = 0, level = 0;
  ExprPtr tap;       // of the cell itself: its read, maybe cast
  Offset low, high;  // of the box
  ExprPtr weight;    // of all terms; null: each has its own
  struct Elements {
    int array = -1;
    int first = 0;       // of the cell at `low`
    Offset stride = {};  // along each axis
  } elements;            // array -1: they are in none
  std::vector<ExprPtr> constants;

  int row() const { return high[0] - low[0] + 1; }   // taps
  int rows() const { return high[1] - low[1] + 1; }  // of the box
};

// None where the sum is no such sum, and where the box has more than two axes.
std::optional<BoxSum> box_sum(const Sum& sum);

}  // namespace stencilc::ir
