// Resolves `color red, black by (x + y) % 2;`, which updates fields in place, one colour after
// another.
#pragma once

#include "sema/expressions/expressions.h"

namespace stencilc::sema {

void analyse_colors(const ast::Item& item, Scope& scope, Expressions& expressions,
                    diag::Engine& engine);

// Checks that the cells of one colour can be updated in any order: no cell reads another cell of
// its colour, also not through a boundary. Periodic sides are checked at run time, when the extents
// are known.
void check_colors(const Scope& scope, diag::Engine& engine);

}  // namespace stencilc::sema
