// Formats a .stn text; docs/cli.md describes the rules. It works on tokens only, so it keeps every
// comment and handles every statement made of words, operators, `;` and braces.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stencilc::format {

// The formatted text, with the same tokens and comments. Formatting it again changes nothing.
// Nothing if the text does not consist of tokens (tokens.h).
std::optional<std::string> formatted(std::string_view text);

}  // namespace stencilc::format
