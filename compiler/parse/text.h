// The text of a file below the grammar: is it text at all, which token stands at a place, where
// does a statement end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "diag/diagnostic.h"

namespace stencilc::parse {

inline constexpr size_t max_file_size = size_t{64} << 20;

// Reports what no grammar needs to look at: binary data, comments without end, characters the
// language does not have, a file without any statement. False: there is no sense in parsing it.
bool check_text(const diag::Source& source, uint16_t file, diag::Engine& engine);

// True for a byte that check_text has refused (outside of comments).
bool is_foreign(unsigned char byte);

// The token at `offset`, where neither a blank nor a comment stands. Empty at the end of the text.
std::string_view token_at(std::string_view text, size_t offset);

// Behind the blanks and comments at `i`.
size_t skip_blanks(std::string_view text, size_t i);

bool is_word(std::string_view token);  // of letters, digits and `_`, not beginning with a digit

// Where to go on behind a statement that has an error at `from`, `open_braces` of its own braces
// being open there: the beginning of the next one, or the `}` that closes the stencil. In a
// `block`, such as the sides of a boundary, a `;` does not end the statement.
uint32_t skip_statement(std::string_view text, uint32_t from, int open_braces, bool block = false);

// The same at file scope: behind the next closed block, or before the next `stencil`.
uint32_t skip_block(std::string_view text, uint32_t from);

// Behind the parenthesis that closes the one at `from`.
uint32_t skip_parentheses(std::string_view text, uint32_t from);

}  // namespace stencilc::parse
