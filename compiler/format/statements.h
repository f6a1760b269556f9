// Where statements end.
#pragma once

#include <span>

#include "format/tokens.h"

namespace stencilc::format {

// The end of the statement that begins with tokens[begin], in the column `indent`: behind its `;`,
// behind the `{` of a block that gets lines of its own, or before the `}` of the block around it.
// A boundary's sides stand on the line of their statement where they fit and have no comments.
size_t end_of_statement(std::span<const Token> tokens, size_t begin, size_t indent);

}  // namespace stencilc::format
