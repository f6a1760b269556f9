// Warns of programs that are correct but probably not what was meant.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ast/ast.h"
#include "diag/diagnostic.h"
#include "ir/ir.h"

namespace stencilc::lint {

// Values of params and run-time weights for a run, by name. Other params have their defaults.
struct Given {
  std::map<std::string, ir::Scalar> params;
  std::map<std::string, std::vector<ir::Scalar>> weights;
};

// Checks the stencils that sema made of the program without errors, before their roundings are
// fixed. The syntax tree gives the positions, the IR the meaning.
void lint(const ast::Program& program, const std::vector<ir::Stencil>& stencils,
          diag::Engine& engine, const Given& given = {});

}  // namespace stencilc::lint
