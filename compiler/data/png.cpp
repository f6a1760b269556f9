#include "data/png.h"

#include <fmt/format.h>

#include "data/pixels.h"

namespace stencilc::data {
namespace {

// Gray values of 0 to `high`, where `high` is 255 or 65535.
std::vector<uint16_t> luma(const Pixels& pixels) {
  if (pixels.channels == 1) return pixels.samples;
  std::vector<uint16_t> gray(pixels.samples.size() / 3);
  for (size_t i = 0; i < gray.size(); ++i) {
    const uint32_t red = pixels.samples[3 * i], green = pixels.samples[3 * i + 1];
    const uint32_t blue = pixels.samples[3 * i + 2];
    gray[i] = static_cast<uint16_t>((2126 * red + 7152 * green + 722 * blue + 5000) / 10000);
  }
  return gray;
}

}  // namespace

Result<Array> parse_png(std::string_view file, Element wanted) {
  if (wanted != Element::u8 && wanted != Element::u16 && !is_real(wanted))
    return Error{fmt::format("an image cannot be read as `{}`; use a field of u8, u16 or a float",
                             name_of(wanted))};
  const Result<Pixels> pixels = decode_png(file);
  if (!pixels.ok()) return Error{pixels.error()};
  Result<Array> array = make_array(wanted, {pixels->width, pixels->height});
  if (!array.ok()) return array;
  const std::vector<uint16_t> gray = luma(*pixels);
  const double high = pixels->depth == 8 ? 255 : 65535;
  for (size_t i = 0; i < gray.size(); ++i) {
    // 257 = 65535 / 255: 8-bit values keep their place in 16 bits, and the way back rounds.
    const uint32_t value = gray[i];
    if (wanted == Element::u8)
      array->as<uint8_t>()[i] =
          static_cast<uint8_t>(pixels->depth == 8 ? value : (value + 128) / 257);
    else if (wanted == Element::u16)
      array->as<uint16_t>()[i] = static_cast<uint16_t>(pixels->depth == 8 ? value * 257 : value);
    else
      visit(wanted, [&](auto type) {
        array->as<decltype(type)>()[i] = static_cast<decltype(type)>(value / high);
      });
  }
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
        fmt::format("an array with {} axes is no image; write a .npy file, or a plot with "
                    "`--plot`",
                    array.extents.size())};
  Pixels pixels{array.extent(0), array.extent(1), 1, array.element == Element::u16 ? 16 : 8, {}};
  pixels.samples.resize(static_cast<size_t>(array.count()));
  for (size_t i = 0; i < pixels.samples.size(); ++i)
    pixels.samples[i] = array.element == Element::u16  ? array.as<uint16_t>()[i]
                        : array.element == Element::u8 ? array.as<uint8_t>()[i]
                        : array.as<bool>()[i]          ? 255
                                                       : 0;
  return encode_png(pixels);
}

}  // namespace stencilc::data
