#include "sema/expressions/expressions.h"

#include <fmt/format.h>

#include "diag/codes.h"
#include "ir/build.h"

namespace stencilc::sema {

using ast::ExprPtr;
using ast::Range;
using ir::Op;
using ir::Type;

namespace {
constexpr int kMaxDepth = 2'000;  // of lets and functions that use each other, during evaluation

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

}  // namespace

Operand Expressions::evaluate(const ExprPtr& expr, const Frame& frame, std::optional<Type> want) {
  if (!statement_.check_work(expr->at)) return fail();
  if (depth_ >= kMaxDepth) {
    engine_.report(diag::nesting_limit, expr->at,
                   fmt::format("`let`s and functions nest deeper than {} levels", kMaxDepth));
    return fail();
  }
  ++depth_;
  Operand result =
      std::visit([&](const auto& n) { return node(n, *expr, frame, want); }, expr->node);
  --depth_;
  if (result.kind == Operand::failed && depth_ == 0) lookup_.report_unknown_names(expr, frame);
  return statement_.check_size(result, expr->at) && statement_.check_height(result, expr->at)
             ? result
             : fail();
}

Operand Expressions::node(const ast::Number& number, const ast::Expr&, const Frame&,
                          std::optional<Type>) {
  return number.integral ? literal_integer(number.integer)
                         : literal_real(number.value, ir::as_decimal(number.value));
}

Operand Expressions::node(const ast::Bool& value, const ast::Expr&, const Frame&,
                          std::optional<Type>) {
  return typed(ir::constant(ir::Scalar{Type::boolean, 0, value.value}));
}

Operand Expressions::node(const ast::Name& name, const ast::Expr& expr, const Frame& frame,
                          std::optional<Type>) {
  return reads_.name(name, expr.at, frame);
}

Operand Expressions::node(const ast::Access& access, const ast::Expr& expr, const Frame& frame,
                          std::optional<Type>) {
  return reads_.access(access, expr.at, frame);
}

Operand Expressions::node(const ast::Call& call, const ast::Expr& expr, const Frame& frame,
                          std::optional<Type> want) {
  return calls_.evaluate(call, expr.at, frame, want);
}

Operand Expressions::node(const ast::Unary& unary, const ast::Expr& expr, const Frame& frame,
                          std::optional<Type> want) {
  const Operand operand = evaluate(unary.operand, frame, want);
  if (operand.kind == Operand::failed) return fail();
  if (unary.op == ast::Unary::not_)
    return operators_.logic(Op::not_, {operand}, {unary.operand->at});
  return operators_.negate(operand, expr.at);
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
      left = operators_.logic(op, {left, right}, {step.left->at, step.right->at});
    else if (ir::is_comparison(op))
      left = operators_.compare(op, left, right, ranges[i]);
    else
      left = operators_.arithmetic(op, left, right, ranges[i]);
    if (left.kind == Operand::failed) return fail();
    if (!statement_.check_size(left, expr.at) || !statement_.check_height(left, expr.at))
      return fail();
  }
  return left;
}

Operand Expressions::power(const Operand& base, const ast::ExprPtr& exponent, const Range& at,
                           const Frame& frame) {
  if (base.kind == Operand::failed) return fail();
  const auto number = constant_number(exponent, frame, "an exponent");
  return number ? operators_.power(base, *number, at, exponent->at) : fail();
}

Operand Expressions::node(const ast::Ternary& ternary, const ast::Expr&, const Frame& frame,
                          std::optional<Type> want) {
  const Operand condition = evaluate(ternary.condition, frame);
  const auto* constant =
      condition.kind == Operand::typed ? ir::as<ir::Constant>(condition.expr) : nullptr;
  // Errors that depend on numbers are none in a branch that is never taken.
  const auto branch = [&](const ExprPtr& of, bool taken, bool& drops) {
    const diag::Engine::Silence silence(
        engine_,
        taken ? engine_.silent() : std::vector{diag::division_by_zero, diag::weight_index});
    const int before = engine_.silenced();
    Operand value = evaluate(of, frame, want);
    drops = !taken && value.kind == Operand::failed && engine_.silenced() != before;
    return value;
  };
  bool drops_yes = false, drops_no = false;
  const bool is_true = constant && constant->value.integer != 0;
  const Operand yes = branch(ternary.yes, !constant || is_true, drops_yes);
  const Operand no = branch(ternary.no, !constant || !is_true, drops_no);
  if (drops_yes) return no;
  if (drops_no) return yes;
  return operators_.select(condition, yes, no, ternary, want);
}

Operand Expressions::node(const ast::Window& window, const ast::Expr& expr, const Frame& frame,
                          std::optional<Type> want) {
  std::vector<std::pair<int64_t, int64_t>> bounds;
  for (const ast::WindowRange& range : window.ranges) {
    const auto first = constant_integer(range.first, frame, "a window bound");
    const auto last = first ? constant_integer(range.last, frame, "a window bound") : first;
    if (!last) return fail();
    if (*last < *first) {
      engine_.report(diag::wrong_arity, range.first->at,
                     fmt::format("the window {}..{} is empty", *first, *last));
      return fail();
    }
    bounds.emplace_back(*first, *last);
  }
  constexpr Op kOps[] = {Op::add, Op::mul, Op::min, Op::max};
  const Op op = kOps[window.kind];
  Frame inner;
  inner.outer = &frame;
  inner.caller = frame.caller;
  inner.shift = frame.shift;
  inner.depth = frame.depth;
  inner.function = frame.function;
  for (size_t i = 0; i < bounds.size(); ++i)
    inner.bindings.push_back(
        {window.ranges[i].variable.name, true, bounds[i].first, nullptr, nullptr});
  Operand result;
  for (bool first = true;; first = false) {
    const Operand value = evaluate(window.body, inner, want);
    if (value.kind == Operand::failed) return fail();
    if (first)
      result = value;
    else
      result = op == Op::min || op == Op::max
                   ? operators_.extremum(op, result, value, expr.at, want)
                   : operators_.arithmetic(op, result, value, expr.at);
    if (result.kind == Operand::failed || !statement_.check_height(result, expr.at)) return fail();
    size_t i = bounds.size();  // the last variable changes fastest
    while (i > 0 && inner.bindings[i - 1].number == bounds[i - 1].second) {
      inner.bindings[i - 1].number = bounds[i - 1].first;
      --i;
    }
    if (i == 0) return result;
    ++inner.bindings[i - 1].number;
  }
}

ir::ExprPtr Expressions::condition(const ast::ExprPtr& expr) {
  const Operand operand = evaluate(expr, {});
  const Operand checked = operators_.logic(Op::not_, {operand}, {expr->at});
  return checked.kind == Operand::typed ? operand.expr : nullptr;
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
