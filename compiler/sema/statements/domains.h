// Resolves `on x >= 1, y < ny-1 where mask`: the cells to which a statement applies.
#pragma once

#include <optional>

#include "sema/expressions/expressions.h"

namespace stencilc::sema {

// Comparisons with a position near the boundary become limits, all others part of the mask. Nothing
// after an error.
std::optional<ir::Domain> resolve_domain(const ast::Where& where, Scope& scope,
                                         Expressions& expressions, diag::Engine& engine);

}  // namespace stencilc::sema
