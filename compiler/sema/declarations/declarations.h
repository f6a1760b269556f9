// Reads the declarations of a stencil: axes, params, consts, fields, lets, functions.
#pragma once

#include "sema/expressions/expressions.h"
#include "sema/symbols/defines.h"

namespace stencilc::sema {

// Fills the scope. Returns false if the axes are so wrong that nothing else can be checked.
bool declare(const ast::Program& program, const ast::Stencil& stencil, const Defines& defines,
             Scope& scope, Expressions& expressions, diag::Engine& engine);

}  // namespace stencilc::sema
