// Loads the files that `use "file.stn";` names.
#pragma once

#include <string>
#include <vector>

#include "ast/ast.h"
#include "diag/diagnostic.h"

namespace stencilc::driver {

// Parses sources[0], and puts the functions and constants of the files that it uses, directly or
// indirectly, before its own. A file is searched for in the folder of the file that names it, then
// in `folders`. Each file is read once, even if files use each other, and added to `sources`.
ast::Program load(diag::Sources& sources, const std::vector<std::string>& folders,
                  diag::Engine& engine);

}  // namespace stencilc::driver
