// Evaluates operators: the types of their operands, and the arithmetic of literals.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "diag/codes.h"
#include "ir/build.h"
#include "sema/expressions.h"

namespace stencilc::sema {

using ast::Range;
using ir::Op;
using ir::Type;

namespace {

struct OperatorRow {
  ast::Binary::Op op;
  Op ir;
  const char* text;
};
constexpr OperatorRow kOperators[] = {
    {ast::Binary::add, Op::add, "+"},  {ast::Binary::sub, Op::sub, "-"},
    {ast::Binary::mul, Op::mul, "*"},  {ast::Binary::div, Op::div, "/"},
    {ast::Binary::mod, Op::mod, "%"},  {ast::Binary::lt, Op::lt, "<"},
    {ast::Binary::le, Op::le, "<="},   {ast::Binary::gt, Op::gt, ">"},
    {ast::Binary::ge, Op::ge, ">="},   {ast::Binary::eq, Op::eq, "=="},
    {ast::Binary::ne, Op::ne, "!="},   {ast::Binary::and_, Op::and_, "&&"},
    {ast::Binary::or_, Op::or_, "||"},
};
Op ir_op(ast::Binary::Op op) {
  for (const OperatorRow& row : kOperators)
    if (row.op == op) return row.ir;
  return Op::pow;
}

bool is_bool(const Operand& operand) {
  return operand.kind == Operand::typed && operand.expr->type == Type::boolean;
}

}  // namespace

bool is_zero(const Operand& operand) {
  if (operand.kind == Operand::literal) return operand.number.real == 0;
  const auto* constant = ir::as<ir::Constant>(operand.expr);
  return constant && constant->value.real == 0 && constant->value.integer == 0;
}

Operand Expressions::literal_arithmetic(Op op, const Literal& a, const Literal& b,
                                        const Range& at) {
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

Operand Expressions::arithmetic(Op op, const Operand& a, const Operand& b, const Range& at) {
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

Operand Expressions::compare(Op op, const Operand& a, const Operand& b, const Range& at) {
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

Operand Expressions::logic(Op op, const std::vector<Operand>& args, const std::vector<Range>& at) {
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

ir::ExprPtr Expressions::condition(const ast::ExprPtr& expr) {
  const Operand operand = evaluate(expr, {});
  const Operand checked = logic(Op::not_, {operand}, {expr->at});
  return checked.kind == Operand::typed ? operand.expr : nullptr;
}

// The type of one of two values: their common type, or the type of one if the other is a number
// that fits the wanted type.
Type Expressions::chosen_type(const Operand& a, const Operand& b, std::optional<Type> want) const {
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
Operand Expressions::extremum(Op op, const Operand& a, const Operand& b, const Range& at,
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

Operand Expressions::node(const ast::Unary& unary, const ast::Expr& expr, const Frame& frame,
                          std::optional<Type> want) {
  const Operand operand = evaluate(unary.operand, frame, want);
  if (operand.kind == Operand::failed) return fail();
  if (unary.op == ast::Unary::not_) return logic(Op::not_, {operand}, {unary.operand->at});
  if (operand.kind == Operand::literal)
    return operand.number.integral
               ? literal_arithmetic(Op::sub, literal_integer(0).number, operand.number, expr.at)
               : literal_real(-operand.number.real,
                              ir::exactly(Op::neg, std::array{operand.number.exact}));
  const Type type = ir::arithmetic(operand.expr->type);
  return typed(ir::apply(Op::neg, type, {ir::cast(type, operand.expr)}));
}

Operand Expressions::node(const ast::Binary& binary, const ast::Expr& expr, const Frame& frame,
                          std::optional<Type> want) {
  // A chain a + b + c + ... can have thousands of terms, and is walked without recursion.
  std::vector<const ast::Binary*> chain = {&binary};
  std::vector<Range> ranges = {expr.at};
  while (const auto* next = std::get_if<ast::Binary>(&chain.back()->left->node)) {
    ranges.push_back(chain.back()->left->at);
    chain.push_back(next);
  }
  Operand left = evaluate(chain.back()->left, frame, want);
  for (size_t i = chain.size(); i-- > 0;) {
    const ast::Binary& step = *chain[i];
    if (step.op == ast::Binary::pow) {
      left = power(left, step.right, ranges[i], frame);
      continue;
    }
    const Operand right = evaluate(step.right, frame, want);
    const Op op = ir_op(step.op);
    if (op == Op::and_ || op == Op::or_)
      left = logic(op, {left, right}, {step.left->at, step.right->at});
    else if (ir::is_comparison(op))
      left = compare(op, left, right, ranges[i]);
    else
      left = arithmetic(op, left, right, ranges[i]);
    if (left.kind == Operand::failed) return fail();
    if (!check_size(left, expr.at) || !check_height(left, expr.at)) return fail();
  }
  return left;
}

// u^3 is u*(u*u), u^4 is (u*u)*(u*u): products by the binary digits of the exponent, the lowest
// first; u^-n is 1/u^n.
Operand Expressions::power(const Operand& base, const ast::ExprPtr& exponent, const Range& at,
                           const Frame& frame) {
  if (base.kind == Operand::failed) return fail();
  const auto number = constant_number(exponent, frame, "an exponent");
  if (!number) return fail();
  if (!number->integral || number->integer < -64 || number->integer > 64) {
    if (base.kind == Operand::literal)
      return literal_real(std::pow(base.number.real, number->real), {});
    const Type type = ir::is_float(base.expr->type) ? ir::arithmetic(base.expr->type) : scope_.real;
    const auto value = adopt(*number, type, exponent->at);
    if (!value) return fail();
    return typed(ir::apply(Op::pow, type, {ir::cast(type, base.expr), ir::constant(*value)}));
  }
  Operand result = literal_integer(1), square = base;
  for (int64_t n = std::abs(number->integer); n != 0; n >>= 1) {
    if (n & 1)
      result =
          result.kind == Operand::literal && result.number.integer == 1 && result.number.integral
              ? square
              : arithmetic(Op::mul, result, square, at);
    if (n > 1) square = arithmetic(Op::mul, square, square, at);
  }
  return number->integer < 0 ? arithmetic(Op::div, literal_integer(1), result, at) : result;
}

Operand Expressions::node(const ast::Ternary& ternary, const ast::Expr&, const Frame& frame,
                          std::optional<Type> want) {
  const Operand condition = evaluate(ternary.condition, frame);
  Operand yes = evaluate(ternary.yes, frame, want), no = evaluate(ternary.no, frame, want);
  if (condition.kind == Operand::failed || yes.kind == Operand::failed ||
      no.kind == Operand::failed)
    return fail();
  if (!is_bool(condition))
    return logic(Op::not_, {condition}, {ternary.condition->at});  // reports an error
  Type type = Type::boolean;
  if (yes.kind == Operand::typed && no.kind == Operand::typed && yes.expr->type == no.expr->type)
    type = yes.expr->type;
  else if (yes.kind == Operand::literal && no.kind == Operand::literal && want)
    type = ir::is_float(*want) || (yes.number.integral && no.number.integral) ? *want : scope_.real;
  else
    type = chosen_type(yes, no, want);
  const ir::ExprPtr left = in_type(yes, type, ternary.yes->at),
                    right = in_type(no, type, ternary.no->at);
  if (!left || !right) return fail();
  return typed(ir::apply(Op::select, type, {condition.expr, left, right}));
}

std::optional<Literal> Expressions::constant_number(const ast::ExprPtr& expr, const Frame& frame,
                                                    const std::string& what) {
  const Operand operand = evaluate(expr, frame);
  if (operand.kind == Operand::failed) return {};
  if (operand.kind == Operand::literal) return operand.number;
  if (const auto* constant = ir::as<ir::Constant>(operand.expr)) {
    const ir::Scalar& value = constant->value;
    if (ir::is_float(value.type)) return Literal{false, 0, value.real, constant->written};
    return literal_integer(value.integer).number;
  }
  const bool is_offset = what == "an offset";
  engine_
      .report(is_offset ? diag::offset_not_constant : diag::not_constant, expr->at,
              fmt::format("{} must be known when the stencil is compiled", what))
      .help(
          "use a number, a `const`, or a window variable; `-D name=value` turns a param into a "
          "constant");
  return {};
}

std::optional<int64_t> Expressions::constant_integer(const ast::ExprPtr& expr, const Frame& frame,
                                                     const std::string& what) {
  const auto number = constant_number(expr, frame, what);
  if (!number) return {};
  if (number->integral) return number->integer;
  engine_.report(what == "an offset" ? diag::offset_not_constant : diag::not_constant, expr->at,
                 fmt::format("{} must be a whole number", what));
  return {};
}

}  // namespace stencilc::sema
