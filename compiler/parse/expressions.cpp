// before: the operands a b c and the operators - * of `a - b * c`, in the order of the text; after:
// one tree, (a - (b * c)).
//
// Operators wait on a stack until a weaker one follows (precedence climbing with an explicit
// stack). `-x^2` is -(x^2) and `2^-x` is 2^(-x), because a prefix operator is weaker than `^` and
// stronger than everything else.
#include "parse/expressions.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "diag/codes.h"

namespace stencilc::parse {
namespace {

using ast::Binary;

enum Strength {
  weakest,
  or_strength,
  and_strength,
  comparison_strength,
  sum_strength,
  product_strength,
  prefix_strength,
  power_strength
};

struct Spelling {
  std::string_view text;
  Binary::Op op;
};
constexpr std::array<Spelling, 14> spellings = {{{"+", Binary::add},
                                                 {"-", Binary::sub},
                                                 {"*", Binary::mul},
                                                 {"/", Binary::div},
                                                 {"%", Binary::mod},
                                                 {"^", Binary::pow},
                                                 {"<", Binary::lt},
                                                 {"<=", Binary::le},
                                                 {">", Binary::gt},
                                                 {">=", Binary::ge},
                                                 {"==", Binary::eq},
                                                 {"!=", Binary::ne},
                                                 {"&&", Binary::and_},
                                                 {"||", Binary::or_}}};

Strength strength(Binary::Op op) {
  switch (op) {
    case Binary::or_:
      return or_strength;
    case Binary::and_:
      return and_strength;
    case Binary::lt:
    case Binary::le:
    case Binary::gt:
    case Binary::ge:
    case Binary::eq:
    case Binary::ne:
      return comparison_strength;
    case Binary::add:
    case Binary::sub:
      return sum_strength;
    case Binary::mul:
    case Binary::div:
    case Binary::mod:
      return product_strength;
    case Binary::pow:
      return power_strength;
  }
  return weakest;
}

diag::Range span(diag::Range first, diag::Range last) {
  return {first.begin, last.end, first.file};
}

}  // namespace

bool Expressions::descend() {
  if (nesting_ >= max_nesting) return false;
  ++nesting_;
  return true;
}

void Expressions::begin_chain() { operators_.push_back({Operator::chain}); }

void Expressions::end_chain() {
  while (operators_.back().kind != Operator::chain) reduce();
  operators_.pop_back();
}

bool Expressions::prefix(std::string_view spelling, diag::Range at) {
  if (!descend()) return false;
  auto kind = spelling == "-" ? Operator::minus : spelling == "!" ? Operator::not_ : Operator::plus;
  operators_.push_back({kind, Binary::add, at});
  return true;
}

bool Expressions::infix(std::string_view spelling, diag::Range at) {
  auto found = std::ranges::find(spellings, spelling, &Spelling::text);
  Strength incoming = strength(found->op);
  auto stays = [&](const Operator& waiting) {
    if (waiting.kind == Operator::chain) return true;
    if (waiting.kind != Operator::infix) return incoming == power_strength;
    Strength here = strength(waiting.op);
    return here < incoming || (here == incoming && incoming == power_strength);
  };
  while (!stays(operators_.back())) reduce();
  if (incoming == power_strength && !descend()) return false;
  operators_.push_back({Operator::infix, found->op, at});
  return true;
}

void Expressions::reduce() {
  Operator op = operators_.back();
  operators_.pop_back();
  if (op.kind == Operator::infix) return reduce_infix(op);
  --nesting_;
  diag::Range at = span(op.at, operands_.back().at);
  if (op.kind == Operator::plus) {  // +x is x
    operands_.back().at = at;
    operands_.back().kind = Operand::no_comparison;
    return;
  }
  auto kind = op.kind == Operator::minus ? ast::Unary::neg : ast::Unary::not_;
  push(at, ast::Unary{kind, operands_.back().expr}, count() - 1);
}

void Expressions::reduce_infix(const Operator& op) {
  if (op.op == Binary::pow) --nesting_;
  const Operand& left = operands_[count() - 2];
  const Operand& right = operands_[count() - 1];
  auto kind = Operand::no_comparison;
  if (strength(op.op) == comparison_strength) {
    kind = left.kind == Operand::no_comparison ? Operand::comparison : Operand::refused_comparison;
    if (left.kind == Operand::comparison) refuse_chained_comparison(op, left, right);
  }
  uint32_t right_begin = right.at.begin;
  push(span(left.at, right.at), Binary{op.op, left.expr, right.expr}, count() - 2);
  operands_.back().kind = kind;
  operands_.back().right_begin = right_begin;
}

void Expressions::refuse_chained_comparison(const Operator& op, const Operand& left,
                                            const Operand& right) {
  auto text = [&](diag::Range at) {
    return std::string(text_.substr(at.begin, at.end - at.begin));
  };
  std::string middle = text({left.right_begin, left.at.end});
  std::string cured = text(left.at) + " && " + middle + " " + text(op.at) + " " + text(right.at);
  engine_.report(diag::syntax, op.at, "comparisons do not chain")
      .note("the first comparison yields true or false, which is then compared")
      .help("write `" + cured + "`", span(left.at, right.at), cured);
  refused_ = true;
}

bool Expressions::begin_choice() { return descend(); }

void Expressions::end_choice() {
  --nesting_;
  const Operand& condition = operands_[count() - 3];
  const Operand& yes = operands_[count() - 2];
  const Operand& no = operands_[count() - 1];
  push(span(condition.at, no.at), ast::Ternary{condition.expr, yes.expr, no.expr}, count() - 3);
}

bool Expressions::open(char spelling, diag::Range at, ast::Ident before) {
  if (!descend()) return false;
  brackets_.push_back({spelling, at, std::move(before), count(), {}, {}});
  return true;
}

Bracket Expressions::close() {
  Bracket bracket = std::move(brackets_.back());
  brackets_.pop_back();
  --nesting_;
  return bracket;
}

void Expressions::push(diag::Range at, decltype(ast::Expr::node) node, size_t from) {
  uint32_t height = 0;
  for (size_t i = from; i < count(); ++i) height = std::max(height, operands_[i].height);
  if (height >= max_height) too_high_ = true;
  operands_.resize(from);
  ++nodes_;
  operands_.push_back({ast::make(at, std::move(node)), at, height + 1});
}

void Expressions::parenthesise(diag::Range at) {
  operands_.back().at = at;
  operands_.back().kind = Operand::no_comparison;
}

ast::ExprPtr Expressions::pop() {
  ast::ExprPtr expr = std::move(operands_.back().expr);
  operands_.pop_back();
  return expr;
}

std::vector<ast::ExprPtr> Expressions::list(size_t from) const {
  std::vector<ast::ExprPtr> result;
  for (size_t i = from; i < count(); ++i) result.push_back(operands_[i].expr);
  return result;
}

std::vector<ast::ExprPtr> Expressions::take(size_t from) {
  std::vector<ast::ExprPtr> result = list(from);
  operands_.resize(from);
  return result;
}

void Expressions::reset() {
  operands_.clear();
  operators_.clear();
  brackets_.clear();
  nesting_ = 0;
  too_high_ = false;
  refused_ = false;
}

}  // namespace stencilc::parse
