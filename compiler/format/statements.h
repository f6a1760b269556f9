// Where statements end.
#pragma once

#include <span>

#include "format/tokens.h"

namespace stencilc::format {

// What the lines of a block are.
enum class Block { statements, sides, parts };

// The end of the statement, or the side or part, that begins with tokens[begin], in the column
// `indent`: behind its `;`, behind the `,` of a part, behind the `{` of a block that gets lines of
// its own, or before the `}` of the block around it. The sides of a boundary and the parts of a
// schedule stand on the line of their statement where they fit and have no comments.
size_t end_of_statement(std::span<const Token> tokens, size_t begin, size_t indent, Block block);

}  // namespace stencilc::format
