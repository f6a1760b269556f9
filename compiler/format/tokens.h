// The tokens of a .stn text, comments among them: all that a formatter must keep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stencilc::format {

struct Token {
  enum Kind : uint8_t { word, number, string, sign, line_comment, block_comment } kind = sign;
  std::string_view text;  // of a comment: without blanks at its end
  int lines_before = 0;   // line breaks between the token before it and this one
};

inline bool is_comment(const Token& token) { return token.kind >= Token::line_comment; }

// Nothing where the text is not made of tokens: a comment or string without end, a character that
// the language does not have.
std::optional<std::vector<Token>> tokens_of(std::string_view text);

// True where the two tokens, written without a blank between them, would be read as others.
bool run_together(const Token& left, const Token& right);

// Have two texts the same tokens and the same comments? Blanks at either end of a line of a
// comment do not count.
bool same_tokens(std::string_view left, std::string_view right);

}  // namespace stencilc::format
