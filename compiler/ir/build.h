// Building expressions: constants fold, and what is exactly the same is spelt the same (x*1 is x,
// x*-1 is -x, -(-x) is x).
#pragma once

#include <optional>
#include <span>

#include "ir/ir.h"

namespace stencilc::ir {

ExprPtr constant(Scalar value);
ExprPtr constant(Constant value);
ExprPtr constant(Type type, double value);  // an integral value where `type` is an integer

// `type` is the type of the arithmetic; for comparisons the result is boolean and `type` is not
// read.
ExprPtr apply(Op op, Type type, std::vector<ExprPtr> args);
ExprPtr cast(Type type, ExprPtr value, bool saturate = false);  // to its own type: the value itself

// The number a constant stands for, and the exact result of an operation on such numbers. None
// where it is not known or does not fit.
std::optional<Fraction> written(const Constant& constant);
std::optional<Fraction> exactly(Op op, std::span<const std::optional<Fraction>> args);

}  // namespace stencilc::ir
