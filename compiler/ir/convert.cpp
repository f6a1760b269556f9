// Converts values between types, and to text.
#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

#include "ir/type.h"

namespace stencilc::ir {
namespace {

// Keeps the low bits of `value`, as two's complement hardware does.
int64_t wrap(Type type, uint64_t value) {
  switch (type) {
    case Type::boolean:
      return value != 0;
    case Type::i8:
      return static_cast<int8_t>(value);
    case Type::u8:
      return static_cast<uint8_t>(value);
    case Type::i16:
      return static_cast<int16_t>(value);
    case Type::u16:
      return static_cast<uint16_t>(value);
    case Type::i32:
      return static_cast<int32_t>(value);
    default:
      return static_cast<int64_t>(value);
  }
}

// Rounds `value` once to nearest even: to `digits` significant bits, the last of them not below
// 2^lowest, and to infinity above `largest`.
double rounded_half(double value, int digits, int lowest, double largest) {
  if (!std::isfinite(value) || value == 0) return value;
  const int last = std::max(std::ilogb(value) + 1 - digits, lowest);
  const double result = std::ldexp(std::nearbyint(std::ldexp(value, -last)), last);
  return std::fabs(result) > largest ? std::copysign(HUGE_VAL, value) : result;
}

double rounded(Type type, double value) {
  if (type == Type::f16) return rounded_half(value, 11, -24, 65504);
  if (type == Type::bf16) return rounded_half(value, 8, -133, 0x1.fep127);
  return type == Type::f32 ? static_cast<double>(static_cast<float>(value)) : value;
}

// A double that rounds to a half type in the same way as the integer: if no double holds the
// integer, one on the same side of every multiple of 2048.
double same_side(int64_t value) {
  if (std::abs(value / 2) < int64_t{1} << 52) return static_cast<double>(value);
  return static_cast<double>((value & ~int64_t{2047}) | ((value & 2047) != 0 ? 1024 : 0));
}

// The shortest digits that round to the value; whole numbers in the range of f16 keep all digits.
std::string shortest_half(const Scalar& value) {
  const bool whole = std::fabs(value.real) <= 65536 && std::trunc(value.real) == value.real;
  double number = value.real;
  for (int digits = 1; digits <= 9 && !whole; ++digits) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value.real,
                                   std::chars_format::scientific, digits - 1);
    std::from_chars(text, end.ptr, number);
    if (rounded(value.type, number) == value.real) break;
  }
  return print({Type::f64, number, 0});
}

}  // namespace

Scalar make_real(Type type, double value) {
  assert(is_float(type));
  return {type, rounded(type, value), 0};
}

std::string print(const Scalar& value) {
  if (value.type == Type::boolean) return value.integer ? "true" : "false";
  if (!is_float(value.type)) return std::to_string(value.integer);
  if (std::isnan(value.real)) return "nan";
  if (std::isinf(value.real)) return value.real < 0 ? "-inf" : "inf";
  if (is_half(value.type)) return shortest_half(value);
  char text[64];
  const auto end = value.type == Type::f32
                       ? std::to_chars(text, text + sizeof text, static_cast<float>(value.real)).ptr
                       : std::to_chars(text, text + sizeof text, value.real).ptr;
  return {text, end};
}

Scalar convert(const Scalar& value, Type to) {
  if (to == Type::boolean)
    return {to, 0, is_float(value.type) ? value.real != 0 : value.integer != 0};
  if (is_float(to)) {
    // An i64 is rounded once, directly to the target.
    if (is_float(value.type)) return make_real(to, value.real);
    if (is_half(to)) return make_real(to, same_side(value.integer));
    return {to,
            to == Type::f32 ? static_cast<double>(static_cast<float>(value.integer))
                            : static_cast<double>(value.integer),
            0};
  }
  if (!is_float(value.type)) return {to, 0, wrap(to, static_cast<uint64_t>(value.integer))};
  return saturate(make_real(Type::f64, std::trunc(value.real)), to);
}

Scalar saturate(const Scalar& value, Type to) {
  if (is_float(to) || to == Type::boolean) return convert(value, to);
  if (!is_float(value.type)) {
    const int64_t low = lowest(to), high = highest(to);
    return {to, 0, value.integer < low ? low : value.integer > high ? high : value.integer};
  }
  if (std::isnan(value.real)) return {to, 0, 0};
  const double nearest = std::nearbyint(value.real);
  if (nearest <= static_cast<double>(lowest(to))) return {to, 0, lowest(to)};
  if (nearest >= static_cast<double>(highest(to))) return {to, 0, highest(to)};
  return {to, 0, static_cast<int64_t>(nearest)};
}

}  // namespace stencilc::ir
