// Searches the syntax tree.
#pragma once

#include <optional>
#include <vector>

#include "ast/ast.h"

namespace stencilc::lint {

// All expressions of the statements and lets: values, conditions and masks.
std::vector<ast::ExprPtr> expressions_of(const ast::Stencil& stencil);

std::vector<ast::ExprPtr> children(const ast::Expr& expr);
// The expressions and everything inside them, at any depth.
std::vector<ast::ExprPtr> nodes_of(std::vector<ast::ExprPtr> roots);

// The value of an expression of numbers only, such as -1/12.
std::optional<double> number(const ast::ExprPtr& expr);

template <class Node>
const Node* as(const ast::ExprPtr& expr) {
  return expr ? std::get_if<Node>(&expr->node) : nullptr;
}

// The left side of the update that starts at this byte of the file.
ast::Range target_at(const ast::Stencil& stencil, uint32_t source);
// The position of the declaration of the field.
ast::Range declaration_of(const ast::Stencil& stencil, const std::string& field);

}  // namespace stencilc::lint
