#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "data/values/generate.h"
#include "support/tables.h"

namespace stencilc::data {
namespace {

constexpr Element all_elements[] = {Element::f64, Element::f32, Element::bf16,   Element::f16,
                                    Element::i64, Element::i32, Element::i16,    Element::u16,
                                    Element::i8,  Element::u8,  Element::boolean};

Array made(std::string_view what, Element element, const Extents& extents, uint64_t seed = 0) {
  Result<Array> array = generate(what, element, extents, seed);
  EXPECT_TRUE(array.ok()) << what;
  return array.ok() ? std::move(*array) : Array{};
}
std::vector<double> values(const Array& array) {
  std::vector<double> result;
  for (int64_t i = 0; i < array.count(); ++i) result.push_back(value_at(array, i));
  return result;
}
std::string error_of(const std::string& element, const std::string& what) {
  for (const Element one : all_elements)
    if (name_of(one) == element) {
      const Result<Array> array = generate(what, one, {4});
      return array.ok() ? "" : array.error();
    }
  return "no element " + element;
}

TEST(Generate, MakesEveryNameForEveryElement) {
  for (const Element element : all_elements)
    for (const char* name :
         {"gauss", "random", "checkerboard", "ramp", "zero", "wild", "constant:1"})
      for (const Extents& extents : {Extents{7}, Extents{5, 3}, Extents{4, 3, 2}, Extents{1}}) {
        const Array array = made(name, element, extents);
        EXPECT_EQ(array.element, element);
        EXPECT_EQ(array.extents, extents);
      }
}

TEST(Generate, RandomIsUniformBelowOne) {
  for (const Element element : {Element::f32, Element::f64}) {
    std::vector<double> cells = values(made("random", element, {100, 100}, 7));
    double sum = 0;
    for (const double cell : cells) sum += cell;
    EXPECT_NEAR(sum / 10000, 0.5, 0.02);
    std::sort(cells.begin(), cells.end());
    EXPECT_GE(cells.front(), 0);
    EXPECT_LT(cells.back(), 1);
    for (size_t tenth = 0; tenth < 10;
         ++tenth)  // each tenth of the cells fills a tenth of the range
      EXPECT_NEAR(cells[tenth * 1000], static_cast<double>(tenth) / 10, 0.02);
    EXPECT_GT(std::set<double>(cells.begin(), cells.end()).size(), 9900u);
  }
}

TEST(Generate, ARandomCellDependsOnSeedAndIndexAlone) {
  const std::vector<double> line = values(made("random", Element::f64, {24}, 3));
  EXPECT_EQ(values(made("random", Element::f64, {4, 3, 2}, 3)), line);
  EXPECT_EQ(values(made("random", Element::f64, {12}, 3)),
            std::vector<double>(line.begin(), line.begin() + 12));
  const std::vector<double> other = values(made("random", Element::f64, {24}, 4));
  for (size_t i = 0; i < line.size(); ++i)
    for (size_t k = 0; k < other.size(); ++k) EXPECT_NE(line[i], other[k]);
}

TEST(Generate, RandomRangesAreFilled) {
  for (const Element element : {Element::u8, Element::i8, Element::i32, Element::i64}) {
    const std::vector<double> cells = values(made("random:3..5", element, {300}));
    EXPECT_EQ(std::set<double>(cells.begin(), cells.end()), (std::set<double>{3, 4, 5}));
  }
  const std::vector<double> usual = values(made("random", Element::u8, {1000}));
  EXPECT_EQ(std::set<double>(usual.begin(), usual.end()).size(), 16u);
  const std::vector<double> bits = values(made("random", Element::boolean, {100}));
  EXPECT_EQ(std::set<double>(bits.begin(), bits.end()), (std::set<double>{0, 1}));
  for (const double cell : values(made("random:-2.5..-2", Element::f32, {1000})))
    EXPECT_TRUE(cell >= -2.5 && cell < -2) << cell;
  for (const double cell : values(made("random:16777216..16777218", Element::f32, {1000})))
    EXPECT_EQ(cell, 16777216);  // the only f32 before the end
}

TEST(Generate, GaussIsABumpInTheMiddle) {
  const Array bump = made("gauss", Element::f32, {33, 17});
  EXPECT_EQ(bump.as<float>()[8 * 33 + 16], 1.0f);
  for (int y = 0; y < 17; ++y)
    for (int x = 0; x < 33; ++x) {
      EXPECT_EQ(bump.as<float>()[y * 33 + x], bump.as<float>()[(16 - y) * 33 + 32 - x]);
      if (x > 0 && x <= 16) {
        EXPECT_GE(bump.as<float>()[y * 33 + x], bump.as<float>()[y * 33 + x - 1]);
      }
    }
  EXPECT_EQ(made("gauss", Element::u8, {9}).as<uint8_t>()[4], 255);
  EXPECT_EQ(made("gauss", Element::i8, {9}).as<int8_t>()[4], 127);
}

TEST(Generate, CheckerboardConstantAndRamp) {
  const Array board = made("checkerboard", Element::u8, {32, 16});
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 32; ++x)
      EXPECT_EQ(board.as<uint8_t>()[y * 32 + x], (x & 4) == (y & 4) ? 0 : 255) << x << ' ' << y;
  EXPECT_EQ(values(made("constant:-2.5", Element::f64, {2})), (std::vector<double>{-2.5, -2.5}));
  EXPECT_EQ(values(made("zero", Element::i16, {2})), (std::vector<double>{0, 0}));
  EXPECT_EQ(values(made("ramp", Element::f64, {3, 1, 3})),
            (std::vector<double>{0, .125, .25, .375, .5, .625, .75, .875, 1}));
  EXPECT_EQ(values(made("ramp", Element::i32, {2, 2})), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(made("ramp", Element::u8, {300}).as<uint8_t>()[257], 1);
  EXPECT_TRUE(std::isinf(value_at(made("constant:-inf", Element::f32, {1}), 0)));
}

TEST(Generate, WildHoldsEveryKindOfNumber) {
  const Array wild = made("wild", Element::f32, {1000});
  std::set<int> kinds;
  int negative_zeros = 0, huge = 0, tiny = 0;
  for (int i = 0; i < 1000; ++i) {
    const float value = wild.as<float>()[i];
    kinds.insert(std::fpclassify(value));
    negative_zeros += value == 0 && std::signbit(value);
    huge += std::isfinite(value) && std::fabs(value) > 1e37f;
    tiny += std::isnormal(value) && std::fabs(value) < 1e-37f;
  }
  EXPECT_EQ(kinds, (std::set<int>{FP_ZERO, FP_SUBNORMAL, FP_NORMAL, FP_INFINITE, FP_NAN}));
  EXPECT_GT(negative_zeros, 5);
  EXPECT_GT(huge, 5);
  EXPECT_GT(tiny, 5);
  const std::vector<double> integers = values(made("wild", Element::i16, {1000}));
  for (const double value : {-32768., 32767., 0., 1., -1.})
    EXPECT_NE(std::count(integers.begin(), integers.end(), value), 0) << value;
}

TEST(Generate, SaysWhatIsWrong) {
  stencilc::testing::expect_rows(error_of, R"(
f32 | gaus => there is no input called `gaus`; did you mean `gauss`?
f32 | photo
=> there is no input called `photo`; the inputs are gauss, random, checkerboard, ramp, zero, constant:VALUE and wild
f32 | zero:1 => `zero` takes no value after a colon
f32 | constant => `constant:` is not valid; write `constant:VALUE`
f32 | constant:1x => `constant:1x` is not valid; write `constant:VALUE`
u8 | constant:300 => 300 does not fit into u8
i32 | constant:0.5 => 0.5 does not fit into i32
i32 | constant:nan => nan does not fit into i32
f32 | constant:1e39 => 1e+39 does not fit into f32
i64 | constant:9223372036854775808 => 9.223372036854776e+18 does not fit into i64
i64 | constant:9007199254740993 => 9007199254740992 is too large here; use a .npy file for such values
i32 | random:3 => `random:3` is not valid; write `random:LOW..HIGH`
i32 | random:3..2 => `random:3..2` is empty or infinite
f32 | random:0..inf => `random:0..inf` is empty or infinite
)");
  EXPECT_EQ(generate("zero", Element::f32, {3, 0}).error(),
            "the array is 3 x 0; every extent must be at least 1");
}

TEST(Array, ConvertsByRoundingAndClamping) {
  Array from = *make_array(Element::f64, {8});
  const double cells[] = {-1e300, -128.5, -0.5, 2.5, 3.5, 127.5, 1e300, std::nan("")};
  std::copy(std::begin(cells), std::end(cells), from.as<double>());
  EXPECT_EQ(values(*converted(from, Element::i8)),
            (std::vector<double>{-128, -128, 0, 2, 4, 127, 127, 0}));
  EXPECT_EQ(values(*converted(from, Element::u8)),
            (std::vector<double>{0, 0, 0, 2, 4, 128, 255, 0}));
  EXPECT_EQ(values(*converted(from, Element::i64)),
            (std::vector<double>{-0x1p63, -128, 0, 2, 4, 128, 0x1p63, 0}));
  EXPECT_EQ(values(*converted(from, Element::boolean)),
            (std::vector<double>{1, 1, 1, 1, 1, 1, 1, 1}));
  Array whole = *make_array(Element::i64, {3});
  whole.as<int64_t>()[0] = -5;
  whole.as<int64_t>()[1] = 70000;
  EXPECT_EQ(values(*converted(whole, Element::u16)), (std::vector<double>{0, 65535, 0}));
  EXPECT_EQ(values(*converted(whole, Element::f32)), (std::vector<double>{-5, 70000, 0}));
}

TEST(Array, RefusesSizesWithoutMemory) {
  EXPECT_EQ(make_array(Element::u8, {}).error(), "the array has 0 axes where 1 to 3 are expected");
  EXPECT_EQ(make_array(Element::f64, {int64_t{1} << 40, int64_t{1} << 20}).error(),
            "an array of 1099511627776 x 1048576 f64 elements is larger than any memory");
#if !defined(__SANITIZE_ADDRESS__)  // which ends the program where an allocation fails
  EXPECT_EQ(make_array(Element::f64, {int64_t{1} << 40, int64_t{1} << 19}).error(),
            "no memory for an array of 1099511627776 x 524288 f64 elements, 4611686018427387904 "
            "bytes");
#endif
}

// Some planes are made as they are in the whole array.
TEST(Generate, PlanesAreThoseOfTheWholeArray) {
  for (const char* const what :
       {"gauss", "random", "random:2..9", "checkerboard", "ramp", "zero", "constant:3", "wild"})
    for (const Extents& extents : {Extents{37}, Extents{5, 16}, Extents{4, 3, 11}})
      for (const Element element : {Element::f32, Element::u8, Element::f16}) {
        const Array whole = *generate(what, element, extents, 7);
        for (const Planes& planes : {Planes{0, 3}, Planes{2, 5}, Planes{extents.back() - 4, 4}}) {
          const Array part = *generate(what, element, extents, 7, planes);
          const Array cut = *part_of(whole, planes);
          EXPECT_EQ(part.extents, cut.extents);
          EXPECT_EQ(part.bytes, cut.bytes) << what << " " << to_string(extents);
        }
      }
}

}  // namespace
}  // namespace stencilc::data
