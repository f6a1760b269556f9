// Resolves the boundary of a field: one kind for all sides, or a kind for each side.
#pragma once

#include "sema/expressions/expressions.h"

namespace stencilc::sema {

// Reports unknown kinds, axes and ends; values that are missing, superfluous or not known outside
// the grid; and kinds that do not fit the type of the field.
ir::Boundary resolve_boundary(const ast::Boundary& boundary, const ir::Field& field, Scope& scope,
                              Expressions& expressions, diag::Engine& engine);

}  // namespace stencilc::sema
