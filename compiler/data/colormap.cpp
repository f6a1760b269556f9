#include "data/colormap.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stencilc::data {
namespace {

// The colours of viridis, by Smith and van der Walt, at equal distances.
constexpr std::array<Color, 10> viridis = {{{0x44, 0x01, 0x54},
                                            {0x48, 0x28, 0x78},
                                            {0x3e, 0x49, 0x89},
                                            {0x31, 0x68, 0x8e},
                                            {0x26, 0x82, 0x8e},
                                            {0x1f, 0x9e, 0x89},
                                            {0x35, 0xb7, 0x79},
                                            {0x6e, 0xce, 0x58},
                                            {0xb5, 0xde, 0x2b},
                                            {0xfd, 0xe7, 0x25}}};

uint8_t between(uint8_t a, uint8_t b, double part) {
  return static_cast<uint8_t>(std::lround(a + (b - a) * part));
}

}  // namespace

Color color_at(Palette palette, double part) {
  part = std::clamp(part, 0.0, 1.0);
  if (palette == Palette::gray) {
    const uint8_t gray = between(0, 255, part);
    return {gray, gray, gray};
  }
  const double place = part * (viridis.size() - 1);
  const size_t left = std::min(static_cast<size_t>(place), viridis.size() - 2);
  const Color a = viridis[left], b = viridis[left + 1];
  const double rest = place - static_cast<double>(left);
  return {between(a.red, b.red, rest), between(a.green, b.green, rest),
          between(a.blue, b.blue, rest)};
}

double part_of(ValueRange range, double value) {
  if (!(range.low < range.high)) return 0.5;
  // Halved, because the width of a range of huge numbers may be infinite.
  return std::clamp((value / 2 - range.low / 2) / (range.high / 2 - range.low / 2), 0.0, 1.0);
}

}  // namespace stencilc::data
