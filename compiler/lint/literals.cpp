#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "diag/codes.h"
#include "lint/rules.h"
#include "lint/tree.h"

namespace stencilc::lint {
namespace {

constexpr int kDigits = 9;  // enough to distinguish any two f32

// For the shortest text that reads back as the same f64.
int significant_digits(double value) {
  std::string digits;
  for (const char c : fmt::format("{}", std::abs(value))) {
    if (c == 'e') break;
    if (c != '.') digits += c;
  }
  const size_t first = digits.find_first_not_of('0'), last = digits.find_last_not_of('0');
  return first == digits.npos ? 0 : static_cast<int>(last - first + 1);
}

// Whether f32 holds fewer digits of the literal than are written.
bool is_cut(const ast::Number& literal) {
  if (static_cast<double>(static_cast<float>(literal.value)) == literal.value) return false;
  return literal.integral || significant_digits(literal.value) > kDigits;
}

void report(const ast::Number& literal, const ast::Range& at, diag::Engine& engine) {
  const std::string held = ir::print(ir::make_real(ir::Type::f32, literal.value));
  const std::string written =
      literal.integral ? fmt::format("{}", literal.integer) : fmt::format("{}", literal.value);
  engine
      .report(diag::double_literal, at,
              fmt::format("`{}` has more digits than `f32` holds; its value is {}", written, held))
      .help(fmt::format("write `{}`, or compute in `f64`", held), at, held);
}

// Checks a declaration whose value is a single literal of the declared type.
void judge_declared(const ast::ExprPtr& value, const std::string& type, diag::Engine& engine) {
  if (type != "f32" || !value) return;
  ast::ExprPtr inner = value;
  if (const auto* unary = as<ast::Unary>(inner)) inner = unary->operand;
  const auto* literal = as<ast::Number>(inner);
  if (literal && is_cut(*literal)) report(*literal, inner->at, engine);
}

// The constants of the IR, by type and magnitude.
struct Constants {
  std::set<double> f32, wider;
};
Constants constants_of(const ir::Stencil& stencil) {
  Constants result;
  for (const ir::ExprPtr& node : ir::nodes_of(stencil)) {
    const auto* constant = ir::as<ir::Constant>(node);
    if (!constant) continue;
    const ir::Scalar& value = constant->value;
    if (value.type == ir::Type::f32)
      result.f32.insert(std::abs(value.real));
    else
      result.wider.insert(
          std::abs(ir::is_float(value.type) ? value.real : static_cast<double>(value.integer)));
  }
  return result;
}

}  // namespace

void judge_constant(const ast::Const& constant, diag::Engine& engine) {
  if (constant.divisor) return;
  for (const ast::ExprPtr& value : constant.values)
    judge_declared(value, constant.type.name, engine);
}

void find_double_literals(const Subject& subject, diag::Engine& engine) {
  for (const ast::Item& item : subject.text.items) {
    if (const auto* params = std::get_if<ast::Params>(&item.node))
      for (const ast::ParamDecl& decl : params->decls)
        judge_declared(decl.init, params->type.name, engine);
    if (const auto* constant = std::get_if<ast::Const>(&item.node))
      judge_constant(*constant, engine);
  }
  // The IR shows which type the literals of statements get. A literal that was combined with others
  // first does not appear there.
  const Constants constants = constants_of(subject.stencil);
  for (const ast::ExprPtr& node : nodes_of(expressions_of(subject.text))) {
    const auto* literal = as<ast::Number>(node);
    if (!literal || !is_cut(*literal)) continue;
    const double held = static_cast<float>(literal->value);
    if (constants.f32.count(held) && !constants.wider.count(literal->value))
      report(*literal, node->at, engine);
  }
}

}  // namespace stencilc::lint
