// Builds expressions. Constants fold, and expressions with exactly the same value get the same form
// (x*1 is x, x*-1 is -x, -(-x) is x).
#pragma once

#include <optional>
#include <span>

#include "ir/ir.h"

namespace stencilc::ir {

ExprPtr constant(Scalar value);
ExprPtr constant(Constant value);
ExprPtr constant(Type type, double value);  // a whole value if `type` is an integer

// `type` is the type of the arithmetic; for comparisons the result is boolean and `type` is
// ignored.
ExprPtr apply(Op op, Type type, std::vector<ExprPtr> args);
ExprPtr cast(Type type, ExprPtr value,
             bool saturate = false);  // a cast to its own type is the value itself

// The number for which a constant stands, and the exact result of an operation on such numbers.
// Nothing if it is not known or does not fit.
std::optional<Fraction> written(const Constant& constant);
std::optional<Fraction> exactly(Op op, std::span<const std::optional<Fraction>> args);

}  // namespace stencilc::ir
