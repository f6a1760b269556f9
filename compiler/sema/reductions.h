// `reduce r = max(e) on x >= 1 where m;` and `iterate until r < tol, check every 50, limit 20000;`.
#pragma once

#include "sema/expressions.h"

namespace stencilc::sema {

void analyse_reduction(const ast::Reduce& reduce, Scope& scope, Expressions& expressions,
                       diag::Engine& engine);

void analyse_iterate(const ast::Item& item, Scope& scope, Expressions& expressions,
                     diag::Engine& engine);

// Updates may name a reduction that is known before them: one that does not read t+1.
void check_reductions_read(const Scope& scope, diag::Engine& engine);

}  // namespace stencilc::sema
