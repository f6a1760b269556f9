// Reports further undeclared names in an expression whose evaluation stopped at the first one.
#include <algorithm>

#include "sema/expressions.h"
#include "sema/types.h"

namespace stencilc::sema {

using ast::ExprPtr;

void Expressions::report_unknown_names_in_index(const ExprPtr& expr, const Frame& frame,
                                                const std::vector<std::string>& bound) {
  if (const auto* binary = std::get_if<ast::Binary>(&expr->node)) {
    report_unknown_names_in_index(binary->left, frame, bound);
    report_unknown_names_in_index(binary->right, frame, bound);
  } else if (const auto* name = std::get_if<ast::Name>(&expr->node);
             name && name->name != "t" && !find_binding(name->name, frame) &&
             std::ranges::find(bound, name->name) == bound.end()) {
    check_declared({name->name, expr->at});
  }
}

void Expressions::report_unknown_names(const ExprPtr& expr, const Frame& frame,
                                       std::vector<std::string> bound) {
  const auto is_bound = [&](const std::string& name) {
    return find_binding(name, frame) || std::ranges::find(bound, name) != bound.end();
  };
  const auto walk = [&](const ExprPtr& part) { report_unknown_names(part, frame, bound); };
  ExprPtr left = expr;  // a chain of operators is walked without recursion
  std::vector<ExprPtr> chain;
  while (const auto* binary = std::get_if<ast::Binary>(&left->node)) {
    chain.push_back(binary->right);
    left = binary->left;
  }
  if (!chain.empty()) {
    walk(left);
    std::for_each(chain.rbegin(), chain.rend(), walk);
    return;
  }
  if (const auto* name = std::get_if<ast::Name>(&expr->node)) {
    if (name->name != "t" && !is_bound(name->name))
      find_symbol({name->name, expr->at}, "param", frame);
  } else if (const auto* access = std::get_if<ast::Access>(&expr->node)) {
    if (!is_bound(access->base.name)) find_symbol(access->base, "field", frame);
    for (const ExprPtr& arg : access->args) report_unknown_names_in_index(arg, frame, bound);
  } else if (const auto* unary = std::get_if<ast::Unary>(&expr->node)) {
    walk(unary->operand);
  } else if (const auto* ternary = std::get_if<ast::Ternary>(&expr->node)) {
    for (const ExprPtr& part : {ternary->condition, ternary->yes, ternary->no}) walk(part);
  } else if (const auto* call = std::get_if<ast::Call>(&expr->node)) {
    const std::string& name = call->function.name;
    if (!scope_.rejected.count(name) && !scope_.symbols.count(name) && !is_builtin_function(name) &&
        difference_axes(name).empty())
      unknown_function(call->function);
    for (const ExprPtr& arg : call->args) walk(arg);
    for (const ast::NamedArg& arg : call->named) walk(arg.value);
  } else if (const auto* window = std::get_if<ast::Window>(&expr->node)) {
    for (const ast::WindowRange& range : window->ranges) {
      walk(range.first);
      walk(range.last);
    }
    for (const ast::WindowRange& range : window->ranges) bound.push_back(range.variable.name);
    report_unknown_names(window->body, frame, bound);
  }
}

}  // namespace stencilc::sema
