// Parses text into a syntax tree. The grammar is grammar/rules.hpp; this is the only room that
// includes PEGTL.
#pragma once

#include "ast/ast.h"
#include "diag/diagnostic.h"

namespace stencilc::parse {

// Parses sources[file]. Reports every syntax error that it can to `engine`, since it continues
// after a statement with an error. The result holds the statements that were parsed. Depth is
// limited: brackets and similar nest at most 256 deep (STN0901), an expression has at most 10,000
// terms (STN0902).
//
// A program needs a stencil (STN0104); a library, which is a file that another one uses, does not.
enum class FileKind { program, library };
ast::Program parse(const diag::Sources& sources, uint16_t file, diag::Engine& engine,
                   FileKind kind = FileKind::program);

}  // namespace stencilc::parse
