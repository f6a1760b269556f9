// GIF 89a, with colours of its own for each picture.
#include "data/images/gif.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

namespace stencilc::data {
namespace {

constexpr size_t kColours = 256;

void put_16(std::string& to, int64_t value) {
  to += static_cast<char>(value & 0xff);
  to += static_cast<char>(value >> 8 & 0xff);
}

uint32_t colour_at(const Pixels& pixels, size_t pixel) {
  const uint16_t* const from = &pixels.samples[pixel * 3];
  return uint32_t{from[0]} << 16 | uint32_t{from[1]} << 8 | from[2];
}

struct Indexed {
  std::array<uint32_t, kColours> table = {};
  std::vector<uint8_t> indices;
};

// Colours that agree in the upper bits of each channel share an index, which gets their mean; so
// many bits as leave at most 256.
Indexed indexed(const Pixels& pixels) {
  const size_t count = static_cast<size_t>(pixels.width * pixels.height);
  std::unordered_map<uint32_t, uint64_t> colours;  // and how often they occur
  for (size_t p = 0; p < count; ++p) ++colours[colour_at(pixels, p)];
  struct Bin {
    uint64_t red = 0, green = 0, blue = 0, count = 0;
    size_t index = 0;
  };
  std::unordered_map<uint32_t, Bin> bins;
  uint32_t mask = 0;
  for (uint32_t lost = 0; lost < 8; ++lost) {
    mask = 0xffu << lost & 0xff;
    mask |= mask << 8 | mask << 16;
    bins.clear();
    for (const auto& [colour, often] : colours) {
      Bin& bin = bins[colour & mask];
      bin.red += often * (colour >> 16);
      bin.green += often * (colour >> 8 & 0xff);
      bin.blue += often * (colour & 0xff);
      bin.count += often;
      if (bins.size() > kColours) break;
    }
    if (bins.size() <= kColours) break;
  }
  // In the order of the colours, so that the file does not depend on that of a hash table.
  std::vector<uint32_t> keys;
  for (const auto& [key, bin] : bins) keys.push_back(key);
  std::ranges::sort(keys);
  Indexed result;
  for (size_t i = 0; i < keys.size(); ++i) {
    Bin& bin = bins[keys[i]];
    bin.index = i;
    const auto mean = [&](uint64_t sum) {
      return static_cast<uint32_t>((sum + bin.count / 2) / bin.count);
    };
    result.table[i] = mean(bin.red) << 16 | mean(bin.green) << 8 | mean(bin.blue);
  }
  result.indices.resize(count);
  for (size_t p = 0; p < count; ++p)
    result.indices[p] = static_cast<uint8_t>(bins[colour_at(pixels, p) & mask].index);
  return result;
}

// Codes of 9 to 12 bits, the lowest bit first, in blocks of at most 255 bytes.
class Codes {
 public:
  void put(uint32_t code, int bits) {
    word_ |= code << filled_;
    filled_ += bits;
    for (; filled_ >= 8; filled_ -= 8, word_ >>= 8) byte(static_cast<char>(word_ & 0xff));
  }
  std::string finish() {
    if (filled_ > 0) byte(static_cast<char>(word_ & 0xff));
    close_block();
    text_ += '\0';
    return std::move(text_);
  }

 private:
  void byte(char value) {
    block_ += value;
    if (block_.size() == 255) close_block();
  }
  void close_block() {
    if (block_.empty()) return;
    text_ += static_cast<char>(block_.size());
    text_ += block_;
    block_.clear();
  }

  std::string text_, block_;
  uint32_t word_ = 0;
  int filled_ = 0;
};

// LZW: a code for each sequence that the table has; the table starts again when it is full.
std::string compressed(const std::vector<uint8_t>& indices) {
  constexpr uint32_t kClear = kColours, kEnd = kClear + 1, kFirst = kEnd + 1, kMost = 4096;
  Codes codes;
  // By the code of a sequence and the index behind it: the code of both, or 0.
  std::vector<uint16_t> next(size_t{kMost} * kColours, 0);
  uint32_t used = kFirst;
  int bits = 9;
  codes.put(kClear, bits);
  uint32_t sequence = indices.empty() ? kEnd : indices[0];
  for (size_t i = 1; i < indices.size(); ++i) {
    uint16_t& longer = next[size_t{sequence} * kColours + indices[i]];
    if (longer != 0) {
      sequence = longer;
      continue;
    }
    codes.put(sequence, bits);
    if (used < kMost) {
      // The reader has one sequence less.
      if (used == 1u << bits) ++bits;
      longer = static_cast<uint16_t>(used++);
    } else {
      codes.put(kClear, bits);
      std::ranges::fill(next, uint16_t{0});
      used = kFirst;
      bits = 9;
    }
    sequence = indices[i];
  }
  codes.put(sequence, bits);
  if (sequence != kEnd) {
    if (used == 1u << bits && bits < 12) ++bits;
    codes.put(kEnd, bits);
  }
  return codes.finish();
}

}  // namespace

std::string gif_begin(int64_t width, int64_t height) {
  std::string text = "GIF89a";
  put_16(text, width);
  put_16(text, height);
  text += std::string("\x70\0\0", 3);                                // no common table of colours
  text += std::string("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19);  // shown again and again
  return text;
}

std::string gif_frame(const Pixels& pixels, int hundredths) {
  std::string text("\x21\xf9\x04\x04", 4);  // stays until the next picture covers it
  put_16(text, hundredths);
  text += std::string("\0\0", 2);
  text += '\x2c';
  put_16(text, 0);
  put_16(text, 0);
  put_16(text, pixels.width);
  put_16(text, pixels.height);
  text += '\x87';  // a table of 256 colours
  const Indexed indices = indexed(pixels);
  for (const uint32_t colour : indices.table)
    for (const int shift : {16, 8, 0}) text += static_cast<char>(colour >> shift & 0xff);
  text += '\x08';
  return text + compressed(indices.indices);
}

std::string gif_end() { return ";"; }

}  // namespace stencilc::data
