#include "data/images/png.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <type_traits>

namespace stencilc::data {
namespace {

uint16_t sample_of(const Pixels& picture, const uint16_t* pixel, Channel channel) {
  if (channel == Channel::alpha) {
    const auto opaque = static_cast<uint16_t>(picture.depth == 8 ? 255 : 65535);
    return picture.has_alpha() ? pixel[picture.channels - 1] : opaque;
  }
  if (!picture.has_colours()) return pixel[0];
  if (channel != Channel::brightness)
    return pixel[static_cast<int>(channel) - static_cast<int>(Channel::red)];
  const uint32_t red = pixel[0], green = pixel[1], blue = pixel[2];
  return static_cast<uint16_t>((2126 * red + 7152 * green + 722 * blue + 5000) / 10000);
}

// A sample of 8 or 16 bits as a cell of T.
template <typename T>
T cell_of(uint16_t value, int depth) {
  // 257 = 65535 / 255: 8-bit values keep their relative value in 16 bits, and converting back
  // rounds.
  if constexpr (is_real_type<T>)
    return static_cast<T>(value / (depth == 8 ? 255.0 : 65535.0));
  else if constexpr (std::is_same_v<T, bool>)
    return value != 0;
  else if constexpr (std::is_same_v<T, uint8_t>)
    return static_cast<T>(depth == 8 ? value : (value + 128) / 257);
  else
    return static_cast<T>(depth == 8 ? value * 257 : value);
}

// A cell as a sample of 8 or 16 bits.
template <typename T>
uint16_t sample_from(T value, int depth) {
  const int most = depth == 8 ? 255 : 65535;
  if constexpr (is_real_type<T>) {
    const double scaled = std::nearbyint(static_cast<double>(value) * most);
    return scaled > 0 ? static_cast<uint16_t>(std::min<double>(scaled, most)) : 0;  // NaN: 0
  } else if constexpr (std::is_same_v<T, bool>) {
    return static_cast<uint16_t>(value ? most : 0);
  } else if constexpr (std::is_same_v<T, uint16_t>) {
    return value;
  } else {
    const int64_t clamped = std::clamp<int64_t>(value, 0, 255);
    return static_cast<uint16_t>(depth == 8 ? clamped : clamped * 257);
  }
}

}  // namespace

std::string_view name_of(Channel channel) {
  constexpr std::string_view names[] = {"brightness", "red", "green", "blue", "alpha"};
  return names[static_cast<int>(channel)];
}

Result<Array> channel_of(const Pixels& picture, Channel channel, Element wanted) {
  if (wanted != Element::u8 && wanted != Element::u16 && !is_real(wanted))
    return Error{fmt::format("an image cannot be read as `{}`; use a field of u8, u16 or a float",
                             name_of(wanted))};
  Result<Array> array = make_array(wanted, {picture.width, picture.height});
  if (!array.ok()) return array;
  visit(wanted, [&](auto type) {
    using T = decltype(type);
    T* cells = array->as<T>();
    const uint16_t* pixel = picture.samples.data();
    for (int64_t i = 0; i < array->count(); ++i, pixel += picture.channels)
      cells[i] = cell_of<T>(sample_of(picture, pixel, channel), picture.depth);
  });
  return array;
}

Result<std::string> png_file(const std::vector<const Array*>& channels, int depth) {
  assert(!channels.empty() && channels.size() <= 4);
  for (const Array* channel : channels) {
    if (channel->extents.size() != 2)
      return Error{
          fmt::format("an array with {} axes cannot be an image; write a .npy file, or a plot with "
                      "`--plot`",
                      channel->extents.size())};
    if (channel->extents != channels[0]->extents)
      return Error{fmt::format("the channels of an image have one size, but these are {} and {}",
                               to_string(channels[0]->extents), to_string(channel->extents))};
    if (channel->element == Element::u16) depth = 16;
  }
  const Heading heading{
      channels[0]->extent(0), channels[0]->extent(1), static_cast<int>(channels.size()), depth, {}};
  return write_png(heading, [&](int64_t y, uint16_t* samples) {
    for (size_t c = 0; c < channels.size(); ++c)
      visit(channels[c]->element, [&](auto type) {
        const auto* cells = channels[c]->as<decltype(type)>() + y * heading.width;
        uint16_t* to = samples + c;
        for (int64_t x = 0; x < heading.width; ++x, to += channels.size())
          *to = sample_from(cells[x], depth);
      });
  });
}

}  // namespace stencilc::data
