// Text to syntax tree. The grammar is grammar/rules.hpp; this is the only room that includes PEGTL.
#pragma once

#include "ast/ast.h"
#include "diag/diagnostic.h"

namespace stencilc::parse {

// Parses sources[file]. Reports every syntax error it can (it resumes after the statement that has
// one) to `engine`; what it returns holds the statements that parsed. Depth is bounded: brackets
// and the like nest at most 256 deep (STN0901), an expression has at most 10,000 terms (STN0902).
//
// A program holds a stencil (STN0104); a library is a file that another one uses, and needs none.
enum class FileKind { program, library };
ast::Program parse(const diag::Sources& sources, uint16_t file, diag::Engine& engine,
                   FileKind kind = FileKind::program);

}  // namespace stencilc::parse
