// Is an expression linear in some fields, with coefficients that are known numbers?
#pragma once

#include <optional>
#include <vector>

#include "ir/ir.h"

namespace stencilc::lint {

// weight * field at a level and an offset.
struct Tap {
  int field = 0;
  int level = 0;
  ir::Offset offset = {};
  double weight = 0;
};

// Values of params and run-time weights; none where nobody knows them.
struct Values {
  std::vector<std::optional<ir::Scalar>> params;
  std::vector<std::vector<ir::Scalar>> weights;  // all elements of an array, or none
};

// The terms of the expression, each place once, in the fields marked in `unknown`; what does not
// read them may be added and is left out.
// None where the expression is not linear, or a coefficient depends on another field, on the cell
// or the step. Roundings are ignored. Takes time linear in the size of the expression.
std::optional<std::vector<Tap>> linear_terms(const ir::ExprPtr& expr,
                                             const std::vector<bool>& unknown,
                                             const Values& values);

}  // namespace stencilc::lint
