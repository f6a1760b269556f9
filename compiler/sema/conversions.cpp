// Converts literals to types, and values to the type of what they are assigned to.
#include <fmt/format.h>

#include <cmath>

#include "diag/codes.h"
#include "ir/build.h"
#include "sema/expressions.h"

namespace stencilc::sema {

using ast::Range;
using ir::Type;

// The type in which two operands are computed. A literal takes the type of the other operand. A
// literal with a fraction turns an integer into the real type of the stencil: f64 if a field has
// it, otherwise f32.
Type Expressions::common_type(const Operand& a, const Operand& b) const {
  if (a.kind == Operand::typed && b.kind == Operand::typed)
    return ir::promote(a.expr->type, b.expr->type);
  const Operand& t = a.kind == Operand::typed ? a : b;
  const Operand& other = a.kind == Operand::typed ? b : a;
  if (t.kind != Operand::typed)
    return a.number.integral && b.number.integral ? Type::i32 : scope_.real;
  const Type type = ir::arithmetic(t.expr->type);
  return other.number.integral || ir::is_float(type) ? type : scope_.real;
}

std::optional<ir::Constant> Expressions::adopt(const Literal& literal, Type type, const Range& at) {
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

ir::ExprPtr Expressions::in_type(const Operand& operand, Type type, const Range& at) {
  if (operand.kind == Operand::failed) return nullptr;
  if (operand.kind == Operand::typed) return ir::cast(type, operand.expr);
  const auto value = adopt(operand.number, type, at);
  return value ? ir::constant(*value) : nullptr;
}

ir::ExprPtr Expressions::assign(const Operand& operand, Type type, const Range& at,
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

}  // namespace stencilc::sema
