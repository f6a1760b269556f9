#include "ir/fraction.h"

#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace stencilc::ir {
namespace {

using Wide = __int128;  // holds the sum of two products of the parts of fractions

std::optional<Fraction> lowest_terms(Wide above, Wide below) {
  Wide a = above < 0 ? -above : above, b = below < 0 ? -below : below;
  while (b != 0) a = std::exchange(b, a % b);
  if (below < 0) a = -a;
  above /= a;
  below /= a;
  constexpr Wide kMost = std::numeric_limits<int64_t>::max();
  if (above > kMost || above < -kMost || below > kMost) return {};
  return Fraction{static_cast<int64_t>(above), static_cast<int64_t>(below)};
}

Fraction fitting(Wide above, Wide below) {
  const auto fraction = lowest_terms(above, below);
  if (!fraction) throw std::overflow_error("a fraction exceeds 64 bits");
  return *fraction;
}

// above * base^exponent, for |above| < 2^60.
std::optional<Fraction> scaled(int64_t above, int base, int exponent) {
  if (above == 0) return Fraction{};
  constexpr Wide kLargest = Wide{1} << 120;
  Wide wide = above, power = 1;
  for (int left = std::abs(exponent); left != 0; --left) {
    Wide& grown = exponent > 0 ? wide : power;
    if (grown > kLargest / base || grown < -kLargest / base) return {};
    grown *= base;
  }
  return lowest_terms(wide, power);
}

}  // namespace

Fraction operator+(const Fraction& a, const Fraction& b) {
  return fitting(Wide{a.above} * b.below + Wide{b.above} * a.below, Wide{a.below} * b.below);
}
Fraction operator-(const Fraction& a, const Fraction& b) { return a + Fraction{-b.above, b.below}; }
Fraction operator*(const Fraction& a, const Fraction& b) {
  return fitting(Wide{a.above} * b.above, Wide{a.below} * b.below);
}
Fraction operator/(const Fraction& a, const Fraction& b) {
  assert(b.above != 0);
  return fitting(Wide{a.above} * b.below, Wide{a.below} * b.above);
}

double nearest(const Fraction& fraction) {
  [[maybe_unused]] constexpr int64_t kExact = int64_t{1} << 53;
  assert(fraction.above <= kExact && -fraction.above <= kExact && fraction.below <= kExact);
  return static_cast<double>(fraction.above) / static_cast<double>(fraction.below);
}

std::optional<Fraction> whole(int64_t value) { return lowest_terms(value, 1); }

std::optional<Fraction> as_decimal(double value) {
  if (!std::isfinite(value)) return {};
  char text[64];
  const char* end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  const std::string_view written(text, end);
  const size_t mark = written.find('e');
  int64_t digits = 0;  // 17 at most
  int exponent = 0, behind_point = 0;
  bool point = false;
  for (const char c : written.substr(0, mark)) {
    if (c == '.') point = true;
    if (c < '0' || c > '9') continue;
    digits = 10 * digits + (c - '0');
    behind_point += point;
  }
  const char* power = text + mark + 1;
  std::from_chars(*power == '+' ? power + 1 : power, end, exponent);
  return scaled(value < 0 ? -digits : digits, 10, exponent - behind_point);
}

std::optional<Fraction> as_binary(double value) {
  if (!std::isfinite(value)) return {};
  int exponent = 0;
  const double part = std::frexp(value, &exponent);
  auto digits = static_cast<int64_t>(std::ldexp(part, 53));
  exponent -= 53;
  while (digits != 0 && digits % 2 == 0) {
    digits /= 2;
    ++exponent;
  }
  return scaled(digits, 2, exponent);
}

}  // namespace stencilc::ir
