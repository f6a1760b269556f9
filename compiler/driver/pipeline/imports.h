// `use "file.stn";`: the files a program takes functions and constants from.
#pragma once

#include <string>
#include <vector>

#include "ast/ast.h"
#include "diag/diagnostic.h"

namespace stencilc::driver {

// sources[0] parsed, with the functions and constants of what it uses, and what that uses, before
// its own. A file is looked up beside the one that names it, then in `folders`; each is read once,
// however often and in whatever circle it is named, and joins `sources`.
ast::Program load(diag::Sources& sources, const std::vector<std::string>& folders,
                  diag::Engine& engine);

}  // namespace stencilc::driver
