// The boundary of a field declaration: `boundary constant 1.5`.
#pragma once

#include "sema/expressions.h"

namespace stencilc::sema {

// The boundary as the field has it: values are in its compute type. Reports unknown kinds and
// missing or superfluous values.
ir::Boundary resolve_boundary(const ast::Boundary& boundary, const ir::Field& field, Scope& scope,
                              Expressions& expressions, diag::Engine& engine);

}  // namespace stencilc::sema
