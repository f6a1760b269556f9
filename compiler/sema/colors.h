// `color red, black by (x + y) % 2;`: sweeps in place, one colour after the other.
#pragma once

#include "sema/expressions.h"

namespace stencilc::sema {

void analyse_colors(const ast::Item& item, Scope& scope, Expressions& expressions,
                    diag::Engine& engine);

// May the cells of one colour be updated in any order: does none read another cell of its colour,
// beyond the rim included? Periodic sides are judged by the run, which knows the extents.
void check_colors(const Scope& scope, diag::Engine& engine);

}  // namespace stencilc::sema
