// Divisions by numbers: the two parts of the reciprocal give the quotient that IEEE 754 asks for,
// and what is taken to be no very small number is none.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "ir/number_divisor.h"
#include "support/analysed.h"
#include "support/tables.h"

namespace stencilc::ir {
namespace {

template <typename T>
constexpr Type kType = sizeof(T) == 4 ? Type::f32 : Type::f64;

// As st::quotient_by_number; a smaller dividend is rare.
template <typename T>
constexpr T kLeast = static_cast<T>(sizeof(T) == 4 ? 0x1p-85 : 0x1p-700);

template <typename T>
void expect_quotient(T a, T b, const TwoParts& parts) {
  if (std::abs(a) < kLeast<T> && a != 0) return;
  const T q = std::fma(a, static_cast<T>(parts.high), a * static_cast<T>(parts.low)), exact = a / b;
  const bool same =
      std::isnan(exact) ? std::isnan(q) : q == exact && std::signbit(q) == std::signbit(exact);
  ASSERT_TRUE(same) << std::hexfloat << a << " / " << b << " is " << exact << ", and not " << q;
}

// Dividends whose quotients lie next to the middle of two numbers, and the ends of all ranges.
template <typename T>
void expect_quotients_by(T b, int count) {
  SCOPED_TRACE(static_cast<double>(b));
  const auto parts = two_part_reciprocal(b, kType<T>);
  ASSERT_TRUE(parts);
  EXPECT_EQ(std::signbit(parts->high), std::signbit(b));
  EXPECT_EQ(std::signbit(parts->low), std::signbit(b));
  constexpr int kDigits = std::numeric_limits<T>::digits;
  std::mt19937_64 random(1);
  for (int n = 0; n < count; ++n) {
    const uint64_t middle = (random() >> (64 - kDigits)) | 1;
    const auto near =
        static_cast<T>(static_cast<long double>(b) * (static_cast<long double>(middle) + 0.5L));
    const T scaled = std::ldexp(near, static_cast<int>(random() % 100) - 80);
    for (const T a : {scaled, std::nextafter(scaled, T{0}), std::nextafter(scaled, 2 * scaled)})
      expect_quotient<T>(a, b, *parts);
  }
  using Limits = std::numeric_limits<T>;
  for (const T a : {T{0}, Limits::infinity(), Limits::quiet_NaN(), Limits::max(), kLeast<T>, T{1}})
    for (const T one : {a, -a}) expect_quotient<T>(one, b, *parts);
}

TEST(NumberDivisor, QuotientsAreRoundedToNearest) {
  for (const float b : {3.0f, 12.0f, -9.0f, 100.0f, 159.0f, 0.75f, 1048575.0f / 16, 0x1.8p-16f})
    expect_quotients_by<float>(b, 4000);
  for (const double b : {3.0, -12.0, 159.0, 0x1.fffffffffffp15})
    expect_quotients_by<double>(b, 4000);
}

TEST(NumberDivisor, ManyBitsPowersOfTwoAndFarNumbersHaveNone) {
  for (const double b : {4.0, 0.1f * 1.0, 1048577.0 / 32, 0.0, 65537.0, 0x1.8p-17,
                         std::numeric_limits<double>::infinity()})
    EXPECT_FALSE(two_part_reciprocal(b, Type::f32)) << b;
  EXPECT_FALSE(two_part_reciprocal(12, Type::f16));
  EXPECT_TRUE(two_part_reciprocal(1048577.0 / 32, Type::f64));
}

// A value => is it finite, and 0 or no very small number, whatever the inputs are?
constexpr const char* kValues = R"(
  f32(b)                                     => yes
  f32(b[x+1] - b[x-1])                       => yes
  2*f32(b) - f32(b[x+1])/12                  => yes
  0.3*f32(b)*f32(b)*f32(n)                   => yes
  abs(floor(f32(b)/7)) + max(f32(b), x)      => yes
  b > 3 ? f32(b) : 0.25                      => yes
  f64(n)/3                                   => yes
  u                                          => no
  u*f32(b)                                   => no
  p*f32(b)                                   => no
  f32(b)/u                                   => no
  sqrt(f32(b))                               => no
  b > 3 ? f32(b) : u                         => no
  f32(b)*1e-20*1e-20                         => no
  f32(n)*f32(n)*1e12*1e12                    => no
)";

TEST(NumberDivisor, IntegersMakeUsualNumbers) {
  const auto is_usual = [](const std::string& value) {
    const Stencil stencil = stencilc::testing::canonical(
        "stencil s { axes x, y; param f32 p; field f32 u in boundary clamp; field u8 b in boundary "
        "clamp; "
        "field i32 n in; field f64 v out; v = " +
        value + "; }");
    ExprPtr expr = stencil.updates[0].cases[0].value;
    while (const auto* cast = as<Cast>(expr)) {  // to the type of v
      if (!is_float(cast->value->type)) break;
      expr = cast->value;
    }
    return std::string(Grains().is_usual(expr) ? "yes" : "no");
  };
  stencilc::testing::expect_rows(is_usual, kValues);
}

}  // namespace
}  // namespace stencilc::ir
