// Numbers: minimum and maximum, conversions and integer arithmetic, defined for every operand and
// with the same bits on every target.
#pragma once

#include <cstdint>

#include "device_target.h"

namespace st {
inline namespace STENCIL_TARGET {

// A number wins over NaN, and -0 is less than +0.
STENCIL_FUNCTION float min(float a, float b) {
#if defined(__CUDA_ARCH__)
  return fminf(a, b);
#else
  if (a != a || b != b) return a != a ? b : a;
  return a < b || (a == b && __builtin_signbit(a)) ? a : b;
#endif
}
STENCIL_FUNCTION double min(double a, double b) {
#if defined(__CUDA_ARCH__)
  return fmin(a, b);
#else
  if (a != a || b != b) return a != a ? b : a;
  return a < b || (a == b && __builtin_signbit(a)) ? a : b;
#endif
}
STENCIL_FUNCTION float max(float a, float b) {
#if defined(__CUDA_ARCH__)
  return fmaxf(a, b);
#else
  if (a != a || b != b) return a != a ? b : a;
  return a > b || (a == b && __builtin_signbit(b)) ? a : b;
#endif
}
STENCIL_FUNCTION double max(double a, double b) {
#if defined(__CUDA_ARCH__)
  return fmax(a, b);
#else
  if (a != a || b != b) return a != a ? b : a;
  return a > b || (a == b && __builtin_signbit(b)) ? a : b;
#endif
}
STENCIL_FUNCTION int32_t min(int32_t a, int32_t b) { return a < b ? a : b; }
STENCIL_FUNCTION int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }
STENCIL_FUNCTION int32_t max(int32_t a, int32_t b) { return a > b ? a : b; }
STENCIL_FUNCTION int64_t max(int64_t a, int64_t b) { return a > b ? a : b; }

// Integer arithmetic that wraps around.
STENCIL_FUNCTION int32_t add(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
STENCIL_FUNCTION int64_t add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
STENCIL_FUNCTION int32_t sub(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b));
}
STENCIL_FUNCTION int64_t sub(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
STENCIL_FUNCTION int32_t mul(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}
STENCIL_FUNCTION int64_t mul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
STENCIL_FUNCTION int32_t neg(int32_t a) { return sub(int32_t{0}, a); }
STENCIL_FUNCTION int64_t neg(int64_t a) { return sub(int64_t{0}, a); }
// The same as -a. g++ makes one operation of -fma(a, b, c), which loses the sign of a zero; through
// this it does not see.
STENCIL_FUNCTION float neg(float a) {
  uint32_t bits = 0;
  __builtin_memcpy(&bits, &a, sizeof a);
  bits ^= uint32_t{1} << 31;
  __builtin_memcpy(&a, &bits, sizeof a);
  return a;
}
STENCIL_FUNCTION double neg(double a) {
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &a, sizeof a);
  bits ^= uint64_t{1} << 63;
  __builtin_memcpy(&a, &bits, sizeof a);
  return a;
}
// Never negative: the most negative number gives the largest. (ptxas takes the result of abs.s32
// for non-negative, so that one which wraps would have no meaning in what follows.)
STENCIL_FUNCTION int32_t abs(int32_t a) { return a == INT32_MIN ? INT32_MAX : a < 0 ? -a : a; }
STENCIL_FUNCTION int64_t abs(int64_t a) { return a == INT64_MIN ? INT64_MAX : a < 0 ? -a : a; }

template <typename Int>
STENCIL_FUNCTION bool is_power_of_two(Int a) {
  return a > 0 && (a & (a - 1)) == 0;
}
// Division rounded toward minus infinity, and its remainder, which has the sign of b. Both are 0
// for b == 0. By a power of two that the compiler knows, such as 2 in x % 2, the remainder is one
// operation, and known where the last bits of `a` are.
template <typename Int>
STENCIL_FUNCTION Int idiv(Int a, Int b) {
  if (b == 0) return 0;
  if (b == -1) return neg(a);  // the quotient of the most negative number does not fit
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
}
template <typename Int>
STENCIL_FUNCTION Int imod(Int a, Int b) {
  if (is_power_of_two(b)) return a & (b - 1);
  if (b == 0 || b == -1) return 0;
  const Int rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// How many bits are 1, of an integer of 32 or 64 bits.
template <typename Int>
STENCIL_FUNCTION int32_t popcount(Int a) {
#ifdef __CUDA_ARCH__
  return sizeof a == 8 ? __popcll(static_cast<unsigned long long>(a))
                       : __popc(static_cast<unsigned>(a));
#else
  return sizeof a == 8 ? __builtin_popcountll(static_cast<unsigned long long>(a))
                       : __builtin_popcount(static_cast<unsigned>(a));
#endif
}

// Ends of the integer types, and the first number above them, which floats hold exactly.
template <typename T>
struct Bounds {
  static constexpr bool is_integer = false;
};
template <typename T, T Low, T High>
struct IntegerBounds {
  static constexpr bool is_integer = true;
  static constexpr T low = Low;
  static constexpr T high = High;
  static constexpr double above = 2.0 * (High / 2 + 1);
};
template <>
struct Bounds<int8_t> : IntegerBounds<int8_t, INT8_MIN, INT8_MAX> {};
template <>
struct Bounds<uint8_t> : IntegerBounds<uint8_t, 0, UINT8_MAX> {};
template <>
struct Bounds<int16_t> : IntegerBounds<int16_t, INT16_MIN, INT16_MAX> {};
template <>
struct Bounds<uint16_t> : IntegerBounds<uint16_t, 0, UINT16_MAX> {};
template <>
struct Bounds<int32_t> : IntegerBounds<int32_t, INT32_MIN, INT32_MAX> {};
template <>
struct Bounds<int64_t> : IntegerBounds<int64_t, INT64_MIN, INT64_MAX> {};

template <typename T>
struct IsFloat {
  static constexpr bool value = false;
};
template <>
struct IsFloat<float> {
  static constexpr bool value = true;
};
template <>
struct IsFloat<double> {
  static constexpr bool value = true;
};

// Float to integer truncates and saturates, NaN gives 0; integer to a narrower integer wraps
// around; to bool, everything but zero is true; to a float, rounded to nearest even.
template <typename To, typename From>
STENCIL_FUNCTION To convert(From value) {
  if constexpr (IsFloat<From>::value && Bounds<To>::is_integer) {
    if (!(value >= static_cast<From>(Bounds<To>::low))) return value != value ? 0 : Bounds<To>::low;
    if (!(value < static_cast<From>(Bounds<To>::above))) return Bounds<To>::high;
  }
  return static_cast<To>(value);
}

STENCIL_FUNCTION float round_even(float value) {
#if defined(__CUDA_ARCH__)
  return rintf(value);
#else
  return __builtin_rintf(value);
#endif
}
STENCIL_FUNCTION double round_even(double value) {
#if defined(__CUDA_ARCH__)
  return rint(value);
#else
  return __builtin_rint(value);
#endif
}

// The bits of a float.
STENCIL_FUNCTION uint32_t bits_of(float value) {
  uint32_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
STENCIL_FUNCTION float float_of(uint32_t bits) {
  float value = 0;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

// Conversions between floats and integers of 16 bits or fewer by additions, where a multiprocessor
// does 16 of I2F and F2I a clock, and 128 of these.
namespace detail {

// The bits of an integer after those of 2^23 are a float, too.
template <typename Int>
STENCIL_FUNCTION float f32_by_sum(Int value) {
  constexpr uint32_t sign = Bounds<Int>::low < 0 ? 1u << (8 * sizeof(Int) - 1) : 0;
  constexpr uint32_t mask = (1u << (8 * sizeof(Int))) - 1;
  return float_of(((static_cast<uint32_t>(value) & mask) ^ sign) | 0x4b000000u) -
         (8388608.0f + sign);
}

// Rounds to nearest even, as a sum does whose last bit counts ones; to an integer that fits.
template <typename Int>
STENCIL_FUNCTION Int rounded_by_sum(float value) {
  return static_cast<Int>(bits_of(value + 12582912.0f));  // 2^23 + 2^22
}

}  // namespace detail

template <typename Int>
STENCIL_FUNCTION float f32(Int value) {
  static_assert(Bounds<Int>::is_integer && sizeof(Int) <= 2, "an integer of 16 bits at most");
#if defined(__CUDA_ARCH__)
  return detail::f32_by_sum(value);
#else
  return value;  // which becomes vector code
#endif
}

// To an integer type: a float rounds to nearest even, what does not fit gives the nearest end, NaN
// gives 0.
template <typename To, typename From>
STENCIL_FUNCTION To saturate(From value) {
  if constexpr (IsFloat<From>::value && sizeof(From) == 4 && sizeof(To) <= 2) {
    constexpr float low = Bounds<To>::low, high = Bounds<To>::high;
#if defined(__CUDA_ARCH__)
    const float inside = fminf(fmaxf(value, low), high);
#else
    const float above = value > low ? value : low;
    const float inside = above < high ? above : high;
#endif
    if constexpr (low == 0) return detail::rounded_by_sum<To>(inside);  // NaN is not above
    return value == value ? detail::rounded_by_sum<To>(inside) : To{};
  } else if constexpr (IsFloat<From>::value) {
    return convert<To>(round_even(value));
  } else {
    const int64_t wide = value;
    return static_cast<To>(min(max(wide, int64_t{Bounds<To>::low}), int64_t{Bounds<To>::high}));
  }
}

}  // namespace STENCIL_TARGET
}  // namespace st
