// Pictures as PNG files hold them. The only place that knows libpng is pixels.cpp.
#pragma once

#include <cstdint>
#include <functional>
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

// A cell of f64 for each of so many pixels takes 2 GiB. A file of some hundred KB may claim
// thousands of times as many as it is large.
inline constexpr int64_t kMaxPixels = int64_t{1} << 28;

// What stands in front of the rows: a picture without samples.
using Heading = Pixels;
// Gets a row, y from 0 on; `samples` are width * channels of it.
using TakeRow = std::function<void(int64_t y, const uint16_t* samples)>;
// Fills one.
using MakeRow = std::function<void(int64_t y, uint16_t* samples)>;

// Reads a file row by row; only of an interlaced one are all rows held. `begin` gets the heading,
// and says what is to become of the rows, or why they are of no use. Palettes, fewer than 8 bits
// and interlacing are expanded; transparency is dropped. Returns what is wrong, or "".
std::string read_png(std::string_view file,
                     const std::function<Result<TakeRow>(const Heading&)>& begin);
Result<Pixels> decode_png(std::string_view file);

// A file of a picture whose rows are made one by one.
Result<std::string> write_png(const Heading& heading, const MakeRow& make);
Result<std::string> encode_png(const Pixels& pixels);

}  // namespace stencilc::data
