// Finds sums over all cells of a box around the cell: convolutions.
#pragma once

#include <optional>
#include <vector>

#include "ir/ir.h"

namespace stencilc::ir {

// A sum with one term for each offset of a box, row by row, x fastest. The weights are one
// expression, or elements of an array of weights with a constant stride along each axis, or
// constants.
struct BoxSum {
  int field = 0, level = 0;
  ExprPtr tap;       // the read of the cell itself, perhaps cast
  Offset low, high;  // of the box
  ExprPtr weight;    // the weight of all terms; null: each has its own
  struct Elements {
    int array = -1;
    int first = 0;       // index for the cell at `low`
    Offset stride = {};  // along each axis
  } elements;            // array -1: the weights are not in an array
  std::vector<ExprPtr> constants;

  int row() const { return high[0] - low[0] + 1; }   // taps per row
  int rows() const { return high[1] - low[1] + 1; }  // rows of the box
};

// Nothing if the sum does not have this form, or the box has more than two axes.
std::optional<BoxSum> box_sum(const Sum& sum);

}  // namespace stencilc::ir
