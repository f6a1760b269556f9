// What is judged of a stencil as a whole, when all statements are known.
#pragma once

#include "sema/scope.h"

namespace stencilc::sema {

// Is every output assigned, does every boundary suit its field?
void check_outputs(const Scope& scope, diag::Engine& engine);

void warn_unused(const Scope& scope, diag::Engine& engine);

}  // namespace stencilc::sema
