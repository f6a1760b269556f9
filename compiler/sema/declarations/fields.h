// Resolves the fields of a stencil: types, roles, axes, boundaries.
#pragma once

#include "sema/expressions/expressions.h"

namespace stencilc::sema {

void declare_fields(const ast::Fields& fields, const ast::Stencil& source, Scope& scope,
                    diag::Engine& engine);

// Resolves the boundaries of all fields, whose values may use any const or param.
void bound_fields(const ast::Stencil& source, Scope& scope, Expressions& expressions,
                  diag::Engine& engine);

}  // namespace stencilc::sema
