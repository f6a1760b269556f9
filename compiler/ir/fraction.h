// Exact numbers.
#pragma once

#include <cstdint>
#include <optional>

namespace stencilc::ir {

// A fraction in lowest terms with a positive denominator. What does not fit 64 bits throws
// std::overflow_error, so a result is exact or there is none.
struct Fraction {
  int64_t above = 0, below = 1;
  bool operator==(const Fraction&) const = default;
};
Fraction operator+(const Fraction& a, const Fraction& b);
Fraction operator-(const Fraction& a, const Fraction& b);
Fraction operator*(const Fraction& a, const Fraction& b);
Fraction operator/(const Fraction& a, const Fraction& b);  // b is not 0

// The f64 nearest to a fraction whose two parts are exact in f64.
double nearest(const Fraction& fraction);

// None where it does not fit:
std::optional<Fraction> whole(int64_t value);
// The shortest decimal that reads back as the value: of a literal the number that was written.
std::optional<Fraction> as_decimal(double value);
// The value itself, which is a whole number times a power of 2.
std::optional<Fraction> as_binary(double value);

}  // namespace stencilc::ir
