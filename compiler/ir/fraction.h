// Exact rational numbers.
#pragma once

#include <cstdint>
#include <optional>

namespace stencilc::ir {

// A fraction in lowest terms with a positive denominator. Throws std::overflow_error if a result
// does not fit 64 bits, so results are exact.
struct Fraction {
  int64_t above = 0, below = 1;
  bool operator==(const Fraction&) const = default;
};
Fraction operator+(const Fraction& a, const Fraction& b);
Fraction operator-(const Fraction& a, const Fraction& b);
Fraction operator*(const Fraction& a, const Fraction& b);
Fraction operator/(const Fraction& a, const Fraction& b);  // b is not 0

// The f64 nearest to a fraction whose numerator and denominator are exact in f64.
double nearest(const Fraction& fraction);

// Nothing if the result does not fit:
std::optional<Fraction> whole(int64_t value);
// The shortest decimal that reads back as the value: for a literal, the number as it was written.
std::optional<Fraction> as_decimal(double value);
// The value itself, which is a whole number times a power of 2.
std::optional<Fraction> as_binary(double value);

}  // namespace stencilc::ir
