#include "sema/expressions/lookup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "diag/codes.h"
#include "sema/expressions/differences.h"
#include "sema/symbols/builtins.h"
#include "sema/symbols/names.h"

namespace stencilc::sema {

using ast::ExprPtr;

Symbol* Lookup::find_symbol(const ast::Ident& ident, const char* declared, const Frame& frame) {
  const auto& [name, at] = ident;
  if (scope_.rejected.count(name)) return nullptr;
  const auto found = scope_.symbols.find(name);
  if (found != scope_.symbols.end()) {
    ++found->second.uses;
    return &found->second;
  }
  if (scope_.partial || !statement_.first(diag::unknown_name, name) ||
      report_below(ident, scope_, engine_))
    return nullptr;
  diag::Diagnostic& d =
      engine_.report(diag::unknown_name, at, fmt::format("`{}` is not declared", name));
  std::string close;
  if (engine_.errors() <= kAdvised) {
    std::vector<std::string> known = scope_.names();
    known.insert(known.end(), {"true", "false"});
    close = diag::nearest(name, known);
  }
  if (!close.empty())
    d.help(fmt::format("did you mean `{}`?", close), at, close);
  else if (!frame.function)
    d.help(fmt::format("declare it, for example `{} f32 {};`", declared, name));
  return nullptr;
}

bool Lookup::check_declared(const ast::Ident& ident) {
  const std::string& name = ident.name;
  if (scope_.symbols.count(name)) return true;
  if (scope_.partial || scope_.rejected.count(name) || !statement_.first(diag::unknown_name, name))
    return false;
  if (report_below(ident, scope_, engine_)) return false;
  engine_.report(diag::unknown_name, ident.at, fmt::format("`{}` is not declared", name))
      .help(fmt::format("an offset names an axis, here `{}`, as in `u[{}-1]`",
                        fmt::join(scope_.stencil.axes, "` or `"), scope_.stencil.axes[0]));
  return false;
}

void Lookup::report_unknown_function(const ast::Ident& function) {
  const std::string& name = function.name;
  if (scope_.partial || !statement_.first(diag::unknown_name, name) ||
      report_below(function, scope_, engine_))
    return;
  diag::Diagnostic& d = engine_.report(diag::unknown_name, function.at,
                                       fmt::format("there is no function `{}`", name));
  const std::vector<std::string> differences = difference_names(scope_.stencil.axes);
  if (name.starts_with('d') && name.size() <= 3 &&
      name.find_first_not_of("xyz", 1) == std::string::npos) {  // dz in a stencil without z
    d.note(fmt::format("the differences of this stencil are `{}`", fmt::join(differences, "`, `")));
    return;
  }
  std::vector<std::string> candidates = builtin_functions();
  candidates.insert(candidates.end(), differences.begin(), differences.end());
  if (engine_.errors() <= kAdvised)
    for (const auto& [known, s] : scope_.symbols)
      if (s.kind == Symbol::function) candidates.push_back(known);
  if (const std::string advice = written_instead(name); !advice.empty()) {
    d.help(advice);
    return;
  }
  const std::string elsewhere = known_elsewhere(name);
  const std::string close = elsewhere.empty() ? diag::nearest(name, candidates) : elsewhere;
  if (!close.empty()) d.help(fmt::format("did you mean `{}`?", close), function.at, close);
}

void Lookup::report_unknown_names_in_index(const ExprPtr& expr, const Frame& frame,
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

void Lookup::report_unknown_names(const ExprPtr& expr, const Frame& frame,
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
        difference_axes(name, scope_.stencil.axes).empty())
      report_unknown_function(call->function);
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
