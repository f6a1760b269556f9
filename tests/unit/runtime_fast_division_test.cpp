// Divisions and roots of ordinary numbers (stencil/device_fast_division.h), from all that a device
// may give near 1/b and 1/sqrt(x): they are those of IEEE 754, or told to be rare.
#include <gtest/gtest.h>
#include <stencil/device_fast_division.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace {

template <typename T>
using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
template <typename T>
constexpr int kDigits = std::numeric_limits<T>::digits;

template <typename T>
bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<Bits<T>>(a) == std::bit_cast<Bits<T>>(b);
}

// What 1/b or 1/sqrt(x) is, and numbers as far from it as a device's may be: an ulp in f32; in f64
// one of the upper half, with a last bit after. Denormals become zero.
template <typename T>
std::vector<T> near_values(long double exact) {
  const auto near = static_cast<T>(exact);
  if (!std::isfinite(near)) return {near};
  if (!std::isnormal(near)) return {std::copysign(T{0}, near)};
  constexpr Bits<T> step = Bits<T>{1} << (sizeof(T) == 4 ? 0 : 32);
  const Bits<T> bits = (std::bit_cast<Bits<T>>(near) & ~(step - 1)) | (sizeof(T) == 4 ? 0 : 1);
  std::vector<T> all;
  for (const Bits<T> one : {bits, bits + step, bits - step})
    if (const T value = std::bit_cast<T>(one); std::isnormal(value)) all.push_back(value);
  return all;
}

template <typename T>
T flushed(T b) {
  return std::fpclassify(b) == FP_SUBNORMAL ? std::copysign(T{0}, b) : b;
}
// 1/(2 - an ulp) lies next to a tie: what is near it has to be the upper neighbour.
template <typename T>
bool all_ones(T b) {
  const Bits<T> mask = (Bits<T>{1} << (kDigits<T> - 1)) - 1;
  return (std::bit_cast<Bits<T>>(b) & mask) == mask;
}
template <typename T>
std::vector<T> near_reciprocals(T b) {
  const T divisor = flushed(b);
  const long double exact = divisor == 0
                                ? std::copysign(std::numeric_limits<T>::infinity(), divisor)
                                : 1.0L / static_cast<long double>(divisor);
  std::vector<T> all = near_values<T>(exact);
  if (all_ones(b) && all.size() > 1) all.resize(1);
  return all;
}

// One step of f32 does not mend every ulp, and the device has no such ones:
// tests/gpu/fast_division.cu takes all floats. Here it begins with the nearest number.
template <typename T>
std::vector<T> only_nearest_in_f32(std::vector<T> all) {
  if (sizeof(T) == 4) all.resize(1);
  return all;
}

struct Seen {
  int64_t usual = 0, rare = 0;
};

template <typename T>
void divide(T a, T b, Seen& seen) {
  for (const T near : near_reciprocals(b)) {
    bool rare = false;
    const T q = st::detail::quotient_from(a, b, near, rare);
    rare ? ++seen.rare : ++seen.usual;
    ASSERT_TRUE(rare || same<T>(q, a / b)) << std::hexfloat << a << " / " << b << " from " << near;
  }
  bool rare = false;  // as st::quotient_by
  const T q = st::detail::quotient_near<T>(a, b, 1 / b, rare);
  rare ? ++seen.rare : ++seen.usual;
  ASSERT_TRUE(rare || same<T>(q, a / b)) << std::hexfloat << a << " / " << b << " by 1/b";
}
template <typename T>
void invert(T b, Seen& seen) {
  for (const T near : only_nearest_in_f32(near_reciprocals(b))) {
    bool rare = false;
    const T r = st::detail::reciprocal_from(b, near, rare);
    rare ? ++seen.rare : ++seen.usual;
    ASSERT_TRUE(rare || same<T>(r, 1 / b)) << std::hexfloat << "1 / " << b << " from " << near;
  }
}
// Of a number from 2^-20 to 1.
template <typename T>
void divide_number(T a, T b, Seen& seen) {
  for (const T near : near_reciprocals(b)) {
    bool rare = false;
    const T q = st::detail::quotient_of_from(a, b, near, rare);
    rare ? ++seen.rare : ++seen.usual;
    ASSERT_TRUE(rare || same<T>(q, a / b)) << std::hexfloat << a << " / " << b << " from " << near;
  }
}
// By a number of few bits.
template <typename T>
void divide_by_number(T a, T b, Seen& seen) {
  T high = 1 / b;
  if (std::fma(-high, b, T{1}) < 0) high = std::nextafter(high, T{0});
  const T low = std::fma(-high, b, T{1}) / b;
  const bool rare = st::detail::is_small(a);
  const T q = st::detail::quotient_of_parts(a, high, low);
  rare ? ++seen.rare : ++seen.usual;
  ASSERT_TRUE(rare || same<T>(q, a / b)) << std::hexfloat << a << " / " << b << " by two parts";
}
template <typename T>
void take_root(T x, Seen& seen) {
  const T other = x == 0 ? 1 : x;  // as st::root
  if (!st::detail::has_fast_root(other)) {
    ++seen.rare;
    return;
  }
  for (const T near :
       only_nearest_in_f32(near_values<T>(1.0L / std::sqrt(static_cast<long double>(other))))) {
    ++seen.usual;
    ASSERT_TRUE(same<T>(st::detail::root_from(x, near), std::sqrt(x)))
        << std::hexfloat << x << " from " << near;
  }
}

#ifdef STENCILC_ALL_TESTS
constexpr int kStepOfF32 = 3, kStepOfF64 = 23;
#else  // exponents apart; the ends of all ranges are there by themselves
constexpr int kStepOfF32 = 7, kStepOfF64 = 53;
#endif

// Zeros, infinities, NaN, the ends of all ranges, and mantissas around powers of two.
template <typename T>
std::vector<T> hard_values() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> all = {0, Limits::infinity(), Limits::quiet_NaN(), Limits::denorm_min(),
                        Limits::max()};
  for (int e = Limits::min_exponent - kDigits<T>; e < Limits::max_exponent;
       e += sizeof(T) == 4 ? kStepOfF32 : kStepOfF64)
    for (const T m : {T{1}, T{1} + Limits::epsilon(), T{2} - Limits::epsilon(), T{1.5}})
      all.push_back(std::ldexp(m, e));
  using U = st::detail::FastRange<T>;
  for (const T end : {U::tiny, 1 / U::tiny, U::least, U::most, Limits::min(), T{0x1p-101f},
                      static_cast<T>(std::ldexp(1.0, -970))})
    for (const T to : {T{0}, Limits::infinity()}) {
      all.push_back(end);
      all.push_back(std::nextafter(end, to));
    }
  const size_t count = all.size();
  for (size_t n = 0; n < count; ++n) all.push_back(-all[n]);
  return all;
}

template <typename T>
void expect_hard_ones() {
  Seen quotients, inverses, roots;
  const std::vector<T> values = hard_values<T>();
  for (const T b : values) {
    invert(b, inverses);
    take_root(b, roots);
    for (const T a : values) divide(a, b, quotients);
    if (testing::Test::HasFatalFailure()) return;
  }
  for (const Seen& seen : {quotients, inverses, roots}) {
    EXPECT_GT(seen.usual, 0);
    EXPECT_GT(seen.rare, 0);
  }
}

TEST(RuntimeFastDivision, HardNumbersAreRightOrRare) {
  expect_hard_ones<float>();
  expect_hard_ones<double>();
}

template <typename T>
void expect_random_ones(int count) {
  std::mt19937_64 random(sizeof(T));
  Seen quotients, inverses, roots;
  for (int n = 0; n < count; ++n) {
    const auto a = std::bit_cast<T>(static_cast<Bits<T>>(random()));
    const auto b = std::bit_cast<T>(static_cast<Bits<T>>(random()));
    const T tame = std::ldexp(std::copysign(T{1}, a) + std::ldexp(static_cast<T>(random()), -64),
                              static_cast<int>(random() % 40) - 20);
    divide(a, b, quotients);
    divide(a, tame, quotients);
    invert(b, inverses);
    take_root(std::fabs(b), roots);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(quotients.usual, count / 2);
  EXPECT_GT(inverses.usual, 9 * count / 10);
  EXPECT_GT(roots.usual, count / 2);
}

TEST(RuntimeFastDivision, RandomNumbersAreRightOrRare) {
  expect_random_ones<float>(60'000);
  expect_random_ones<double>(60'000);
}

template <typename T>
void expect_quotients_of_numbers(int count) {
  std::mt19937_64 random(11);
  Seen seen;
  const std::vector<T> values = hard_values<T>();
  for (const double number : {0x1p-20, 1e-6, 0.1, 0.3, 0.6, 1 - 0x1p-24, 1.0}) {
    const auto a = static_cast<T>(number);
    for (const T b : values) {
      divide_number(a, b, seen);
      divide_number(-a, b, seen);
    }
    for (int n = 0; n < count && !testing::Test::HasFatalFailure(); ++n)
      divide_number(a, std::bit_cast<T>(static_cast<Bits<T>>(random())), seen);
  }
  EXPECT_GT(seen.usual, seen.rare);
  EXPECT_GT(seen.rare, 0);
}

// One comparison tells where the result of a number is wrong.
TEST(RuntimeFastDivision, QuotientsOfNumbersAreRightOrRare) {
  expect_quotients_of_numbers<float>(5'000);
  expect_quotients_of_numbers<double>(5'000);
}

// Of an odd number, modulo 2^64: each of Newton's steps doubles the bits that are right.
uint64_t inverse_of(uint64_t odd) {
  uint64_t inverse = 1;
  for (int step = 0; step < 6; ++step) inverse *= 2 - odd * inverse;
  return inverse;
}

// By numbers of few bits (ir/number_divisor.h), an odd one times a power of two; also where the
// result lies next to the middle between two numbers: a * 2^n = odd * m - or + 1 with m odd and of
// digits+1 bits.
template <typename T>
void expect_quotients_by_numbers(int count) {
  constexpr int digits = kDigits<T>;
  std::mt19937_64 random(13);
  Seen seen;
  const std::vector<T> values = hard_values<T>();
  for (const uint64_t odd : {3, 5, 7, 13, 15, 23, 105, 32767, 65521, 65535}) {
    const auto width = static_cast<int>(std::bit_width(odd)), bits = width + 1;
    const uint64_t inverse = inverse_of(odd);
    for (const int e : {0, 1, 4, -1, -18 - width, 20 - width}) {
      const T b = std::ldexp(static_cast<T>(odd), e);
      for (const T a : values) {
        divide_by_number(a, b, seen);
        divide_by_number(a, -b, seen);
      }
      for (int n = 0; n < count && !testing::Test::HasFatalFailure(); ++n) {
        const uint64_t one = n % 2 == 0 ? inverse : -inverse;
        const uint64_t low = one & ((uint64_t{1} << bits) - 1);
        const uint64_t m = (uint64_t{1} << digits) | (random() & ((uint64_t{1} << digits) - 1));
        const auto next =
            static_cast<__int128>(m >> bits << bits | low) * odd + (n % 2 == 0 ? -1 : 1);
        const auto a = static_cast<T>(static_cast<uint64_t>(next >> bits));
        divide_by_number(std::ldexp(a, static_cast<int>(random() % 60) - 50), b, seen);
        divide_by_number(std::bit_cast<T>(static_cast<Bits<T>>(random())), b, seen);
      }
    }
  }
  EXPECT_GT(seen.usual, seen.rare);
  EXPECT_GT(seen.rare, 0);
}

TEST(RuntimeFastDivision, QuotientsByNumbersOfFewBitsAreRightOrRare) {
  expect_quotients_by_numbers<float>(1'000);
  expect_quotients_by_numbers<double>(1'000);
}

// Quotients next to the middle between two numbers: a * 2^digits = m * b + c with m odd and of
// digits+1 bits, c small.
template <typename T>
void expect_quotients_near_ties(int count) {
  constexpr int digits = kDigits<T>;
  std::mt19937_64 random(7);
  Seen seen;
  for (int n = 0; n < count; ++n) {
    const uint64_t b =
        (uint64_t{1} << (digits - 1)) | (random() & ((uint64_t{1} << (digits - 1)) - 1)) | 1;
    const uint64_t inverse = inverse_of(b);
    for (const int64_t c : {-3, -1, 1, 3}) {
      const uint64_t modulus = uint64_t{1} << (digits + 1);
      const uint64_t m = (inverse * static_cast<uint64_t>(-c)) & (modulus - 1);
      if (m < modulus / 2) continue;
      const __int128 product = static_cast<__int128>(m) * b + c;
      const auto a = static_cast<uint64_t>(product >> (digits + 1));
      ASSERT_EQ(static_cast<uint64_t>(product) & (modulus - 1), 0u);
      for (const int e : {0, -30, 17})
        divide(std::ldexp(static_cast<T>(a), e), static_cast<T>(b), seen);
    }
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(seen.usual, count);
}

TEST(RuntimeFastDivision, QuotientsNextToTiesAreRight) {
  expect_quotients_near_ties<float>(20'000);
  expect_quotients_near_ties<double>(20'000);
}

// Roots next to a tie: x * 2^(digits+1) = m * m - c, or twice that power.
template <typename T>
void expect_roots_near_ties() {
  constexpr int digits = kDigits<T>;
  Seen seen;
  for (const int more : {1, 2})
    for (int c = -999; c <= 999; ++c) {
      if ((c & 7) != 1) continue;
      // m * m = c modulo 2^n, a bit at a time, from each of the four roots modulo 8.
      for (const uint64_t first : {1, 3, 5, 7}) {
        const int bits = digits + more;
        uint64_t m = first;
        for (int n = 3; n < bits; ++n)
          if (((m * m - static_cast<uint64_t>(c)) >> n & 1) != 0) m += uint64_t{1} << (n - 1);
        for (uint64_t one : {m, m + (uint64_t{1} << (bits - 1))}) {
          one &= (uint64_t{1} << (digits + 1)) - 1;
          if (one >> digits == 0) continue;
          const unsigned __int128 square = static_cast<unsigned __int128>(one) * one - c;
          if ((square & ((static_cast<unsigned __int128>(1) << bits) - 1)) != 0) continue;
          const auto x = static_cast<uint64_t>(square >> bits);
          if (static_cast<uint64_t>(static_cast<T>(x)) != x) continue;
          take_root(std::ldexp(static_cast<T>(x), bits & 1), seen);
          take_root(std::ldexp(static_cast<T>(x), (bits & 1) - 60), seen);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  EXPECT_GT(seen.usual, 500);
}

TEST(RuntimeFastDivision, RootsNextToTiesAreRight) {
  expect_roots_near_ties<float>();
  expect_roots_near_ties<double>();
}

}  // namespace
