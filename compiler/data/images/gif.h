// Writes films as GIF files, picture by picture.
#pragma once

#include <cstdint>
#include <string>

#include "data/images/pixels.h"

namespace stencilc::data {

// The parts of a file, in this order: once, for each picture, once. Pictures are RGB of 8 bits, and
// have at most 65535 pixels along a side.
std::string gif_begin(int64_t width, int64_t height);
// Shown for so many hundredths of a second. Its colours are kept if there are at most 256 of them;
// otherwise those that are alike become one.
std::string gif_frame(const Pixels& pixels, int hundredths);
std::string gif_end();

}  // namespace stencilc::data
