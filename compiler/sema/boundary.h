// The boundary of a field declaration: `boundary constant 1.5`.
#pragma once

#include "sema/expressions.h"

namespace stencilc::sema {

// `type` is the field's: the value of a constant boundary is in it. Reports unknown kinds and
// missing or superfluous values.
ir::Boundary resolve_boundary(const ast::Boundary& boundary, ir::Type type,
                              Expressions& expressions, diag::Engine& engine);

}  // namespace stencilc::sema
