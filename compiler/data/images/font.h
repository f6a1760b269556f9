// The font of pictures: 5 x 7 dots, and two more rows for tails below the line.
#pragma once

#include <array>
#include <cstdint>

namespace stencilc::data {

// Rows from the top; the highest of five bits is the left dot.
using Glyph = std::array<uint8_t, 9>;

// For ASCII; without dots if there is nothing to print.
Glyph glyph_of(char character);

}  // namespace stencilc::data
