#include "ir/build.h"

#include <algorithm>

namespace stencilc::ir {
namespace {
bool is_constant(const ExprPtr& expr, double value) {
  const auto* node = as<Constant>(expr);
  if (!node) return false;
  return is_float(expr->type) ? node->value.real == value
                              : static_cast<double>(node->value.integer) == value;
}
}  // namespace

ExprPtr constant(Scalar value) { return make(value.type, Constant{value}); }

ExprPtr constant(Type type, double value) {
  return constant(is_float(type) ? make_real(type, value)
                                 : make_integer(type, static_cast<int64_t>(value)));
}

ExprPtr apply(Op op, Type type, std::vector<ExprPtr> args) {
  if (std::all_of(args.begin(), args.end(), [](const ExprPtr& arg) { return as<Constant>(arg); })) {
    std::vector<Scalar> values;
    for (const ExprPtr& arg : args) values.push_back(as<Constant>(arg)->value);
    return constant(apply(op, type, values));
  }
  switch (op) {
    case Op::mul:
      if (is_constant(args[0], 1)) return args[1];
      if (is_constant(args[1], 1)) return args[0];
      if (is_constant(args[0], -1)) return apply(Op::neg, type, {args[1]});
      if (is_constant(args[1], -1)) return apply(Op::neg, type, {args[0]});
      break;
    case Op::neg:
      if (const auto* inner = as<Apply>(args[0]); inner && inner->op == Op::neg)
        return inner->args[0];
      break;
    case Op::select:
      if (const auto* condition = as<Constant>(args[0]))
        return condition->value.integer ? args[1] : args[2];
      break;
    default:
      break;
  }
  const Type result =
      is_comparison(op) || op == Op::not_ || op == Op::and_ || op == Op::or_ ? Type::boolean : type;
  return make(result, Apply{op, std::move(args)});
}

ExprPtr cast(Type type, ExprPtr value, bool saturating) {
  if (value->type == type) return value;
  if (const auto* node = as<Constant>(value))
    return constant(saturating ? saturate(node->value, type) : convert(node->value, type));
  return make(type, Cast{saturating, std::move(value)});
}

}  // namespace stencilc::ir
