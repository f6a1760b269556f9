// Syntax tree to stencil IR: every name resolved, every offset a number, every type known.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ast/ast.h"
#include "diag/diagnostic.h"
#include "ir/ir.h"

namespace stencilc::sema {

// -D name=value: the param becomes a constant of its type. Values are numbers as written on the
// command line.
using Defines = std::vector<std::pair<std::string, std::string>>;

// The stencils of the program, in the order of the text; their levels and domains inferred, their
// roundings not fixed yet (ir::canonicalise does that). The functions and constants of the program
// include those of the files it uses. Reports every error it finds, one per statement; no stencil
// when there was an error, in the syntax included.
std::vector<ir::Stencil> analyse(const ast::Program& program, const Defines& defines,
                                 diag::Engine& engine);

}  // namespace stencilc::sema
