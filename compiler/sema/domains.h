// `on x >= 1, y < ny-1 where mask`: the cells a statement applies to.
#pragma once

#include <optional>

#include "sema/expressions.h"

namespace stencilc::sema {

// Comparisons with places near the rim become limits, all else part of the mask. Nothing after a
// report.
std::optional<ir::Domain> resolve_domain(const ast::Where& where, Scope& scope,
                                         Expressions& expressions, diag::Engine& engine);

}  // namespace stencilc::sema
