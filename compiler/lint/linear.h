// Decides whether an expression is linear in some fields with known coefficients.
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

// Values of params and run-time weights; nothing where they are not known.
struct Values {
  std::vector<std::optional<ir::Scalar>> params;
  std::vector<std::vector<ir::Scalar>> weights;  // all elements of an array, or none
};

// The terms of the expression in the fields that `unknown` marks, one for each position. Terms that
// do not read these fields are left out. Nothing if the expression is not linear, or if a
// coefficient depends on another field, on the cell or on the step. Roundings are ignored. Takes
// time linear in the size of the expression.
std::optional<std::vector<Tap>> linear_terms(const ir::ExprPtr& expr,
                                             const std::vector<bool>& unknown,
                                             const Values& values);

}  // namespace stencilc::lint
