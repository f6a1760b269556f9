// Passes `schedule` blocks on.
#pragma once

#include "ast/ast.h"
#include "sema/symbols/scope.h"

namespace stencilc::sema {

// Passes the blocks of a stencil on, word by word; the planner interprets them.
void take_schedules(const ast::Stencil& source, Scope& scope);

}  // namespace stencilc::sema
