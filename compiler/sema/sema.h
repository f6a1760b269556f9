// Turns the syntax tree into stencil IR: every name resolved, every offset a number, every type
// known.
#pragma once

#include <vector>

#include "ast/ast.h"
#include "diag/diagnostic.h"
#include "ir/ir.h"
#include "sema/symbols/defines.h"

namespace stencilc::sema {

// The stencils of the program, in the order of the file. Their levels and domains are inferred;
// their roundings are fixed later, by ir::canonicalise. The functions and constants of the program
// include those of the files that it uses. Reports every error that it finds, one per statement.
// Empty if there was an error, including syntax errors.
std::vector<ir::Stencil> analyse(const ast::Program& program, const Defines& defines,
                                 diag::Engine& engine);

}  // namespace stencilc::sema
