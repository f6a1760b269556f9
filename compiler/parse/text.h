// Handles the text of a file below the grammar: whether it is text, the token at a position, the
// end of a statement.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "diag/diagnostic.h"

namespace stencilc::parse {

inline constexpr size_t max_file_size = size_t{64} << 20;

// Reports what needs no grammar: binary data, comments without an end, characters that the language
// does not have, a file without a statement. Returns false if parsing makes no sense.
bool check_text(const diag::Source& source, uint16_t file, diag::Engine& engine);

// Whether check_text has refused the byte (outside of comments).
bool is_foreign(unsigned char byte);

// The token at `offset`, where there is neither a blank nor a comment. Empty at the end of the
// text.
std::string_view token_at(std::string_view text, size_t offset);

// The position after the blanks and comments at `i`.
size_t skip_blanks(std::string_view text, size_t i);

bool is_word(std::string_view token);  // letters, digits and `_`, not starting with a digit

// Where to continue after a statement with an error at `from`, where `open_braces` of its own
// braces are open: the start of the next statement, or the `}` that closes the stencil. In a
// `block`, such as the sides of a boundary, a `;` does not end the statement.
uint32_t skip_statement(std::string_view text, uint32_t from, int open_braces, bool block = false);

// The same outside of stencils: after the next closed block, or before the next `stencil`.
uint32_t skip_block(std::string_view text, uint32_t from);

// The position after the parenthesis that closes the one at `from`.
uint32_t skip_parentheses(std::string_view text, uint32_t from);

}  // namespace stencilc::parse
