// Files of numbers and pictures: .npy and PNG.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "data/files/npy.h"
#include "data/files/npz.h"
#include "data/files/vti.h"
#include "data/images/pixels.h"
#include "data/images/png.h"
#include "support/tables.h"

namespace stencilc::data {
namespace {

// A file with this header text and these bytes of data; the lengths are as they should be.
std::string file(const std::string& header, const std::string& data, int version = 1) {
  std::string text = "\x93NUMPY";
  text += static_cast<char>(version);
  text += '\0';
  for (int byte = 0; byte < (version == 1 ? 2 : 4); ++byte)
    text += static_cast<char>(header.size() >> (8 * byte) & 0xff);
  return text + header + data;
}
std::string good(const std::string& shape, const std::string& descr = "<i2",
                 const std::string& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }  \n";
}
std::string shorts(std::vector<int16_t> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * 2};
}
std::vector<int16_t> cells(const Array& array) {
  return {array.as<int16_t>(), array.as<int16_t>() + array.count()};
}
std::string complaint(const std::string& text) {
  const Result<Array> result = parse_npy(text);
  return result.ok() ? "" : result.error();
}

TEST(Npy, ReadsTheLastAxisAsX) {
  const auto array = parse_npy(file(good("(2, 3)"), shorts({1, 2, 3, 4, 5, 6})));
  ASSERT_TRUE(array.ok()) << array.error();
  EXPECT_EQ(array->element, Element::i16);
  EXPECT_EQ(array->extents, (Extents{3, 2}));
  EXPECT_EQ(cells(*array), (std::vector<int16_t>{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, ReadsFortranOrderAsTheSameArray) {
  // a[z, y, x] = 100 z + 10 y + x with shape (2, 2, 3); the first axis runs fastest in the file
  const auto array = parse_npy(file(good("(2, 2, 3)", "<i2", "True"),
                                    shorts({0, 100, 10, 110, 1, 101, 11, 111, 2, 102, 12, 112})));
  ASSERT_TRUE(array.ok()) << array.error();
  EXPECT_EQ(array->extents, (Extents{3, 2, 2}));
  EXPECT_EQ(cells(*array),
            (std::vector<int16_t>{0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112}));
}

TEST(Npy, ReadsEveryVersionAndSpelling) {
  const std::string data = shorts({7, 8});
  for (const int version : {1, 2, 3}) {
    const auto array = parse_npy(file(good("(2,)"), data, version));
    ASSERT_TRUE(array.ok()) << array.error();
    EXPECT_EQ(cells(*array), (std::vector<int16_t>{7, 8}));
  }
  for (const char* header : {"{'shape':(2,),'fortran_order':False,'descr':'<i2'}",
                             "{\"descr\": \"<i2\", \"fortran_order\": True, \"shape\": (2), }\n",
                             " { 'descr' : '<i2' , 'shape' : ( 2 , ) , 'fortran_order' : False } "})
    EXPECT_TRUE(parse_npy(file(header, data)).ok()) << header;
}

TEST(Npy, NormalisesBooleans) {
  const auto array = parse_npy(file(good("(4,)", "|b1"), std::string("\x00\x01\x02\xff", 4)));
  ASSERT_TRUE(array.ok());
  const std::vector<std::byte> want = {std::byte{0}, std::byte{1}, std::byte{1}, std::byte{1}};
  EXPECT_EQ(array->bytes, want);
}

TEST(Npy, WritesWhatItReads) {
  for (const Element element :
       {Element::f64, Element::f32, Element::f16, Element::i64, Element::i32, Element::i16,
        Element::u16, Element::i8, Element::u8, Element::boolean})
    for (const Extents& extents : {Extents{5}, Extents{3, 2}, Extents{4, 3, 2}}) {
      Array array = *make_array(element, extents);
      for (size_t i = 0; i < array.bytes.size(); ++i)
        array.bytes[i] = static_cast<std::byte>(element == Element::boolean ? i % 2 : i * 37);
      const std::string text = npy_file(array);
      EXPECT_EQ((text.size() - array.bytes.size()) % 64, 0u);
      const auto back = parse_npy(text);
      ASSERT_TRUE(back.ok()) << back.error();
      EXPECT_EQ(back->element, element);
      EXPECT_EQ(back->extents, extents);
      EXPECT_EQ(back->bytes, array.bytes);
    }
}

TEST(Npy, WritesTheBytesThatNumPyWrites) {
  Array array = *make_array(Element::u8, {2, 3});
  const std::string text = npy_file(array);
  const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 2), }";
  std::string want("\x93NUMPY\x01\x00v\x00", 10);  // 'v' is 118: 10 + 118 = 128
  want += header + std::string(117 - header.size(), ' ') + '\n' + std::string(6, '\0');
  EXPECT_EQ(text.size(), want.size());
  EXPECT_EQ(text, want);
  array = *make_array(Element::f64, {1});
  EXPECT_NE(npy_file(array).find("'shape': (1,), }"), std::string::npos);
}

TEST(Npy, RefusesWhatIsNotANpyFile) {
  EXPECT_EQ(complaint(""), "this is not a .npy file");
  EXPECT_EQ(complaint("\x89PNG\r\n\x1a\n"), "this is not a .npy file");
  EXPECT_EQ(complaint("\x93NUMPY"), "the .npy file ends within its header");
  EXPECT_EQ(complaint(file(good("(1,)"), "xx", 4)),
            "the .npy file has version 4, which is not 1, 2 or 3");
  const std::string whole = file(good("(2, 3)"), shorts({1, 2, 3, 4, 5, 6}), 2);
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(parse_npy(std::string_view(whole).substr(0, length)).ok()) << length;
  std::string huge("\x93NUMPY\x02\x00\xff\xff\xff\x7f", 12);
  EXPECT_EQ(complaint(huge),
            "the .npy file has a header of 2147483647 bytes; the limit is 1048576");
}

TEST(Npy, RefusesShapesAndDataOfAnotherSize) {
  const auto error = [](const std::string& shape, const std::string& bytes) {
    return complaint(file(good(shape), std::string(std::stoul(bytes), 'x')));
  };
  stencilc::testing::expect_rows(error, R"(
(2, 3) | 10 => the .npy file has 10 bytes of data where 3 x 2 i16 elements need 12
(1,) | 4 => the .npy file has 4 bytes of data where 1 i16 elements need 2
() | 2 => the .npy file cannot be used: the array has 0 axes where 1 to 3 are expected
(1, 1, 1, 1) | 2 => the .npy file cannot be used: the array has 4 axes where 1 to 3 are expected
(3, 0) | 0 => the .npy file cannot be used: the array is 0 x 3; every extent must be at least 1
(-3,) | 0 => the .npy file cannot be used: the array is -3; every extent must be at least 1
(4294967296, 4294967296) | 0
=> the .npy file cannot be used: an array of 4294967296 x 4294967296 i16 elements is larger than any memory
--- 2^64 elements: a product without a check would be zero and match the missing data
(4294967296, 4294967296, 2) | 0
=> the .npy file cannot be used: an array of 2 x 4294967296 x 4294967296 i16 elements is larger than any memory
(99999999999999999999,) | 0 => the .npy file cannot be used: an axis is longer than 2^63
)");
}

TEST(Npy, RefusesTypes) {
  for (const char* descr : {">f4", ">f2", "<c8", "<U3", "|O", "=i2", "<u4", "<u8", "|i2", "", "<"})
    EXPECT_EQ(complaint(file(good("(1,)", descr), "xx")),
              "the .npy file holds elements of a type that is not supported; save it as one of "
              "`<f8 <f4 <f2 <i8 <i4 <i2 <u2 i1 u1 b1` (little endian)")
        << descr;
  EXPECT_EQ(
      complaint(file("{'descr': [('a', '<i2')], 'fortran_order': False, 'shape': (1,), }", "xx")),
      "the .npy file cannot be used: it holds records; save one field of it");
}

TEST(Npy, RefusesBrokenHeaders) {
  const std::string begin = "the .npy file cannot be used: its header ";
  const auto error = [&](const std::string& header) {
    const std::string said = complaint(file(header, "xx"));
    return said.starts_with(begin) ? said.substr(begin.size()) : said;
  };
  stencilc::testing::expect_rows(error, R"(
{'descr': '<i2' => is damaged: `,` or `}` was expected at byte 15 of `{'descr': '<i2'`
{'descr': '<i2', } => lacks the key `fortran_order`
{'fortran_order': False, } => lacks the key `descr`
{'descr': '<i2', 'fortran_order': False} => lacks the key `shape`
{'shape': (1,), 'shape': (1,)} => has the key `shape` twice, or an unknown key
{'shape': (1 2)} => is damaged: `,` or `)` was expected at byte 13 of `{'shape': (1 2)}`
{'shape': (__import__('os'),)}
=> is damaged: a length was expected at byte 11 of `{'shape': (__import__('os'),)}`
{'fortran_order': 1} => is damaged: `True` or `False` was expected at byte 18 of `{'fortran_order': 1}`
{descr: 1} => is damaged: a key in quotes or `}` was expected at byte 1 of `{descr: 1}`
)");
  EXPECT_EQ(error(""), "is damaged: `{` was expected at byte 0 of ``");
  EXPECT_EQ(error("{'x\x1b[31m': 1}"), "has the key `x\\x1b[31m` twice, or an unknown key");
  EXPECT_EQ(error(good("(1,)") + "}"),
            "is damaged: nothing more was expected at byte 60 of "
            "`{'descr': '<i2', 'fortran_order': False,`");
}

TEST(Npy, SurvivesEveryChangedByte) {
  const std::string whole = file(good("(2, 3)"), shorts({1, 2, 3, 4, 5, 6}));
  for (size_t at = 0; at < whole.size() - 12; ++at)
    for (int value = 0; value < 256; value += 3) {
      std::string changed = whole;
      changed[at] = static_cast<char>(value);
      const auto result = parse_npy(changed);
      if (result.ok()) {
        EXPECT_EQ(result->bytes.size(), 12u) << at << ' ' << value;
      }
    }
}

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
Result<Array> channel_of(std::string_view file, Channel channel, Element wanted) {
  const Result<Pixels> pixels = decode_png(file);
  if (!pixels.ok()) return Error{pixels.error()};
  return channel_of(*pixels, channel, wanted);
}
Result<Array> brightness_of(std::string_view file, Element wanted) {
  return channel_of(file, Channel::brightness, wanted);
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
  const auto array = brightness_of(narrow, Element::u8);
  EXPECT_EQ(array->extents, (Extents{3, 2}));
  EXPECT_EQ(cells<uint8_t>(array), (std::vector<uint8_t>{0, 1, 127, 128, 254, 255}));
  EXPECT_EQ(cells<uint16_t>(brightness_of(narrow, Element::u16)),
            (std::vector<uint16_t>{0, 257, 32639, 32896, 65278, 65535}));
  EXPECT_EQ(cells<uint16_t>(brightness_of(wide, Element::u16)),
            (std::vector<uint16_t>{0, 0x1234, 65535}));
  EXPECT_EQ(cells<uint8_t>(brightness_of(wide, Element::u8)), (std::vector<uint8_t>{0, 18, 255}));
  EXPECT_EQ(
      cells<float>(brightness_of(narrow, Element::f32)),
      (std::vector<float>{0, 1 / 255.0f, static_cast<float>(127 / 255.0),
                          static_cast<float>(128 / 255.0), static_cast<float>(254 / 255.0), 1}));
  EXPECT_EQ(cells<double>(brightness_of(wide, Element::f64)),
            (std::vector<double>{0, 0x1234 / 65535.0, 1}));
}

TEST(Png, TurnsColoursIntoTheirLuma) {
  const Pixels colours{5, 1, 3, 8, {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 10, 20, 30}};
  EXPECT_EQ(cells<uint8_t>(brightness_of(encoded(colours), Element::u8)),
            (std::vector<uint8_t>{54, 182, 18, 255, 19}));
}

// Made by hand: a palette of one bit (red, white), gray with alpha, and interlaced gray.
TEST(Png, ExpandsPalettesAndWeavesInterlacedRows) {
  const std::string palette = bytes(
      "89504e470d0a1a0a0000000d494844520000000200000002010300000048789f6700000006504c54"
      "45ff0000ffffff411d34110000000c49444154789c637060680000014400c13a7a1c560000000049"
      "454e44ae426082");
  EXPECT_EQ(cells<uint8_t>(brightness_of(palette, Element::u8)),
            (std::vector<uint8_t>{54, 255, 255, 54}));
  const std::string alpha = bytes(
      "89504e470d0a1a0a0000000d49484452000000020000000108040000005e2bb7010000000d494441"
      "54789c63606738d10000023101504d4a510a0000000049454e44ae426082");
  EXPECT_EQ(cells<uint8_t>(brightness_of(alpha, Element::u8)), (std::vector<uint8_t>{7, 200}));
  const std::string interlaced = bytes(
      "89504e470d0a1a0a0000000d494844520000000200000002080000000120da626e0000000f494441"
      "54789c636064606260660100001f000b9362c4540000000049454e44ae426082");
  EXPECT_EQ(cells<uint8_t>(brightness_of(interlaced, Element::u8)),
            (std::vector<uint8_t>{1, 2, 3, 4}));
}

// An array of one row.
template <typename T>
Array row(std::vector<T> values) {
  Array array = *make_array(element_of<T>(), {static_cast<int64_t>(values.size()), 1});
  std::copy(values.begin(), values.end(), array.as<T>());
  return array;
}

TEST(Png, ReadsEveryChannelOfBothDepths) {
  for (const int depth : {8, 16}) {
    const auto wide = static_cast<uint16_t>(depth == 8 ? 1 : 257);  // 8-bit values at this depth
    const auto file = [&](int channels, std::vector<uint16_t> samples) {
      for (uint16_t& sample : samples) sample = static_cast<uint16_t>(sample * wide);
      return encoded({2, 1, channels, depth, samples});
    };
    const std::vector<std::pair<std::string, std::vector<std::vector<uint8_t>>>> rows = {
        {file(1, {7, 9}), {{7, 9}, {7, 9}, {7, 9}, {7, 9}, {255, 255}}},
        {file(2, {7, 1, 9, 2}), {{7, 9}, {7, 9}, {7, 9}, {7, 9}, {1, 2}}},
        {file(3, {1, 2, 3, 4, 5, 6}), {{2, 5}, {1, 4}, {2, 5}, {3, 6}, {255, 255}}},
        {file(4, {1, 2, 3, 9, 4, 5, 6, 8}), {{2, 5}, {1, 4}, {2, 5}, {3, 6}, {9, 8}}}};
    for (const auto& [text, wanted] : rows)
      for (size_t channel = 0; channel < 5; ++channel)
        EXPECT_EQ(cells<uint8_t>(channel_of(text, static_cast<Channel>(channel), Element::u8)),
                  wanted[channel])
            << depth << ' ' << text.size() << ' ' << name_of(static_cast<Channel>(channel));
  }
}

// A colour that the file names as transparent.
TEST(Png, ATransparentColourBecomesAlpha) {
  const std::string file = bytes(
      "89504e470d0a1a0a0000000d4948445200000002000000010800000000d1492056000000027452"
      "4e530007e8f7589b0000000b49444154789c63603f010000d900d0d7a6223c0000000049454e44"
      "ae426082");
  EXPECT_EQ(cells<uint8_t>(channel_of(file, Channel::alpha, Element::u8)),
            (std::vector<uint8_t>{0, 255}));
}

TEST(Png, WritesWhatItReads) {
  const Array gray = row<uint8_t>({0, 1, 255}), other = row<uint8_t>({9, 8, 7});
  const Array wide = row<uint16_t>({0, 20000, 65535});
  const std::vector<std::vector<const Array*>> pictures = {
      {&gray}, {&gray, &other}, {&gray, &other, &gray}, {&gray, &other, &gray, &other}};
  for (const auto& channels : pictures) {
    const Result<Pixels> pixels = decode_png(*png_file(channels));
    ASSERT_TRUE(pixels.ok());
    EXPECT_EQ(pixels->channels, static_cast<int>(channels.size()));
    EXPECT_EQ(pixels->depth, 8);
    EXPECT_EQ(pixels->samples[0], 0);
    EXPECT_EQ(pixels->samples.back(), channels.size() % 2 ? 255 : 7);
  }
  // 16 bits for one channel are 16 bits for all.
  const Result<Pixels> mixed = decode_png(*png_file({&wide, &gray}));
  EXPECT_EQ(mixed->depth, 16);
  EXPECT_EQ(mixed->samples, (std::vector<uint16_t>{0, 0, 20000, 257, 65535, 65535}));
}

TEST(Png, ClampsCellsToTheSamplesOfTheDepth) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Array reals = row<double>({-1, 0.5, 1, 3, infinity, -infinity, NAN});
  EXPECT_EQ((*decode_png(*png_file({&reals}))).samples,
            (std::vector<uint16_t>{0, 128, 255, 255, 255, 0, 0}));
  EXPECT_EQ((*decode_png(*png_file({&reals}, 16))).samples,
            (std::vector<uint16_t>{0, 32768, 65535, 65535, 65535, 0, 0}));
  const Array integers = row<int32_t>({-5, 7, 300});
  EXPECT_EQ((*decode_png(*png_file({&integers}))).samples, (std::vector<uint16_t>{0, 7, 255}));
  EXPECT_EQ((*decode_png(*png_file({&integers}, 16))).samples,
            (std::vector<uint16_t>{0, 7 * 257, 65535}));
  Array truths = *make_array(Element::boolean, {2, 1});
  truths.as<bool>()[1] = true;
  EXPECT_EQ((*decode_png(*png_file({&truths}))).samples, (std::vector<uint16_t>{0, 255}));
}

TEST(Png, RefusesArraysThatAreNoImages) {
  const auto error = [](const Array& a, const Array& b) { return png_file({&a, &b}).error(); };
  const Array plane = *make_array(Element::u8, {2, 2});
  EXPECT_EQ(error(plane, *make_array(Element::u8, {2, 2, 2})),
            "an array with 3 axes cannot be an image; write a .npy file, or a plot with `--plot`");
  EXPECT_EQ(error(plane, *make_array(Element::u8, {2, 3})),
            "the channels of an image have one size, but these are 2 x 2 and 2 x 3");
  const Array wide = *make_array(Element::u8, {1000001, 1});
  EXPECT_EQ(error(wide, wide),
            "a PNG file of 1000001 x 1 pixels is too large; each side can be 1000000");
  EXPECT_EQ(brightness_of(encoded({1, 1, 1, 8, {0}}), Element::i32).error(),
            "an image cannot be read as `i32`; use a field of u8, u16 or a float");
}

TEST(Png, RefusesBrokenFiles) {
  EXPECT_EQ(brightness_of("", Element::u8).error(), "this is not a PNG file");
  EXPECT_EQ(brightness_of("P5 2 2 255 abcd", Element::u8).error(), "this is not a PNG file");
  const std::string whole = encoded({3, 2, 1, 8, {0, 1, 127, 128, 254, 255}});
  EXPECT_EQ(brightness_of(whole.substr(0, 20), Element::u8).error(),
            "the PNG file is damaged: the file ends too soon");
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(brightness_of(whole.substr(0, length), Element::u8).ok()) << length;
  std::string changed = whole;
  changed[17] ^= 1;  // the width, and so the checksum of its chunk
  EXPECT_EQ(brightness_of(changed, Element::u8).error(),
            "the PNG file is damaged: IHDR: CRC error");
}

TEST(Png, SurvivesEveryChangedByte) {
  const std::string whole = encoded({3, 2, 1, 8, {0, 1, 127, 128, 254, 255}});
  for (size_t at = 0; at < whole.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 1 << bit);
      const auto result = brightness_of(changed, Element::u8);
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
  const Result<Array> result = brightness_of(bomb, Element::u8);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error(),
            "the PNG file is damaged: 68 bytes cannot hold 1000000 x 1000000 pixels");
}

// The beginning of a file, up to the pixels: gray of one bit.
std::string heading_of(uint32_t width, uint32_t height) {
  std::string chunk = "IHDR";
  for (const uint32_t side : {width, height})
    for (int shift = 24; shift >= 0; shift -= 8) chunk += static_cast<char>(side >> shift & 0xff);
  chunk += std::string("\x01\0\0\0\0", 5);
  uint32_t crc = 0xffffffff;
  for (const unsigned char byte : chunk) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  std::string file = bytes("89504e470d0a1a0a0000000d") + chunk;
  for (int shift = 24; shift >= 0; shift -= 8) file += static_cast<char>(~crc >> shift & 0xff);
  return file + bytes("0000000049444154");
}

// What a small file could hold may still be more than anybody means to read.
TEST(Png, RefusesMorePixelsThanTheLimit) {
  const auto error = [](uint32_t width, uint32_t height) {
    std::string file = heading_of(width, height);
    file.resize(1 << 19);
    return brightness_of(file, Element::u8).error();
  };
  const std::string limit =
      " pixels, and the limit is 268435456, for which a field of f64 takes 2 GiB; save it as a "
      ".npy "
      "file";
  EXPECT_EQ(error(60000, 60000), "the picture has 60000 x 60000" + limit);
  EXPECT_EQ(error(16385, 16384), "the picture has 16385 x 16384" + limit);
  EXPECT_EQ(error(16384, 16384).find("the PNG file is damaged: "), 0u);
}

// The files that scripts/fuzz begins with, among them any that broke a reader: each reader
// refuses one or reads it whole.
TEST(Files, KeptByTheFuzzerAreReadOrRefused) {
  int files = 0, read = 0;
  const auto expect_whole = [&](const Result<Array>& array) {
    if (!array.ok()) return;
    ++read;
    EXPECT_EQ(*byte_count(array->element, array->extents), std::ssize(array->bytes));
  };
  const auto expect_all_whole = [&](const auto& file) {
    if (!file.ok()) return;
    for (const std::string& name : file->names()) expect_whole(file->read(name));
  };
  for (const auto& entry :
       std::filesystem::directory_iterator(STENCILC_SOURCE_DIR "/tests/fuzz/files")) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    expect_whole(parse_npy(text));
    expect_all_whole(Npz::open(text));
    expect_all_whole(Vti::open(text));
    expect_whole(channel_of(text, Channel::alpha, Element::f32));
    ++files;
  }
  EXPECT_GE(files, 9);
  EXPECT_GE(read, 12);
}

}  // namespace
}  // namespace stencilc::data
