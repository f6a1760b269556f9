// Prints expressions, for the printer of statements.
#pragma once

#include <string>

#include "ast/ast.h"

namespace stencilc::ast {

// Appends an expression with every operation in parentheses. Does not recurse.
void print(std::string& out, const ExprPtr& expr);

}  // namespace stencilc::ast
