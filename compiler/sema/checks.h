// Checks a stencil as a whole, after all its statements.
#pragma once

#include "sema/symbols/scope.h"

namespace stencilc::sema {

// Checks that every output is assigned and every boundary suits its field.
void check_outputs(const Scope& scope, diag::Engine& engine);

void warn_unused(const Scope& scope, diag::Engine& engine);

}  // namespace stencilc::sema
