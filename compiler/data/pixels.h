// Pictures as PNG files hold them. The only place that knows libpng is pixels.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/result.h"

namespace stencilc::data {

// Rows from the top, samples interleaved. Samples of 8-bit pictures are 0 to 255, of 16-bit
// pictures 0 to 65535.
struct Pixels {
  int64_t width = 0;
  int64_t height = 0;
  int channels = 1;  // 1 gray, 3 RGB
  int depth = 8;     // 8 or 16
  std::vector<uint16_t> samples;
};

// Palettes, fewer than 8 bits and interlacing are expanded; transparency is dropped.
Result<Pixels> decode_png(std::string_view file);

Result<std::string> encode_png(const Pixels& pixels);

}  // namespace stencilc::data
