#include "data/values/half.h"

#include <algorithm>
#include <cmath>

namespace stencilc::data {

template <int Fraction>
Half<Fraction>::Half(double value) {
  const double size = std::fabs(value);
  int64_t magnitude = 0x7fff;
  if (std::isfinite(value) && size > 0) {
    // In units of the last bit, one step of the exponent is 2^Fraction units.
    const int last = std::max(std::ilogb(size) - Fraction, lowest);
    const auto units = static_cast<int64_t>(std::nearbyint(std::ldexp(size, -last)));
    magnitude = (int64_t{last - lowest} << Fraction) + units;
  } else if (size == 0) {
    magnitude = 0;
  }
  if (!std::isnan(value)) magnitude = std::min<int64_t>(magnitude, infinity_bits);
  bits = static_cast<uint16_t>(magnitude | (std::signbit(value) ? 0x8000 : 0));
}

template <int Fraction>
Half<Fraction>::operator double() const {
  const int magnitude = bits & 0x7fff, exponent = magnitude >> Fraction;
  const int units = exponent == 0 ? magnitude : (magnitude & ((1 << Fraction) - 1)) | 1 << Fraction;
  const double size = magnitude > infinity_bits ? std::numeric_limits<double>::quiet_NaN()
                      : magnitude == infinity_bits
                          ? std::numeric_limits<double>::infinity()
                          : std::ldexp(units, std::max(exponent, 1) - 1 + lowest);
  return (bits & 0x8000) != 0 ? -size : size;
}

template struct Half<10>;
template struct Half<7>;

}  // namespace stencilc::data
