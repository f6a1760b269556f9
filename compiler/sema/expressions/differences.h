// Computes exact weights of finite differences on a grid of unit spacing, and knows the names of
// differences.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ir/fraction.h"

namespace stencilc::sema {

inline constexpr int kMaxCentralOrder =
    16;  // of central and staggered differences: even, starting with 2
inline constexpr int kMaxSidedOrder = 8;  // of one-sided differences: starting with 1

using ir::Fraction;

// The weights of the values at `nodes`, all different, in the derivative at `place`. They are exact
// for polynomials of a degree below the number of nodes. The derivative is 0 (interpolation), 1,
// ...
std::vector<Fraction> difference_weights(int derivative, const Fraction& place,
                                         std::span<const int> nodes);

struct WeightedNode {
  int node = 0;  // distance from the cell
  Fraction weight;
};
// Nodes in ascending order, without weights of 0.
using Difference = std::vector<WeightedNode>;

// The axes of a difference with this name, as of dx and dxy; empty if it is none.
std::vector<int> difference_axes(const std::string& name, const std::vector<std::string>& axes);
std::vector<std::string> difference_names(const std::vector<std::string>& axes);

// The derivative at the cell from the same number of cells on both sides; even order.
Difference central_difference(int derivative, int order);
// The first derivative half a cell above (side 1) or below (side -1) the cell; even order.
Difference staggered_difference(int order, int side);
// The derivative at the cell from the cell itself and those above (side 1) or below (side -1) it.
Difference sided_difference(int derivative, int order, int side);

}  // namespace stencilc::sema
