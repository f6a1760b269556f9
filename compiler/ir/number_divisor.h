// Divisions by a number of the program, such as 12: what they give takes a product and an fma where
// the divisor has few bits and the dividend is no very small number.
#pragma once

#include <optional>
#include <vector>

#include "ir/ir.h"
#include "ir/node_map.h"

namespace stencilc::ir {

// 1/b as a sum of two numbers: `high` is that rounded toward zero, `low` what is left.
//
//   a / b = fma(a, high, a*low), rounded to nearest, if a is 0, an infinity, NaN, or |a| >= least
//   of the runtime (device_fast_division.h)
//
// high + low is 1/b but for 2^-46 of it in f32, 2^-104 in f64, and the rounded product adds as
// much. A quotient is at least 2^-(k+p+1) of it away from the middle of two neighbours of p bits,
// if the odd part of b has k bits: a*2^i - b*m is a whole number other than 0, since a middle m has
// p+1 bits, of which the last is set, and b*m has more than a. So 20 bits are few in f32, 45 in
// f64. (N. Brisebarre, J.-M. Muller, Correctly rounded multiplication by arbitrary precision
// constants, IEEE Transactions on Computers 57, 2008.)
struct TwoParts {
  double high = 0, low = 0;
};
// Nothing, where b has more bits, is a power of two or is below 2^-16 or above 2^16, or where the
// type is neither f32 nor f64.
std::optional<TwoParts> two_part_reciprocal(double b, Type type);

// What is known of the values of expressions: each is finite, at most so large, and a multiple of
// 2^grain. So one that is not 0 is no smaller than that.
class Grains {
 public:
  // Is the value of a float expression finite, and 0 or no very small number, for all inputs? So
  // are what sums, products and quotients by numbers make of integers.
  bool is_usual(const ExprPtr& expr);

 private:
  struct Grain {
    int grain = 0;
    double most = 0;
  };
  using Known = std::optional<Grain>;
  Known of(const ExprPtr& expr);
  Known compute(const ExprPtr& expr);
  Known of_apply(const Apply& apply, Type type);
  // Rounded to the type.
  static Known rounded(const Known& exact, Type type);
  static Known sum(const Known& a, const Known& b);
  static Known product(const Known& a, const Known& b);
  static Known either(const Known& a, const Known& b);

  NodeMap<Known> known_;
  std::vector<ExprPtr> kept_;  // so that no other expression has the address of one of them
};

}  // namespace stencilc::ir
