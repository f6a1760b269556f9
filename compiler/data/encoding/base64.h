// Bytes as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stencilc::data {

// Decodes whole groups of four characters, of which the last may end in `=`; nothing if other
// characters are among them.
std::optional<std::string> from_base64(std::string_view text);
std::string to_base64(std::string_view bytes);

}  // namespace stencilc::data
