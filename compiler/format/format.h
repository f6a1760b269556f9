// The one form of a .stn text: docs/cli.md describes it. Works on tokens alone, so that it keeps
// every comment and knows every statement that is made of words, signs, `;` and braces.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stencilc::format {

// The text in its form; that form is its own. It has the tokens and comments of the text. Nothing
// where the text is not made of tokens (tokens.h).
std::optional<std::string> formatted(std::string_view text);

}  // namespace stencilc::format
