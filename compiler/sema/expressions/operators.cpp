#include "sema/expressions/operators.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "diag/codes.h"
#include "ir/build.h"

namespace stencilc::sema {

using ast::Range;
using ir::Op;
using ir::Type;

namespace {

bool is_bool(const Operand& operand) {
  return operand.kind == Operand::typed && operand.expr->type == Type::boolean;
}

}  // namespace

Operand literal_integer(int64_t value) {
  return {Operand::literal, {true, value, static_cast<double>(value), ir::whole(value)}, nullptr};
}
Operand literal_real(double value, std::optional<ir::Fraction> exact) {
  return {Operand::literal, {false, 0, value, exact}, nullptr};
}
Operand typed(ir::ExprPtr expr) { return {Operand::typed, {}, std::move(expr)}; }

bool is_zero(const Operand& operand) {
  if (operand.kind == Operand::literal) return operand.number.real == 0;
  const auto* constant = ir::as<ir::Constant>(operand.expr);
  return constant && constant->value.real == 0 && constant->value.integer == 0;
}

// The type in which two operands are computed. A literal takes the type of the other operand. A
// literal with a fraction turns an integer into the real type of the stencil: f64 if a field has
// it, otherwise f32.
Type Operators::common_type(const Operand& a, const Operand& b) const {
  if (a.kind == Operand::typed && b.kind == Operand::typed)
    return ir::promote(a.expr->type, b.expr->type);
  const Operand& t = a.kind == Operand::typed ? a : b;
  const Operand& other = a.kind == Operand::typed ? b : a;
  if (t.kind != Operand::typed)
    return a.number.integral && b.number.integral ? Type::i32 : scope_.real;
  const Type type = ir::arithmetic(t.expr->type);
  return other.number.integral || ir::is_float(type) ? type : scope_.real;
}

std::optional<ir::Constant> Operators::adopt(const Literal& literal, Type type, const Range& at) {
  if (type == Type::boolean && literal.integral && (literal.integer == 0 || literal.integer == 1))
    return ir::Constant{{type, 0, literal.integer}, {}};
  if (ir::is_float(type)) {
    const ir::Scalar value = ir::make_real(type, literal.real);
    if (!std::isinf(value.real) || std::isinf(literal.real))
      return ir::Constant{value, literal.exact};
  } else if (literal.integral && type != Type::boolean && literal.integer >= ir::lowest(type) &&
             literal.integer <= ir::highest(type)) {
    return ir::Constant{ir::make_integer(type, literal.integer), {}};
  }
  const std::string text = ir::print(literal.integral ? ir::Scalar{Type::i64, 0, literal.integer}
                                                      : ir::Scalar{Type::f64, literal.real, 0});
  engine_.report(diag::literal_range, at,
                 fmt::format("{} does not fit `{}`", text, ir::name(type)));
  return {};
}

ir::ExprPtr Operators::in_type(const Operand& operand, Type type, const Range& at) {
  if (operand.kind == Operand::failed) return nullptr;
  if (operand.kind == Operand::typed) return ir::cast(type, operand.expr);
  const auto value = adopt(operand.number, type, at);
  return value ? ir::constant(*value) : nullptr;
}

ir::ExprPtr Operators::assign(const Operand& operand, Type type, const Range& at,
                              const std::string& target) {
  if (operand.kind == Operand::failed) return nullptr;
  if (operand.kind == Operand::literal) return in_type(operand, type, at);
  const Type from = operand.expr->type;
  const bool from_float = ir::is_float(from), to_float = ir::is_float(type);
  bool keeps = from == type || (to_float && !from_float) || (from_float && to_float && from < type);
  if (!from_float && !to_float && type != Type::boolean)
    keeps = keeps || from == Type::boolean ||
            (ir::lowest(from) >= ir::lowest(type) && ir::highest(from) <= ir::highest(type));
  if (keeps) return ir::cast(type, operand.expr);
  diag::Diagnostic& d = engine_.report(
      type == Type::boolean ? diag::type_clash : diag::narrowing, at,
      fmt::format("the value is `{}`, but {} is `{}`", ir::name(from), target, ir::name(type)));
  if (type == Type::boolean)
    d.help("compare it: `... != 0`");
  else if (to_float)
    d.help(fmt::format("write `{}(...)` to round it", ir::name(type)));
  else
    d.help(fmt::format("write `sat_{0}(...)` to round and saturate{1}", ir::name(type),
                       from_float
                           ? fmt::format(", or `{}(...)` to truncate", ir::name(type))
                           : fmt::format(", or `{}(...)` to keep the low bits", ir::name(type))));
  return nullptr;
}

Operand Operators::literal_arithmetic(Op op, const Literal& a, const Literal& b, const Range& at) {
  if (a.integral && b.integral) {
    int64_t result = 0;
    switch (op) {
      case Op::add:
        if (!__builtin_add_overflow(a.integer, b.integer, &result)) return literal_integer(result);
        break;
      case Op::sub:
        if (!__builtin_sub_overflow(a.integer, b.integer, &result)) return literal_integer(result);
        break;
      case Op::mul:
        if (!__builtin_mul_overflow(a.integer, b.integer, &result)) return literal_integer(result);
        break;
      case Op::div:  // 6/3 stays an integer, 1/3 is a real number
        if (b.integer == -1) {
          if (!__builtin_sub_overflow(int64_t{0}, a.integer, &result))
            return literal_integer(result);
        } else if (b.integer != 0 && a.integer % b.integer == 0) {
          return literal_integer(a.integer / b.integer);
        }
        break;
      case Op::mod:
        return literal_integer(ir::apply(op, Type::i64,
                                         std::array{ir::Scalar{Type::i64, 0, a.integer},
                                                    ir::Scalar{Type::i64, 0, b.integer}})
                                   .integer);
      default:
        break;
    }
    if (op != Op::div) {
      engine_.report(diag::literal_range, at, "the integer constant overflows 64 bits");
      return fail();
    }
  }
  const auto exact = ir::exactly(op, std::array{a.exact, b.exact});
  switch (op) {
    case Op::add:
      return literal_real(a.real + b.real, exact);
    case Op::sub:
      return literal_real(a.real - b.real, exact);
    case Op::mul:
      return literal_real(a.real * b.real, exact);
    case Op::div:
      return literal_real(a.real / b.real, exact);
    default:
      engine_.report(diag::type_clash, at, "`%` does not take numbers with a fraction");
      return fail();
  }
}

Operand Operators::arithmetic(Op op, const Operand& a, const Operand& b, const Range& at) {
  if (a.kind == Operand::failed || b.kind == Operand::failed) return fail();
  if ((op == Op::div || op == Op::mod) && is_zero(b)) {
    engine_.report(diag::division_by_zero, at, "the divisor is the constant 0");
    return fail();
  }
  if (a.kind == Operand::literal && b.kind == Operand::literal)
    return literal_arithmetic(op, a.number, b.number, at);
  const Type type = common_type(a, b);
  if (op == Op::div && !ir::is_float(type)) {
    engine_.report(diag::integer_division, at, "`/` divides integers here")
        .help("write `idiv(a, b)` for the quotient rounded down, or `f32(a) / b` for a fraction");
    return fail();
  }
  if (op == Op::mod && ir::is_float(type)) {
    engine_
        .report(diag::type_clash, at, fmt::format("`%` does not take `{}` values", ir::name(type)))
        .help("`%` takes integers; for floats write `a - b*floor(a/b)`");
    return fail();
  }
  const ir::ExprPtr left = in_type(a, type, at), right = in_type(b, type, at);
  if (!left || !right) return fail();
  return typed(ir::apply(op, type, {left, right}));
}

Operand Operators::compare(Op op, const Operand& a, const Operand& b, const Range& at) {
  if (a.kind == Operand::failed || b.kind == Operand::failed) return fail();
  if (a.kind == Operand::literal && b.kind == Operand::literal) {
    const Type type = a.number.integral && b.number.integral ? Type::i64 : Type::f64;
    const auto scalar = [&](const Literal& n) { return ir::Scalar{type, n.real, n.integer}; };
    return typed(ir::constant(ir::apply(op, type, std::array{scalar(a.number), scalar(b.number)})));
  }
  const Type type = is_bool(a) && is_bool(b) ? Type::boolean : common_type(a, b);
  const ir::ExprPtr left = in_type(a, type, at), right = in_type(b, type, at);
  if (!left || !right) return fail();
  return typed(ir::apply(op, Type::boolean, {left, right}));
}

Operand Operators::logic(Op op, const std::vector<Operand>& args, const std::vector<Range>& at) {
  std::vector<ir::ExprPtr> values;
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].kind == Operand::failed) return fail();
    if (!is_bool(args[i])) {
      engine_.report(diag::type_clash, at[i], "expected a condition, found a number")
          .help("compare it: `... != 0`");
      return fail();
    }
    values.push_back(args[i].expr);
  }
  return typed(ir::apply(op, Type::boolean, std::move(values)));
}

// The type of one of two values: their common type, or the type of one if the other is a number
// that fits the wanted type.
Type Operators::chosen_type(const Operand& a, const Operand& b, std::optional<Type> want) const {
  const Operand &number = a.kind == Operand::literal ? a : b,
                &other = a.kind == Operand::literal ? b : a;
  if (!want || !ir::is_integer(*want) || number.kind != Operand::literal ||
      other.kind != Operand::typed || other.expr->type != *want)
    return common_type(a, b);
  const Literal& value = number.number;
  const bool fits =
      value.integral && value.integer >= ir::lowest(*want) && value.integer <= ir::highest(*want);
  return fits ? *want : common_type(a, b);
}

// min and max of one narrow type keep that type, since they compute nothing that it cannot hold.
Operand Operators::extremum(Op op, const Operand& a, const Operand& b, const Range& at,
                            std::optional<Type> want) {
  if (a.kind == Operand::failed || b.kind == Operand::failed) return fail();
  if (a.kind == Operand::literal && b.kind == Operand::literal) {
    const bool integral = a.number.integral && b.number.integral;
    const Literal &low = op == Op::min ? b.number : a.number,
                  &high = op == Op::min ? a.number : b.number;
    return (integral ? low.integer < high.integer : low.real < high.real) ? b : a;
  }
  const bool same =
      a.kind == Operand::typed && b.kind == Operand::typed && a.expr->type == b.expr->type;
  const Type type = same && a.expr->type != Type::boolean && !ir::is_half(a.expr->type)
                        ? a.expr->type
                        : chosen_type(a, b, want);
  const ir::ExprPtr left = in_type(a, type, at), right = in_type(b, type, at);
  if (!left || !right) return fail();
  return typed(ir::apply(op, type, {left, right}));
}

Operand Operators::negate(const Operand& operand, const Range& at) {
  if (operand.kind == Operand::failed) return fail();
  if (operand.kind == Operand::literal)
    return operand.number.integral
               ? literal_arithmetic(Op::sub, literal_integer(0).number, operand.number, at)
               : literal_real(-operand.number.real,
                              ir::exactly(Op::neg, std::array{operand.number.exact}));
  const Type type = ir::arithmetic(operand.expr->type);
  return typed(ir::apply(Op::neg, type, {ir::cast(type, operand.expr)}));
}

// u^3 is u*(u*u), u^4 is (u*u)*(u*u): products by the binary digits of the exponent, the lowest
// first; u^-n is 1/u^n.
Operand Operators::power(const Operand& base, const Literal& exponent, const Range& at,
                         const Range& exponent_at) {
  if (base.kind == Operand::failed) return fail();
  if (!exponent.integral || exponent.integer < -64 || exponent.integer > 64) {
    if (base.kind == Operand::literal)
      return literal_real(std::pow(base.number.real, exponent.real), {});
    const Type type = ir::is_float(base.expr->type) ? ir::arithmetic(base.expr->type) : scope_.real;
    const auto value = adopt(exponent, type, exponent_at);
    if (!value) return fail();
    return typed(ir::apply(Op::pow, type, {ir::cast(type, base.expr), ir::constant(*value)}));
  }
  Operand result = literal_integer(1), square = base;
  for (int64_t n = std::abs(exponent.integer); n != 0; n >>= 1) {
    if (n & 1)
      result =
          result.kind == Operand::literal && result.number.integer == 1 && result.number.integral
              ? square
              : arithmetic(Op::mul, result, square, at);
    if (n > 1) square = arithmetic(Op::mul, square, square, at);
  }
  return exponent.integer < 0 ? arithmetic(Op::div, literal_integer(1), result, at) : result;
}

Operand Operators::select(const Operand& condition, const Operand& yes, const Operand& no,
                          const ast::Ternary& at, std::optional<Type> want) {
  if (condition.kind == Operand::failed || yes.kind == Operand::failed ||
      no.kind == Operand::failed)
    return fail();
  if (!is_bool(condition))
    return logic(Op::not_, {condition}, {at.condition->at});  // reports an error
  Type type = Type::boolean;
  if (yes.kind == Operand::typed && no.kind == Operand::typed && yes.expr->type == no.expr->type)
    type = yes.expr->type;
  else if (yes.kind == Operand::literal && no.kind == Operand::literal && want)
    type = ir::is_float(*want) || (yes.number.integral && no.number.integral) ? *want : scope_.real;
  else
    type = chosen_type(yes, no, want);
  const ir::ExprPtr left = in_type(yes, type, at.yes->at), right = in_type(no, type, at.no->at);
  if (!left || !right) return fail();
  return typed(ir::apply(Op::select, type, {condition.expr, left, right}));
}

}  // namespace stencilc::sema
