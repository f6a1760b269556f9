// The words and signs of later versions of the language: recognised, and refused as a whole.
#pragma once

#include <string_view>

namespace stencilc::parse {

// What can be written today instead of `reduce`, `on`, `+=`, `{` (the sides of a boundary) and so
// on.
std::string_view instead_of(std::string_view spelling);

}  // namespace stencilc::parse
