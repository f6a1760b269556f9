// Reads and writes pictures as PNG files. Only pixels.cpp uses libpng.
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

// With one f64 cell per pixel, this many take 2 GiB. A small file can claim thousands of times more
// pixels than its size.
inline constexpr int64_t kMaxPixels = int64_t{1} << 28;

// The description of a picture, without samples.
using Heading = Pixels;
// Receives a row, y starting with 0; `samples` are width * channels of it.
using TakeRow = std::function<void(int64_t y, const uint16_t* samples)>;
// Fills a row.
using MakeRow = std::function<void(int64_t y, uint16_t* samples)>;

// Reads a file row by row; all rows are kept in memory only for interlaced files. `begin` gets the
// heading, and sets the function for the rows, or returns why they cannot be used. Palettes, fewer
// than 8 bits and interlacing are expanded; transparency is dropped. Returns what is wrong, or "".
std::string read_png(std::string_view file,
                     const std::function<Result<TakeRow>(const Heading&)>& begin);
Result<Pixels> decode_png(std::string_view file);

// Writes a picture whose rows are made one by one.
Result<std::string> write_png(const Heading& heading, const MakeRow& make);
Result<std::string> encode_png(const Pixels& pixels);

}  // namespace stencilc::data
