// Conversions of numbers (stencil/device_number.h) by tricks, against what they stand for.
#include <gtest/gtest.h>
#include <stencil/cpu.h>
#include <stencil/device_number.h>

#include <cmath>
#include <limits>

namespace {

template <typename Int>
void expect_integers_as_floats() {
  for (int value = std::numeric_limits<Int>::min(); value <= std::numeric_limits<Int>::max();
       ++value)
    ASSERT_EQ(st::detail::f32_by_sum(static_cast<Int>(value)), static_cast<float>(value)) << value;
}

template <typename Int>
void expect_saturated(float value) {
  ASSERT_EQ(st::saturate<Int>(value), st::convert<Int>(std::nearbyint(value))) << value;
}

template <typename Int>
void expect_floats_saturated() {
  // Ties and their neighbours, from below the least value to above the greatest.
  for (int twice = -140'000; twice <= 140'000; ++twice) {
    const float value = static_cast<float>(twice) / 2;
    expect_saturated<Int>(value);
    expect_saturated<Int>(std::nextafter(value, 1e9f));
    expect_saturated<Int>(std::nextafter(value, -1e9f));
  }
  using Limits = std::numeric_limits<float>;
  for (const float value : {Limits::max(), Limits::infinity(), Limits::denorm_min(), 0.0f, 1e7f}) {
    expect_saturated<Int>(value);
    expect_saturated<Int>(-value);
  }
  EXPECT_EQ(st::saturate<Int>(Limits::quiet_NaN()), 0);
}

TEST(RuntimeNumber, ReadsEveryNarrowIntegerAsAFloat) {
  expect_integers_as_floats<int8_t>();
  expect_integers_as_floats<uint8_t>();
  expect_integers_as_floats<int16_t>();
  expect_integers_as_floats<uint16_t>();
}

TEST(RuntimeNumber, SaturatesFloatsLikeARoundingAndAConversion) {
  expect_floats_saturated<int8_t>();
  expect_floats_saturated<uint8_t>();
  expect_floats_saturated<int16_t>();
  expect_floats_saturated<uint16_t>();
}

}  // namespace
