#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/pixels.h"
#include "data/png.h"

namespace stencilc::data {
namespace {

std::string encoded(const Pixels& pixels) {
  const Result<std::string> file = encode_png(pixels);
  EXPECT_TRUE(file.ok());
  return file.ok() ? *file : "";
}
template <typename T>
std::vector<T> cells(const Result<Array>& array) {
  EXPECT_TRUE(array.ok()) << array.error();
  return {array->as<T>(), array->as<T>() + array->count()};
}
// The hexadecimal digits of a file.
std::string bytes(const std::string& digits) {
  std::string result;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    result += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return result;
}

TEST(Png, ReadsGrayOfBothDepths) {
  const std::string narrow = encoded({3, 2, 1, 8, {0, 1, 127, 128, 254, 255}});
  const std::string wide = encoded({3, 1, 1, 16, {0, 0x1234, 65535}});
  const auto array = parse_png(narrow, Element::u8);
  EXPECT_EQ(array->extents, (Extents{3, 2}));
  EXPECT_EQ(cells<uint8_t>(array), (std::vector<uint8_t>{0, 1, 127, 128, 254, 255}));
  EXPECT_EQ(cells<uint16_t>(parse_png(narrow, Element::u16)),
            (std::vector<uint16_t>{0, 257, 32639, 32896, 65278, 65535}));
  EXPECT_EQ(cells<uint16_t>(parse_png(wide, Element::u16)),
            (std::vector<uint16_t>{0, 0x1234, 65535}));
  EXPECT_EQ(cells<uint8_t>(parse_png(wide, Element::u8)), (std::vector<uint8_t>{0, 18, 255}));
  EXPECT_EQ(
      cells<float>(parse_png(narrow, Element::f32)),
      (std::vector<float>{0, 1 / 255.0f, static_cast<float>(127 / 255.0),
                          static_cast<float>(128 / 255.0), static_cast<float>(254 / 255.0), 1}));
  EXPECT_EQ(cells<double>(parse_png(wide, Element::f64)),
            (std::vector<double>{0, 0x1234 / 65535.0, 1}));
}

TEST(Png, TurnsColoursIntoTheirLuma) {
  const Pixels colours{5, 1, 3, 8, {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 10, 20, 30}};
  EXPECT_EQ(cells<uint8_t>(parse_png(encoded(colours), Element::u8)),
            (std::vector<uint8_t>{54, 182, 18, 255, 19}));
}

// Made by hand: a palette of one bit (red, white), gray with alpha, and interlaced gray.
TEST(Png, ExpandsPalettesDropsAlphaAndWeavesInterlacedRows) {
  const std::string palette = bytes(
      "89504e470d0a1a0a0000000d494844520000000200000002010300000048789f6700000006504c54"
      "45ff0000ffffff411d34110000000c49444154789c637060680000014400c13a7a1c560000000049"
      "454e44ae426082");
  EXPECT_EQ(cells<uint8_t>(parse_png(palette, Element::u8)),
            (std::vector<uint8_t>{54, 255, 255, 54}));
  const std::string alpha = bytes(
      "89504e470d0a1a0a0000000d49484452000000020000000108040000005e2bb7010000000d494441"
      "54789c63606738d10000023101504d4a510a0000000049454e44ae426082");
  EXPECT_EQ(cells<uint8_t>(parse_png(alpha, Element::u8)), (std::vector<uint8_t>{7, 200}));
  const std::string interlaced = bytes(
      "89504e470d0a1a0a0000000d494844520000000200000002080000000120da626e0000000f494441"
      "54789c636064606260660100001f000b9362c4540000000049454e44ae426082");
  EXPECT_EQ(cells<uint8_t>(parse_png(interlaced, Element::u8)), (std::vector<uint8_t>{1, 2, 3, 4}));
}

TEST(Png, WritesImages) {
  Array array = *make_array(Element::u16, {2, 2});
  for (int i = 0; i < 4; ++i) array.as<uint16_t>()[i] = static_cast<uint16_t>(i * 20000);
  auto file = png_file(array);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(cells<uint16_t>(parse_png(*file, Element::u16)),
            (std::vector<uint16_t>{0, 20000, 40000, 60000}));
  array = *make_array(Element::boolean, {2, 1});
  array.as<bool>()[1] = true;
  file = png_file(array);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(cells<uint8_t>(parse_png(*file, Element::u8)), (std::vector<uint8_t>{0, 255}));
}

TEST(Png, RefusesArraysThatAreNoImages) {
  EXPECT_EQ(png_file(*make_array(Element::f32, {2, 2})).error(),
            "an array of f32 cannot be written as an image without loss; write a .npy file, or a "
            "plot with `--plot`");
  EXPECT_EQ(png_file(*make_array(Element::u8, {2, 2, 2})).error(),
            "an array with 3 axes is no image; write a .npy file, or a plot with `--plot`");
  EXPECT_EQ(png_file(*make_array(Element::u8, {1000001, 1})).error(),
            "a PNG file of 1000001 x 1 pixels is too large; each side can be 1000000");
  EXPECT_EQ(parse_png(encoded({1, 1, 1, 8, {0}}), Element::i32).error(),
            "an image cannot be read as `i32`; use a field of u8, u16 or a float");
}

TEST(Png, RefusesBrokenFiles) {
  EXPECT_EQ(parse_png("", Element::u8).error(), "this is not a PNG file");
  EXPECT_EQ(parse_png("P5 2 2 255 abcd", Element::u8).error(), "this is not a PNG file");
  const std::string whole = encoded({3, 2, 1, 8, {0, 1, 127, 128, 254, 255}});
  EXPECT_EQ(parse_png(whole.substr(0, 20), Element::u8).error(),
            "the PNG file is broken: the file ends too early");
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(parse_png(whole.substr(0, length), Element::u8).ok()) << length;
  std::string changed = whole;
  changed[17] ^= 1;  // the width, and so the checksum of its chunk
  EXPECT_EQ(parse_png(changed, Element::u8).error(), "the PNG file is broken: IHDR: CRC error");
}

TEST(Png, SurvivesEveryChangedByte) {
  const std::string whole = encoded({3, 2, 1, 8, {0, 1, 127, 128, 254, 255}});
  for (size_t at = 0; at < whole.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 1 << bit);
      const auto result = parse_png(changed, Element::u8);
      if (result.ok()) {
        EXPECT_EQ(result->extents, (Extents{3, 2})) << at << ' ' << bit;
      }
    }
}

// A header may claim any size: memory is asked for only where the file could hold so many pixels.
TEST(Png, RefusesASizeThatTheFileCannotHold) {
  const std::string bomb = bytes(
      "89504e470d0a1a0a0000000d49484452000f4240000f42400800000000790667a10000000b494441"
      "54789c636080020000090001fb52b8a90000000049454e44ae426082");
  const Result<Array> result = parse_png(bomb, Element::u8);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error(),
            "the PNG file is broken: 68 bytes cannot hold 1000000 x 1000000 pixels");
}

}  // namespace
}  // namespace stencilc::data
