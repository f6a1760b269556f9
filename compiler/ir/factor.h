// Describes sums whose weights are a product of smaller tables; separable.h finds them.
#pragma once

#include <utility>
#include <vector>

#include "ir/fraction.h"
#include "ir/type.h"

namespace stencilc::ir {

// One of the tables: a line of weights along an axis, or a plane of weights along two.
struct Factor {
  std::vector<int> axes;                    // ascending
  std::vector<std::pair<int, int>> ranges;  // the offsets along each of them
  std::vector<Fraction> weights;            // the last axis changes fastest
  int count() const;                        // weights that are not 0
};

// A sum of constants times reads of one field. Each weight is the product of one weight of each
// factor.
struct Separable {
  uint32_t source = 0;  // of the statement, as in Case
  int field = 0, level = 0;
  Type type = Type::f32;  // of the sum
  int weights = 0;        // that are not 0
  std::vector<Factor> factors;
};

}  // namespace stencilc::ir
