// Splits a .stn text into tokens, comments included.
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
  int lines_before = 0;   // line breaks between the previous token and this one
};

inline bool is_comment(const Token& token) { return token.kind >= Token::line_comment; }

// Nothing if the text does not consist of tokens: a comment or string without an end, or a
// character that the language does not have.
std::optional<std::vector<Token>> tokens_of(std::string_view text);

// Whether the two tokens would be read differently without a blank between them.
bool run_together(const Token& left, const Token& right);

// Whether two texts have the same tokens and the same comments. Blanks at the ends of comment lines
// do not count.
bool same_tokens(std::string_view left, std::string_view right);

}  // namespace stencilc::format
