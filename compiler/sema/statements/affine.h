// Recognises integer expressions that are linear in the coordinates and the extents.
#pragma once

#include <optional>

#include "ir/ir.h"

namespace stencilc::sema {

// constant + sum of axis[a] * coordinate a + sum of extent[a] * extent a.
struct Affine {
  std::array<int64_t, ir::kMaxRank> axis = {}, extent = {};
  int64_t constant = 0;
  bool is_constant() const { return axis == decltype(axis){} && extent == decltype(extent){}; }
};

// Nothing if the expression does not have this form, or its numbers are too large.
std::optional<Affine> affine(const ir::ExprPtr& expr);

}  // namespace stencilc::sema
