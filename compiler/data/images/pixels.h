// Reads and writes pictures as PNG files. Only pixels.cpp uses libpng.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/values/result.h"

namespace stencilc::data {

// Rows from the top, samples interleaved. Samples of 8-bit pictures are 0 to 255, of 16-bit
// pictures 0 to 65535.
struct Pixels {
  int64_t width = 0;
  int64_t height = 0;
  int channels = 1;  // 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha
  int depth = 8;     // 8 or 16
  std::vector<uint16_t> samples;

  bool has_colours() const { return channels >= 3; }
  bool has_alpha() const { return channels % 2 == 0; }
};

// With one f64 cell per pixel, this many take 2 GiB. A small file can claim thousands of times more
// pixels than its size.
inline constexpr int64_t kMaxPixels = int64_t{1} << 28;

// The description of a picture, without samples.
using Heading = Pixels;
// Fills a row.
using MakeRow = std::function<void(int64_t y, uint16_t* samples)>;

// Reads a file. Palettes, fewer than 8 bits, transparent colours and interlacing are expanded.
Result<Pixels> decode_png(std::string_view file);

// Writes a picture whose rows are made one by one.
Result<std::string> write_png(const Heading& heading, const MakeRow& make);
Result<std::string> encode_png(const Pixels& pixels);

}  // namespace stencilc::data
