// Resolves constants and weights: `const f32 w[-1..1] = {...};`, `weights w[-1..1];`.
#pragma once

#include "sema/expressions/expressions.h"

namespace stencilc::sema {

void declare_const(const ast::Const& decl, Scope& scope, Expressions& expressions,
                   diag::Engine& engine);

// Weights without a type get the real type of the stencil, which finish_weights() sets when all
// fields are known.
void declare_weights(const ast::Weights& weights, Scope& scope, Expressions& expressions,
                     diag::Engine& engine);
void finish_weights(const ast::Stencil& source, Scope& scope, diag::Engine& engine);

}  // namespace stencilc::sema
