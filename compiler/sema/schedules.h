// Blocks of schedules.
#pragma once

#include "ast/ast.h"
#include "sema/scope.h"

namespace stencilc::sema {

// Hands the blocks of a stencil on, word by word: what they mean is for the planner to say.
void take_schedules(const ast::Stencil& source, Scope& scope);

}  // namespace stencilc::sema
