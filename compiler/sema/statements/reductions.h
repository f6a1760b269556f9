// Resolves `reduce r = max(e) on x >= 1 where m;` and `iterate until r < tol, check every 50, limit
// 20000;`.
#pragma once

#include "sema/expressions/expressions.h"

namespace stencilc::sema {

void analyse_reduction(const ast::Reduce& reduce, Scope& scope, Expressions& expressions,
                       diag::Engine& engine);

void analyse_iterate(const ast::Item& item, Scope& scope, Expressions& expressions,
                     diag::Engine& engine);

// Checks that updates read only reductions that are known before them, which do not read t+1.
void check_reductions_read(const Scope& scope, diag::Engine& engine);

}  // namespace stencilc::sema
