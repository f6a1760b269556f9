// The fields of a stencil: types, roles, axes, boundaries.
#pragma once

#include "sema/expressions.h"

namespace stencilc::sema {

void declare_fields(const ast::Fields& fields, const ast::Stencil& source, Scope& scope,
                    diag::Engine& engine);

// The boundaries of all fields; their values may name any const or param.
void bound_fields(const ast::Stencil& source, Scope& scope, Expressions& expressions,
                  diag::Engine& engine);

}  // namespace stencilc::sema
