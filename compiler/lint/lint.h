// Warnings about programs that are right by the rules and likely not what was meant.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ast/ast.h"
#include "diag/diagnostic.h"
#include "ir/ir.h"

namespace stencilc::lint {

// Values that a run gives to params and run-time weights, by name. Params without one are taken at
// their defaults.
struct Given {
  std::map<std::string, ir::Scalar> params;
  std::map<std::string, std::vector<ir::Scalar>> weights;
};

// Judges the stencils, which sema made of the program without errors and whose roundings are not
// fixed yet. The tree says where things stand in the text, the IR what they mean.
void lint(const ast::Program& program, const std::vector<ir::Stencil>& stencils,
          diag::Engine& engine, const Given& given = {});

}  // namespace stencilc::lint
