// Holds 16-bit floats as elements of arrays, without arithmetic.
#pragma once

#include <cstdint>
#include <limits>

namespace stencilc::data {

// Sign, exponent and `Fraction` bits after the point.
template <int Fraction>
struct Half {
  static constexpr int infinity_bits = 0x7fff >> Fraction << Fraction;
  // Exponent of the last bit of the denormals.
  static constexpr int lowest = 2 - (1 << (14 - Fraction)) - Fraction;

  uint16_t bits = 0;

  constexpr Half() = default;
  explicit Half(double value);  // rounded once, to nearest even
  explicit operator double() const;
  static constexpr Half of_bits(int bits) {
    Half result;
    result.bits = static_cast<uint16_t>(bits);
    return result;
  }
};
using F16 = Half<10>;  // IEEE binary16
using BF16 = Half<7>;  // the upper half of a float
extern template struct Half<10>;
extern template struct Half<7>;

template <typename T>
constexpr bool is_half = false;
template <int Fraction>
constexpr bool is_half<Half<Fraction>> = true;

}  // namespace stencilc::data

template <int Fraction>
struct std::numeric_limits<stencilc::data::Half<Fraction>> {
  using Half = stencilc::data::Half<Fraction>;
  static constexpr int digits = Fraction + 1;
  static constexpr Half min() { return Half::of_bits(1 << Fraction); }
  static constexpr Half denorm_min() { return Half::of_bits(1); }
  static constexpr Half max() { return Half::of_bits(Half::infinity_bits - 1); }
  static constexpr Half infinity() { return Half::of_bits(Half::infinity_bits); }
  static constexpr Half quiet_NaN() { return Half::of_bits(0x7fff); }
};
