// Arrays of f16 and bf16, against the table of their values.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "data/files/npy.h"
#include "data/images/png.h"
#include "data/plots/plot.h"
#include "data/values/generate.h"
#include "support/half_table.h"

namespace stencilc::data {
namespace {

template <typename Half>
void expect_values(const test::HalfTable& table) {
  for (int bits = 0; bits <= 0xffff; ++bits) {
    const auto value = static_cast<double>(Half::of_bits(bits));
    if (std::isnan(table.value(bits))) {
      ASSERT_TRUE(std::isnan(value)) << bits;
      ASSERT_GT(Half(value).bits & 0x7fff, table.infinity());
    } else {
      ASSERT_EQ(value, table.value(bits)) << bits;
      ASSERT_EQ(std::signbit(value), bits >= 0x8000);
    }
  }
  for (const double number : table.edges<double>())
    ASSERT_EQ(Half(number).bits, table.nearest(number)) << number;
  using Limits = std::numeric_limits<Half>;
  EXPECT_EQ(static_cast<double>(Limits::max()), table.value(table.infinity() - 1));
  EXPECT_EQ(static_cast<double>(Limits::denorm_min()), table.value(1));
  EXPECT_EQ(static_cast<double>(Limits::min()), table.value(1 << (Limits::digits - 1)));
  EXPECT_EQ(Limits::infinity().bits, table.infinity());
  EXPECT_TRUE(std::isnan(static_cast<double>(Limits::quiet_NaN())));
}

TEST(DataHalf, HoldsTheValuesOfItsFormat) {
  expect_values<F16>(test::f16_table());
  expect_values<BF16>(test::bf16_table());
}

TEST(DataHalf, ConvertsWithOneRounding) {
  Array from = *make_array(Element::f64, {4});
  const double numbers[] = {1 + 0x1p-11 + 0x1p-40, 1e30, -2.5, NAN};
  for (int i = 0; i < 4; ++i) from.as<double>()[i] = numbers[i];
  const Array to = *converted(from, Element::f16);
  EXPECT_EQ(to.as<F16>()[0].bits, 0x3c01);
  EXPECT_TRUE(std::isinf(value_at(to, 1)));
  EXPECT_EQ(value_at(to, 2), -2.5);
  EXPECT_TRUE(std::isnan(value_at(to, 3)));
  const Array whole = *converted(to, Element::i8);
  EXPECT_EQ(std::vector<int>(whole.as<int8_t>(), whole.as<int8_t>() + 4),
            (std::vector<int>{1, 127, -2, 0}));
}

TEST(DataHalf, F16FilesAreNumPysOwnAndBf16FilesAreF32) {
  const Array half = *generate("wild", Element::f16, {5, 3});
  const std::string text = npy_file(half);
  EXPECT_NE(text.find("'descr': '<f2'"), std::string::npos);
  const auto back = parse_npy(text);
  ASSERT_TRUE(back.ok()) << back.error();
  EXPECT_EQ(back->element, Element::f16);
  EXPECT_EQ(back->bytes, half.bytes);

  const Array brain = *generate("random", Element::bf16, {5, 3});
  const auto wide = parse_npy(npy_file(brain));
  ASSERT_TRUE(wide.ok()) << wide.error();
  EXPECT_EQ(wide->element, Element::f32);
  EXPECT_EQ(wide->extents, brain.extents);
  EXPECT_EQ((*converted(*wide, Element::bf16)).bytes, brain.bytes);
}

TEST(DataHalf, RandomStaysInItsRange) {
  for (const Element element : {Element::f16, Element::bf16})
    for (const auto& [range, low, high] :
         {std::tuple{"random", 0.0, 1.0}, std::tuple{"random:-2..-1.5", -2.0, -1.5},
          std::tuple{"random:-1..0", -1.0, 0.0}, std::tuple{"random:0.25..0.25", 0.25, 0.5}}) {
      const Array array = *generate(range, element, {5000});
      std::set<double> distinct;
      for (int64_t i = 0; i < array.count(); ++i) {
        ASSERT_GE(value_at(array, i), low) << range;
        ASSERT_LT(value_at(array, i), high) << range;
        distinct.insert(value_at(array, i));
      }
      EXPECT_GE(distinct.size(), high == 0.5 ? 1u : 60u) << range;
    }
}

TEST(DataHalf, WildHoldsEveryKindOfNumber) {
  for (const auto& [element, table] :
       {std::pair{Element::f16, test::f16_table()}, std::pair{Element::bf16, test::bf16_table()}}) {
    const Array wild = *generate("wild", element, {4000});
    const double least = table.value(1 << (element == Element::f16 ? 10 : 7));
    int denormals = 0, endless = 0, nans = 0, zeros = 0, huge = 0;
    for (int64_t i = 0; i < wild.count(); ++i) {
      const double value = value_at(wild, i);
      denormals += value != 0 && std::fabs(value) < least;
      endless += std::isinf(value);
      nans += std::isnan(value);
      zeros += value == 0 && std::signbit(value);
      huge += std::isfinite(value) && std::fabs(value) > 1000;
    }
    for (const int count : {denormals, endless, nans, zeros, huge}) EXPECT_GT(count, 50);
  }
}

TEST(DataHalf, OtherInputsAreThoseOfFloats) {
  for (const Element element : {Element::f16, Element::bf16}) {
    EXPECT_TRUE(is_real(element));
    EXPECT_EQ(size_of(element), 2);
    EXPECT_EQ(value_at(*generate("gauss", element, {9}), 4), 1);
    EXPECT_EQ(value_at(*generate("ramp", element, {3}), 1), 0.5);
    EXPECT_EQ(value_at(*generate("constant:-2.5", element, {1}), 0), -2.5);
    const Pixels picture{2, 2, 1, 8, {51, 51, 51, 51}};
    const auto read = channel_of(picture, Channel::brightness, element);
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_NEAR(value_at(*read, 3), 0.2, 0.001);
    EXPECT_TRUE(plot_file({{{{&*read}}}}, "a.png").ok());
  }
  EXPECT_EQ(generate("constant:65520", Element::f16, {1}).error(), "65520 does not fit into f16");
  EXPECT_TRUE(generate("constant:65519", Element::f16, {1}).ok());
  EXPECT_TRUE(generate("constant:1e38", Element::bf16, {1}).ok());
  EXPECT_FALSE(is_real(Element::u16));
  EXPECT_FALSE(is_real(Element::boolean));
}

}  // namespace
}  // namespace stencilc::data
