#include "data/images/colormap.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace stencilc::data {
namespace {

constexpr Color color_of(uint32_t hex) {
  return {static_cast<uint8_t>(hex >> 16), static_cast<uint8_t>(hex >> 8 & 0xff),
          static_cast<uint8_t>(hex & 0xff)};
}

// Colours at equal distances. Viridis and magma are by Smith and van der Walt, cividis by Nuñez,
// Anderton and Renslow, and rdbu is RdBu by Brewer, reversed.
constexpr uint32_t viridis[] = {0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e,
                                0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725};
constexpr uint32_t gray[] = {0x000000, 0xffffff};
constexpr uint32_t magma[] = {0x000004, 0x180f3d, 0x440f76, 0x721f81, 0x9e2f7f,
                              0xcd4071, 0xf1605d, 0xfd9668, 0xfeca8d, 0xfcfdbf};
constexpr uint32_t cividis[] = {0x00204d, 0x00336f, 0x39486b, 0x575c6d, 0x707173,
                                0x8a8779, 0xa69d75, 0xc4b56c, 0xe4cf5b, 0xffea46};
constexpr uint32_t rdbu[] = {0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7,
                             0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b, 0x67001f};

struct Map {
  const char* name;
  std::span<const uint32_t> colors;
};
constexpr Map maps[] = {{"viridis", viridis},
                        {"gray", gray},
                        {"magma", magma},
                        {"cividis", cividis},
                        {"rdbu", rdbu}};  // in the order of Palette

uint8_t between(uint8_t a, uint8_t b, double part) {
  return static_cast<uint8_t>(std::lround(a + (b - a) * part));
}

}  // namespace

std::optional<Palette> palette_named(const std::string& name) {
  for (size_t i = 0; i < std::size(maps); ++i)
    if (maps[i].name == name) return static_cast<Palette>(i);
  return std::nullopt;
}

std::vector<std::string> palette_names() {
  std::vector<std::string> names;
  for (const Map& map : maps) names.emplace_back(map.name);
  return names;
}

Color color_at(Palette palette, double part) {
  const std::span<const uint32_t> colors = maps[static_cast<size_t>(palette)].colors;
  const double place = std::clamp(part, 0.0, 1.0) * static_cast<double>(colors.size() - 1);
  const size_t left = std::min(static_cast<size_t>(place), colors.size() - 2);
  const Color a = color_of(colors[left]), b = color_of(colors[left + 1]);
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
