// The prelude of kernels (stencil/device*.h, stencil/half.h), as the CPU and the executor have it,
// against independent definitions: the boundary table of docs/language.md and those of
// scipy.ndimage, exact arithmetic in wider types, and every value of the narrow types.
#include <gtest/gtest.h>
#include <stencil/cpu.h>
#include <stencil/device.h>
#include <stencil/device_index.h>
#include <stencil/device_number.h>
#include <stencil/half.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "support/half_table.h"
#include "support/ndimage_tables.h"

namespace {

// What a boundary shows beyond a line, built outwards cell by cell: the two ends are extended in
// turn from what is there.
std::vector<int> extended(int n, int margin, const char* kind) {
  std::vector<int> period;  // one period of the endless line, from cell 0 on
  for (int i = 0; i < n; ++i) period.push_back(i);
  if (std::strcmp(kind, "reflect") == 0)
    for (int i = n - 1; i >= 0; --i) period.push_back(i);
  if (std::strcmp(kind, "mirror") == 0)
    for (int i = n - 2; i >= 1; --i) period.push_back(i);
  std::vector<int> line;
  for (int i = -margin; i < n + margin; ++i) {
    if (std::strcmp(kind, "clamp") == 0) {
      line.push_back(i < 0 ? period.front() : i >= n ? period.back() : i);
    } else {
      const int length = static_cast<int>(period.size());
      line.push_back(period[static_cast<size_t>((i + 1000 * length) % length)]);
    }
  }
  return line;
}

template <typename Index>
void expect_maps() {
  constexpr int margin = 40;
  for (int n = 1; n <= 12; ++n) {
    const auto clamp = extended(n, margin, "clamp"), reflect = extended(n, margin, "reflect");
    const auto mirror = extended(n, margin, "mirror"), wrap = extended(n, margin, "wrap");
    for (int i = -margin; i < n + margin; ++i) {
      SCOPED_TRACE(::testing::Message() << "i " << i << ", n " << n);
      const auto at = static_cast<size_t>(i + margin);
      const Index index = i, extent = n;
      EXPECT_EQ(st::clamp(index, extent), clamp[at]);
      EXPECT_EQ(st::reflect(index, extent), reflect[at]);
      EXPECT_EQ(st::mirror(index, extent), mirror[at]);
      EXPECT_EQ(st::wrap(index, extent), wrap[at]);
      EXPECT_EQ(st::inside(index, extent), 0 <= i && i < n);
    }
  }
}

TEST(DeviceIndex, MapsEveryOffsetToTheTable) {
  expect_maps<int>();
  expect_maps<int64_t>();
}

TEST(DeviceIndex, TheTableItself) {  // a b c d, two cells to each side
  EXPECT_EQ(extended(4, 2, "clamp"), (std::vector{0, 0, 0, 1, 2, 3, 3, 3}));
  EXPECT_EQ(extended(4, 2, "reflect"), (std::vector{1, 0, 0, 1, 2, 3, 3, 2}));
  EXPECT_EQ(extended(4, 2, "mirror"), (std::vector{2, 1, 0, 1, 2, 3, 2, 1}));
  EXPECT_EQ(extended(4, 2, "wrap"), (std::vector{2, 3, 0, 1, 2, 3, 0, 1}));
}

TEST(DeviceIndex, NeverOverflowsOnTheLongestLines) {
  constexpr int n = std::numeric_limits<int>::max() - 64;
  EXPECT_EQ(st::reflect(n + 63, n), n - 64);
  EXPECT_EQ(st::mirror(n + 63, n), n - 65);
  EXPECT_EQ(st::wrap(n + 63, n), 63);
  EXPECT_EQ(st::wrap(-64, n), n - 64);
  EXPECT_EQ(st::clamp(n + 63, n), n - 1);
}

template <typename Float>
void expect_min_max() {
  const Float nan = std::numeric_limits<Float>::quiet_NaN();
  const Float infinity = std::numeric_limits<Float>::infinity();
  const Float values[] = {
      nan,      -nan,        -infinity, -Float(2), std::numeric_limits<Float>::denorm_min(),
      Float(3), Float(-0.0), Float(0),  infinity,  -std::numeric_limits<Float>::denorm_min()};
  // The order in which min and max choose; -0 stands below +0.
  const auto before = [](Float a, Float b) {
    return a < b || (a == b && std::signbit(a) && !std::signbit(b));
  };
  for (const Float a : values)
    for (const Float b : values) {
      const Float low = st::min(a, b), high = st::max(a, b);
      if (std::isnan(a) && std::isnan(b)) {
        EXPECT_TRUE(std::isnan(low) && std::isnan(high));
        continue;
      }
      const Float want_low = std::isnan(a) ? b : std::isnan(b) ? a : before(b, a) ? b : a;
      const Float want_high = std::isnan(a) ? b : std::isnan(b) ? a : before(a, b) ? b : a;
      EXPECT_EQ(std::memcmp(&low, &want_low, sizeof low), 0) << a << " min " << b << " is " << low;
      EXPECT_EQ(std::memcmp(&high, &want_high, sizeof high), 0)
          << a << " max " << b << " is " << high;
    }
}

TEST(DeviceNumber, NumbersWinOverNanAndMinusZeroIsBelowZero) {
  expect_min_max<float>();
  expect_min_max<double>();
}

// Truncation and saturation by exact comparison in long double, which holds every value of every
// type here.
template <typename To>
To truncated(long double value) {
  if (std::isnan(value)) return 0;
  const long double low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
  const long double whole = std::trunc(value);
  return whole < low    ? std::numeric_limits<To>::min()
         : whole > high ? std::numeric_limits<To>::max()
                        : static_cast<To>(whole);
}
long double half_to_even(long double value) {
  const long double below = std::floor(value), rest = value - below;
  if (rest != 0.5L) return rest < 0.5L ? below : below + 1;
  return std::fmod(below, 2.0L) == 0 ? below : below + 1;
}
template <typename To>
To rounded(long double value) {
  return std::isfinite(value) ? truncated<To>(half_to_even(value)) : truncated<To>(value);
}

template <typename To, typename From>
void expect_conversion(From value) {
  EXPECT_EQ(st::convert<To>(value), truncated<To>(value)) << value;
  EXPECT_EQ(st::saturate<To>(value), rounded<To>(value)) << value;
}

// Around both ends of To, in steps of a quarter and of one unit in the last place.
template <typename To, typename From>
void expect_edges() {
  const From infinity = std::numeric_limits<From>::infinity();
  const From centres[] = {0,
                          static_cast<From>(std::numeric_limits<To>::min()),
                          static_cast<From>(std::numeric_limits<To>::max()),
                          infinity,
                          -infinity,
                          std::numeric_limits<From>::max(),
                          std::numeric_limits<From>::lowest(),
                          std::numeric_limits<From>::denorm_min(),
                          From(0.5),
                          From(1.5),
                          From(2.5)};
  for (const From centre : centres) {
    From up = centre, down = centre;
    for (int i = 0; i < 20; ++i) {
      for (const From value : {up, down, centre + From(i) / 4, centre - From(i) / 4, -up})
        expect_conversion<To>(value);
      up = std::nextafter(up, infinity);
      down = std::nextafter(down, -infinity);
    }
  }
  expect_conversion<To>(std::numeric_limits<From>::quiet_NaN());
}

template <typename To>
void expect_from_floats() {
  expect_edges<To, float>();
  expect_edges<To, double>();
  for (int quarter = -4 * 70000; quarter <= 4 * 70000; quarter += sizeof(To) > 2 ? 7 : 1) {
    const float value = static_cast<float>(quarter) / 4;
    ASSERT_EQ(st::convert<To>(value), truncated<To>(value)) << value;
    ASSERT_EQ(st::saturate<To>(value), rounded<To>(value)) << value;
  }
}

template <typename... Types, typename Test>
void for_types(const Test& test) {
  (test.template operator()<Types>(), ...);
}

TEST(DeviceNumber, FloatsBecomeIntegersWithoutUndefinedValues) {
  for_types<int8_t, uint8_t, int16_t, uint16_t, int32_t, int64_t>(
      []<class To>() { expect_from_floats<To>(); });
}

template <typename To>
void expect_from_integers() {
  std::vector<int64_t> values;
  for (int64_t v = -70000; v <= 70000; ++v) values.push_back(v);
  for (const int64_t edge : {INT64_MIN, INT64_MIN / 2, int64_t{INT32_MIN}, int64_t{INT32_MAX},
                             int64_t{UINT32_MAX}, INT64_MAX / 2, INT64_MAX - 3})
    for (int64_t step = 0; step < 4; ++step) values.push_back(edge + step);
  for (const int64_t value : values) {
    // The bits that are left, by remainder, and the nearest end, by comparison.
    const __int128 range = __int128{1} << (8 * sizeof(To));
    __int128 bits = ((value % range) + range) % range;
    if (bits > std::numeric_limits<To>::max()) bits -= range;
    ASSERT_EQ(st::convert<To>(value), static_cast<To>(bits)) << value;
    ASSERT_EQ(st::saturate<To>(value), truncated<To>(value)) << value;
    if (value >= INT32_MIN && value <= INT32_MAX) {
      ASSERT_EQ(st::convert<To>(static_cast<int32_t>(value)), static_cast<To>(bits));
      ASSERT_EQ(st::saturate<To>(static_cast<int32_t>(value)), truncated<To>(value));
    }
  }
}

TEST(DeviceNumber, IntegersWrapWhenConvertedAndStopWhenSaturated) {
  for_types<int8_t, uint8_t, int16_t, uint16_t, int32_t, int64_t>(
      []<class To>() { expect_from_integers<To>(); });
}

TEST(DeviceNumber, ConvertsToBoolAndToFloat) {
  EXPECT_FALSE(st::convert<bool>(-0.0f));
  EXPECT_TRUE(st::convert<bool>(std::numeric_limits<float>::denorm_min()));
  EXPECT_TRUE(st::convert<bool>(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_TRUE(st::convert<bool>(int64_t{1} << 40));
  EXPECT_EQ(st::convert<float>(int32_t{16777217}), 16777216.0f);  // a tie goes to even
  EXPECT_EQ(st::convert<float>(int32_t{16777219}), 16777220.0f);
  EXPECT_EQ(st::convert<double>(INT64_MAX), 0x1p63);
  EXPECT_EQ(st::convert<float>(0x1.000001p0), 1.0f);
  EXPECT_EQ(st::convert<double>(true), 1.0);
}

template <typename Int>
void expect_integer_arithmetic() {
  using Wide = __int128;
  const Int least = std::numeric_limits<Int>::min(), most = std::numeric_limits<Int>::max();
  const auto wrapped = [](Wide value) {
    const Wide range = Wide{1} << (8 * sizeof(Int));
    Wide bits = value % range;
    if (bits < 0) bits += range;
    return static_cast<Int>(bits >= range / 2 ? bits - range : bits);
  };
  std::vector<Int> values = {least, least + 1, least / 2, most / 2, most - 1, most, 46341, -46341};
  for (Int v = -20; v <= 20; ++v) values.push_back(v);
  for (const Int a : values) {
    EXPECT_EQ(st::neg(a), wrapped(-Wide{a}));
    EXPECT_EQ(st::abs(a), a == least ? most : a < 0 ? -a : a);
    for (const Int b : values) {
      SCOPED_TRACE(::testing::Message() << a << ", " << b);
      EXPECT_EQ(st::add(a, b), wrapped(Wide{a} + b));
      EXPECT_EQ(st::sub(a, b), wrapped(Wide{a} - b));
      EXPECT_EQ(st::mul(a, b), wrapped(Wide{a} * b));
      EXPECT_EQ(st::min(a, b), std::min(a, b));
      EXPECT_EQ(st::max(a, b), std::max(a, b));
      if (b == 0) {
        EXPECT_EQ(st::idiv(a, b), 0);
        EXPECT_EQ(st::imod(a, b), 0);
        continue;
      }
      // The floor: the only quotient whose remainder lies between 0 and b.
      const Wide remainder = Wide{a} - Wide{st::idiv(a, b)} * b;
      if (a == least && b == -1) {
        EXPECT_EQ(st::idiv(a, b), least);
        EXPECT_EQ(st::imod(a, b), 0);
      } else {
        EXPECT_EQ(Wide{st::imod(a, b)}, remainder);
        EXPECT_TRUE(b > 0 ? 0 <= remainder && remainder < b : b < remainder && remainder <= 0);
      }
    }
  }
}

TEST(DeviceNumber, IntegerArithmeticWrapsAndDivisionFloors) {
  expect_integer_arithmetic<int32_t>();
  expect_integer_arithmetic<int64_t>();
}

using st::Side;
using stencilc::testing::kGhosts;
using stencilc::testing::kLongest;

template <typename Index>
struct Map {
  const char* name;
  Index (*function)(Index, Index);
  const char* const* table;
};

template <typename Index>
void expect_tables() {
  using namespace stencilc::testing;
  const Map<Index> maps[] = {
      {"clamp", st::clamp<Index>, kNearest},
      {"reflect", st::reflect<Index>, kReflect},
      {"mirror", st::mirror<Index>, kMirror},
      {"wrap", st::wrap<Index>, kWrap},
      {"fold clamp", st::fold<Side::clamp, Side::clamp, Index>, kNearest},
      {"fold reflect", st::fold<Side::reflect, Side::reflect, Index>, kReflect},
      {"fold antireflect", st::fold<Side::antireflect, Side::reflect, Index>, kReflect},
      {"fold mirror", st::fold<Side::mirror, Side::mirror, Index>, kMirror},
      {"fold stop", st::fold<Side::stop, Side::stop, Index>, kConstant}};
  for (const Map<Index>& map : maps)
    for (Index n = 1; n <= kLongest; ++n)
      for (Index radius = 1; radius <= kGhosts; ++radius)
        for (Index i = -radius; i < n + radius; ++i) {
          const Index cell = map.function(i, n);
          const char letter = st::inside(cell, n) ? static_cast<char>('a' + cell) : '.';
          ASSERT_EQ(letter, map.table[n - 1][i + kGhosts])
              << map.name << " of " << n << " at " << i;
          if (letter == '.') {
            ASSERT_EQ(cell, i) << map.name;
          }
        }
}

TEST(IndexMaps, AreThoseOfNdimage) {
  expect_tables<int>();
  expect_tables<int64_t>();
}

// Pieces of a line of 5 cells: some of its cells; of one that goes round, some beyond its ends.
TEST(IndexMaps, APieceHasItsCellsBesideEachOther) {
  EXPECT_EQ(st::held(2, 1, 3, 5), 1);
  EXPECT_EQ(st::held(4, -1, 3, 5), 0);
  EXPECT_EQ(st::held(0, 3, 3, 5), 2);
  EXPECT_EQ(st::held(-1, -1, 7, 5), 0);
  EXPECT_EQ(st::held(5, -1, 7, 5), 6);
  for (int i = -9; i < 15; ++i) EXPECT_TRUE(st::inside(st::held(i, 1, 3, 5), 3)) << i;
}

// Of a grid of 2^36 cells, too, whose coordinates are short.
TEST(IndexMaps, IndicesAreAsWideAsThePieceAsks) {
  const stencil::Shape cube = stencil::shape({4096, 4096, 4096}, 4096);
  EXPECT_FALSE(stencil::fits_32_bits(cube.plane * cube.nz));
  EXPECT_FALSE(stencil::fits_32_bits(cube, stencil::Piece::of(cube)));
  EXPECT_TRUE(stencil::fits_32_bits(cube, {1000, 32}));
  EXPECT_FALSE(stencil::fits_32_bits(cube, {1000, 128}));
  const stencil::Shape sheet = stencil::shape({1 << 16, 1 << 20}, 1 << 16);
  EXPECT_TRUE(stencil::fits_32_bits(sheet, {1 << 19, 1 << 13}));
  const stencil::Shape high = stencil::shape({16, int64_t{1} << 40}, 16);
  EXPECT_FALSE(stencil::fits_32_bits(high, {int64_t{1} << 39, 100}));
  EXPECT_EQ((stencil::Piece{1000, 32}.of_memory(cube).span()), 32 * cube.plane);
}

// At -6 .. n+5; upper case: the sign is changed; a dot: the index stays beyond a side that stops.
template <Side low, Side high>
std::string walk(int n) {
  std::string cells;
  for (int i = -6; i < n + 6; ++i) {
    const int cell = st::fold<low, high>(i, n);
    const char first = st::flips<low, high>(i, n) ? 'A' : 'a';
    cells += st::inside(cell, n) ? static_cast<char>(first + cell) : '.';
  }
  return cells;
}

TEST(IndexMaps, TwoEndsTakeTurns) {
  EXPECT_EQ((walk<Side::clamp, Side::reflect>(3)), "aaaaaaabccbaaaa");
  EXPECT_EQ((walk<Side::reflect, Side::clamp>(3)), "ccccbaabccccccc");
  EXPECT_EQ((walk<Side::mirror, Side::antireflect>(3)), "BABCcbabcCBABCc");
  EXPECT_EQ((walk<Side::antireflect, Side::antireflect>(3)), "abcCBAabcCBAabc");
  EXPECT_EQ((walk<Side::reflect, Side::mirror>(2)), "abaabaabaabaab");
  EXPECT_EQ((walk<Side::mirror, Side::reflect>(1)), "aaaaaaaaaaaaa");
  EXPECT_EQ((walk<Side::reflect, Side::stop>(2)), "....baab......");
  EXPECT_EQ((walk<Side::stop, Side::mirror>(3)), "......abcba....");
  // beyond a side that stops the index is kept, with the sign it has by then
  EXPECT_EQ((st::fold<Side::antireflect, Side::stop>(-4, 2)), 3);
  EXPECT_TRUE((st::flips<Side::antireflect, Side::stop>(-4, 2)));
  EXPECT_EQ((st::fold<Side::antireflect, Side::stop>(5, 2)), 5);
  EXPECT_FALSE((st::flips<Side::antireflect, Side::stop>(5, 2)));
}

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

// Every one as a float, and floats saturated like a rounding and a conversion.
TEST(RuntimeNumber, NarrowIntegersAndFloats) {
  for_types<int8_t, uint8_t, int16_t, uint16_t>([]<class Int>() {
    expect_integers_as_floats<Int>();
    expect_floats_saturated<Int>();
  });
}

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
