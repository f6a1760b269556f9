#include "lower/spatial/loads_once.h"

#include <functional>
#include <memory>
#include <utility>
#include <variant>

#include "kernel/rewrite.h"

namespace stencilc::lower {

using kernel::Body;
using kernel::ExprPtr;

namespace {

using Change = std::function<void(ExprPtr& expr)>;

// All expressions that a statement computes.
void in_statement(kernel::Stmt& stmt, const Change& change) {
  if (auto* let = std::get_if<kernel::Let>(&stmt.node)) change(let->value);
  if (auto* assign = std::get_if<kernel::Assign>(&stmt.node)) change(assign->value);
  if (auto* store = std::get_if<kernel::Store>(&stmt.node)) change(store->value);
  if (auto* combine = std::get_if<kernel::Combine>(&stmt.node)) change(combine->value);
  if (auto* branch = std::get_if<kernel::If>(&stmt.node)) {
    for (kernel::Stmt& one : branch->yes) in_statement(one, change);
    for (kernel::Stmt& one : branch->no) in_statement(one, change);
  }
}

// Calls `with` for the loads from shared memory in an expression, which it may replace.
void in_loads(ExprPtr& expr, const Change& with) {
  if (!expr) return;
  if (const auto* load = kernel::as<kernel::Load>(expr)) {
    if (load->buffer.shared) with(expr);
    return;
  }
  kernel::Expr copy = *expr;
  bool changed = false;
  kernel::replace_children(copy, [&](ExprPtr& child) {
    const ExprPtr before = child;
    in_loads(child, with);
    changed = changed || child != before;
  });
  if (changed) expr = std::make_shared<const kernel::Expr>(std::move(copy));
}

}  // namespace

void load_once(const std::map<std::string, std::string>& wanted, Names& names, Body& body) {
  std::map<std::string, int> uses;
  for (kernel::Stmt& stmt : body)
    in_statement(stmt, [&](ExprPtr& expr) {
      in_loads(expr, [&](ExprPtr& load) { ++uses[kernel::print(load)]; });
    });
  std::map<std::string, ExprPtr> loaded;
  Body result;
  for (kernel::Stmt& stmt : body) {
    in_statement(stmt, [&](ExprPtr& expr) {
      in_loads(expr, [&](ExprPtr& load) {
        const std::string text = kernel::print(load);
        if (uses[text] < 2) return;
        ExprPtr& once = loaded[text];
        if (!once) {
          const auto name = wanted.find(text);
          once = declare(name == wanted.end() ? "loaded" : name->second, load, names, result);
        }
        load = once;
      });
    });
    result.push_back(std::move(stmt));
  }
  body = std::move(result);
}

}  // namespace stencilc::lower
