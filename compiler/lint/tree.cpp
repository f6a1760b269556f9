#include "lint/tree.h"

#include <cmath>

namespace stencilc::lint {
namespace {

constexpr int kMaxDepth = 200;

void append(std::vector<ast::ExprPtr>& to, const ast::Where& where) {
  to.insert(to.end(), where.on.begin(), where.on.end());
  if (where.mask) to.push_back(where.mask);
}

struct Expressions {
  std::vector<ast::ExprPtr>& out;
  void operator()(const ast::Let& let) { out.push_back(let.value); }
  void operator()(const ast::Function& function) { out.push_back(function.value); }
  void operator()(const ast::Update& update) {
    out.push_back(update.value);
    append(out, update.where);
  }
  void operator()(const ast::Reduce& reduce) {
    out.push_back(reduce.value);
    append(out, reduce.where);
  }
  void operator()(const ast::Iterate& iterate) {
    if (iterate.until) out.push_back(iterate.until);
  }
  void operator()(const ast::Inject& inject) { out.push_back(inject.update.value); }
  void operator()(const ast::Sample& sample) { out.push_back(sample.update.value); }
  template <class Declaration>
  void operator()(const Declaration&) {}
};

struct Children {
  std::vector<ast::ExprPtr> operator()(const ast::Access& access) { return access.args; }
  std::vector<ast::ExprPtr> operator()(const ast::Unary& unary) { return {unary.operand}; }
  std::vector<ast::ExprPtr> operator()(const ast::Binary& binary) {
    return {binary.left, binary.right};
  }
  std::vector<ast::ExprPtr> operator()(const ast::Ternary& ternary) {
    return {ternary.condition, ternary.yes, ternary.no};
  }
  std::vector<ast::ExprPtr> operator()(const ast::Call& call) { return call.args; }
  std::vector<ast::ExprPtr> operator()(const ast::Window& window) { return {window.body}; }
  template <class Leaf>
  std::vector<ast::ExprPtr> operator()(const Leaf&) {
    return {};
  }
};

std::optional<double> number(const ast::ExprPtr& expr, int depth) {
  if (depth > kMaxDepth) return {};
  if (const auto* literal = as<ast::Number>(expr)) return literal->value;
  if (const auto* unary = as<ast::Unary>(expr); unary && unary->op == ast::Unary::neg) {
    const auto value = number(unary->operand, depth + 1);
    return value ? std::optional(-*value) : std::nullopt;
  }
  const auto* binary = as<ast::Binary>(expr);
  if (!binary) return {};
  const auto left = number(binary->left, depth + 1), right = number(binary->right, depth + 1);
  if (!left || !right) return {};
  switch (binary->op) {
    case ast::Binary::add:
      return *left + *right;
    case ast::Binary::sub:
      return *left - *right;
    case ast::Binary::mul:
      return *left * *right;
    case ast::Binary::div:
      return *left / *right;
    case ast::Binary::pow:
      return std::pow(*left, *right);
    default:
      return {};
  }
}

}  // namespace

std::vector<ast::ExprPtr> expressions_of(const ast::Stencil& stencil) {
  std::vector<ast::ExprPtr> result;
  for (const ast::Item& item : stencil.items) std::visit(Expressions{result}, item.node);
  return result;
}

std::vector<ast::ExprPtr> children(const ast::Expr& expr) {
  return std::visit(Children{}, expr.node);
}

std::vector<ast::ExprPtr> nodes_of(std::vector<ast::ExprPtr> roots) {
  for (size_t i = 0; i < roots.size(); ++i)
    for (ast::ExprPtr& child : children(*roots[i])) roots.push_back(std::move(child));
  return roots;
}

std::optional<double> number(const ast::ExprPtr& expr) { return number(expr, 0); }

ast::Range target_at(const ast::Stencil& stencil, uint32_t source) {
  for (const ast::Item& item : stencil.items)
    if (const auto* update = std::get_if<ast::Update>(&item.node))
      if (update->target_at.begin == source) return update->target_at;
  return stencil.name.at;
}

ast::Range declaration_of(const ast::Stencil& stencil, const std::string& field) {
  for (const ast::Item& item : stencil.items)
    if (const auto* fields = std::get_if<ast::Fields>(&item.node))
      for (const ast::FieldDecl& decl : fields->decls)
        if (decl.name.name == field) return decl.name.at;
  return stencil.name.at;
}

}  // namespace stencilc::lint
