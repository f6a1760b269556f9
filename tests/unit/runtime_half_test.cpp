// The types of 16 bits of the runtime (stencil/half.h), as the CPU and the executor have them,
// against the table of their values.
#include <gtest/gtest.h>
#include <stencil/cpu.h>
#include <stencil/half.h>

#include <cmath>
#include <cstring>

#include "support/half_table.h"

namespace {

using test::bf16_table;
using test::f16_table;

uint64_t bits(double value) {
  uint64_t result = 0;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

template <typename Half>
void expect_reads(const test::HalfTable& table) {
  for (int i = 0; i <= 0xffff; ++i) {
    const Half half = {static_cast<uint16_t>(i)};
    if (std::isnan(table.value(i))) {
      ASSERT_TRUE(std::isnan(st::f32(half))) << i;
    } else {
      ASSERT_EQ(bits(st::f32(half)), bits(table.value(i))) << i;
      ASSERT_EQ(bits(st::f64(half)), bits(table.value(i))) << i;
    }
  }
}

template <typename T>
void expect_rounds() {
  for (const T number : f16_table().edges<T>())
    ASSERT_EQ(st::f16(number).bits, f16_table().nearest(number)) << number;
  for (const T number : bf16_table().edges<T>())
    ASSERT_EQ(st::bf16(number).bits, bf16_table().nearest(number)) << number;
  for (const T nan : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::signaling_NaN()})
    for (const T number : {nan, -nan}) {
      EXPECT_TRUE(std::isnan(st::f32(st::f16(number))));
      EXPECT_TRUE(std::isnan(st::f32(st::bf16(number))));
    }
}

TEST(RuntimeHalf, ReadsEveryValue) {
  expect_reads<stencil::f16>(f16_table());
  expect_reads<stencil::bf16>(bf16_table());
}

TEST(RuntimeHalf, RoundsFloatsToTheNearest) {
  expect_rounds<float>();
  // And at odd places: a stride through all floats.
  for (uint64_t i = 0; i < uint64_t{1} << 32; i += 104729) {
    const float number = st::float_of(static_cast<uint32_t>(i));
    if (std::isnan(number)) continue;
    ASSERT_EQ(st::f16(number).bits, f16_table().nearest(number)) << number;
    ASSERT_EQ(st::bf16(number).bits, bf16_table().nearest(number)) << number;
  }
}

TEST(RuntimeHalf, RoundsDoublesOnce) {
  expect_rounds<double>();
  // Through a float these would be the middle, and go to even.
  EXPECT_EQ(st::f16(1 + 0x1p-11 + 0x1p-40).bits, 0x3c01);
  EXPECT_EQ(st::bf16(1 + 0x1p-8 + 0x1p-40).bits, 0x3f81);
  EXPECT_EQ(st::bf16(1 + 0x3p-8 - 0x1p-40).bits, 0x3f81);
}

TEST(RuntimeHalf, RoundsIntegersOnce) {
  for (const int64_t number : test::integer_edges()) {
    const auto real = static_cast<long double>(number);
    ASSERT_EQ(st::f16(number).bits, f16_table().nearest(real)) << number;
    ASSERT_EQ(st::bf16(number).bits, bf16_table().nearest(real)) << number;
    if (number < INT32_MIN || number > INT32_MAX) continue;
    ASSERT_EQ(st::f16(static_cast<int32_t>(number)).bits, f16_table().nearest(real)) << number;
    ASSERT_EQ(st::bf16(static_cast<int32_t>(number)).bits, bf16_table().nearest(real)) << number;
  }
  // Through a double this would be the middle.
  EXPECT_EQ(st::bf16((int64_t{1} << 60) + (int64_t{1} << 52) + 1).bits, 0x5d81);
  EXPECT_EQ(st::f16(true).bits, 0x3c00);
  EXPECT_EQ(st::f16(uint8_t{255}).bits, f16_table().nearest(255));
}

TEST(RuntimeHalf, BecomesIntegersAsTheFloatDoes) {
  EXPECT_EQ(st::convert<int32_t>(st::f16(-2.5f)), -2);
  EXPECT_EQ(st::convert<uint8_t>(st::bf16(1000.0f)), 255);
  EXPECT_EQ(st::saturate<uint8_t>(st::f16(2.5f)), 2);
  EXPECT_EQ(st::saturate<int8_t>(st::bf16(-1000.0f)), -128);
}

TEST(RuntimeHalf, GridsHoldThem) {
  stencil::Grid<stencil::f16, 2> grid({3, 2});
  ASSERT_TRUE(grid.status().ok());
  const stencil::f16 in[6] = {{1}, {2}, {0x7c00}, {0x7e01}, {0x8000}, {6}};
  stencil::f16 out[6] = {};
  ASSERT_TRUE(grid.copy_from(in).ok());
  ASSERT_TRUE(grid.copy_to(out).ok());
  EXPECT_EQ(std::memcmp(in, out, sizeof in), 0);
}

}  // namespace
