// Finds the ends of statements.
#pragma once

#include <span>

#include "format/tokens.h"

namespace stencilc::format {

// What the lines of a block are.
enum class Block { statements, sides, parts };

// The end of the statement, side or part that starts with tokens[begin] in the column `indent`:
// after its `;`, after the `,` of a part, after the `{` of a block with lines of its own, or before
// the `}` of the enclosing block. The sides of a boundary and the parts of a schedule are on the
// line of their statement if they fit and have no comments.
size_t end_of_statement(std::span<const Token> tokens, size_t begin, size_t indent, Block block);

}  // namespace stencilc::format
