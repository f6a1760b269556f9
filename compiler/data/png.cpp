#include "data/png.h"

#include <fmt/format.h>

#include <type_traits>

#include "data/pixels.h"

namespace stencilc::data {
namespace {

// The gray value of a pixel: itself, or the luma of three samples.
uint16_t gray_of(const uint16_t* pixel, int channels) {
  if (channels == 1) return *pixel;
  const uint32_t red = pixel[0], green = pixel[1], blue = pixel[2];
  return static_cast<uint16_t>((2126 * red + 7152 * green + 722 * blue + 5000) / 10000);
}

// A gray value of 8 or 16 bits as a cell of T.
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

}  // namespace

Result<Array> parse_png(std::string_view file, Element wanted, bool* colours) {
  if (wanted != Element::u8 && wanted != Element::u16 && !is_real(wanted))
    return Error{fmt::format("an image cannot be read as `{}`; use a field of u8, u16 or a float",
                             name_of(wanted))};
  Result<Array> array = Error{""};
  const std::string problem = read_png(file, [&](const Heading& heading) -> Result<TakeRow> {
    if (colours) *colours = heading.channels > 1;
    array = make_array(wanted, {heading.width, heading.height});
    if (!array.ok()) return Error{array.error()};
    return TakeRow([&](int64_t y, const uint16_t* samples) {
      visit(wanted, [&](auto type) {
        auto* const cells = array->as<decltype(type)>() + y * heading.width;
        for (int64_t x = 0; x < heading.width; ++x)
          cells[x] = cell_of<decltype(type)>(
              gray_of(samples + x * heading.channels, heading.channels), heading.depth);
      });
    });
  });
  if (!problem.empty()) return Error{problem};
  return array;
}

Result<std::string> png_file(const Array& array) {
  const bool is_image = array.element == Element::u8 || array.element == Element::u16 ||
                        array.element == Element::boolean;
  if (!is_image)
    return Error{
        fmt::format("an array of {} cannot be written as an image without loss; write a "
                    ".npy file, or a plot with `--plot`",
                    name_of(array.element))};
  if (array.extents.size() != 2)
    return Error{
        fmt::format("an array with {} axes cannot be an image; write a .npy file, or a plot with "
                    "`--plot`",
                    array.extents.size())};
  const Heading heading{
      array.extent(0), array.extent(1), 1, array.element == Element::u16 ? 16 : 8, {}};
  return write_png(heading, [&](int64_t y, uint16_t* samples) {
    for (int64_t x = 0; x < heading.width; ++x) {
      const int64_t i = y * heading.width + x;
      samples[x] = array.element == Element::u16  ? array.as<uint16_t>()[i]
                   : array.element == Element::u8 ? array.as<uint8_t>()[i]
                   : array.as<bool>()[i]          ? 255
                                                  : 0;
    }
  });
}

}  // namespace stencilc::data
