#include "ir/build.h"

#include <algorithm>
#include <stdexcept>

namespace stencilc::ir {
namespace {
bool is_constant(const ExprPtr& expr, double value) {
  const auto* node = as<Constant>(expr);
  if (!node) return false;
  return is_float(expr->type) ? node->value.real == value
                              : static_cast<double>(node->value.integer) == value;
}
}  // namespace

ExprPtr constant(Scalar value) { return constant(Constant{value, {}}); }
ExprPtr constant(Constant value) { return make(value.value.type, std::move(value)); }

std::optional<Fraction> written(const Constant& constant) {
  if (is_float(constant.value.type)) return constant.written;
  return whole(constant.value.integer);
}

std::optional<Fraction> exactly(Op op, std::span<const std::optional<Fraction>> args) {
  for (const auto& arg : args)
    if (!arg) return {};
  try {
    switch (op) {
      case Op::neg:
        return Fraction{} - *args[0];
      case Op::add:
        return *args[0] + *args[1];
      case Op::sub:
        return *args[0] - *args[1];
      case Op::mul:
        return *args[0] * *args[1];
      case Op::div:
        if (*args[1] != Fraction{}) return *args[0] / *args[1];
        return {};
      default:
        return {};
    }
  } catch (const std::overflow_error&) {
    return {};
  }
}

ExprPtr constant(Type type, double value) {
  return constant(is_float(type) ? make_real(type, value)
                                 : make_integer(type, static_cast<int64_t>(value)));
}

ExprPtr apply(Op op, Type type, std::vector<ExprPtr> args) {
  if (std::all_of(args.begin(), args.end(), [](const ExprPtr& arg) { return as<Constant>(arg); })) {
    std::vector<Scalar> values;
    for (const ExprPtr& arg : args) values.push_back(as<Constant>(arg)->value);
    const Scalar value = apply(op, type, values);
    if (!is_float(value.type)) return constant(value);
    std::vector<std::optional<Fraction>> numbers;
    for (const ExprPtr& arg : args) numbers.push_back(written(*as<Constant>(arg)));
    return constant(Constant{value, exactly(op, numbers)});
  }
  switch (op) {
    case Op::add:
      if (is_float(type)) break;  // -0 + 0 is 0
      if (is_constant(args[0], 0)) return args[1];
      if (is_constant(args[1], 0)) return args[0];
      break;
    case Op::mul:
      if (is_constant(args[0], 1)) return args[1];
      if (is_constant(args[1], 1)) return args[0];
      if (is_constant(args[0], -1)) return apply(Op::neg, type, {args[1]});
      if (is_constant(args[1], -1)) return apply(Op::neg, type, {args[0]});
      break;
    case Op::idiv:
      if (is_constant(args[1], 1)) return args[0];
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
    return constant(Constant{saturating ? saturate(node->value, type) : convert(node->value, type),
                             is_float(type) ? written(*node) : std::nullopt});
  return make(type, Cast{saturating, std::move(value)});
}

}  // namespace stencilc::ir
