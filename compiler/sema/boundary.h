// The boundary of a field: one kind for all sides, or a kind for each.
#pragma once

#include "sema/expressions.h"

namespace stencilc::sema {

// Reports what there is no such kind, axis or end of; values that are missing, superfluous or not
// known beyond the rim; and kinds that the type of the field does not have.
ir::Boundary resolve_boundary(const ast::Boundary& boundary, const ir::Field& field, Scope& scope,
                              Expressions& expressions, diag::Engine& engine);

}  // namespace stencilc::sema
