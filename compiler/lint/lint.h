// Warnings about programs that are right by the rules and likely not what was meant.
#pragma once

#include <vector>

#include "ast/ast.h"
#include "diag/diagnostic.h"
#include "ir/ir.h"

namespace stencilc::lint {

// Judges the stencils, which sema made of the program without errors and whose roundings are not
// fixed yet. The tree says where things stand in the text, the IR what they mean.
void lint(const ast::Program& program, const std::vector<ir::Stencil>& stencils,
          diag::Engine& engine);

}  // namespace stencilc::lint
