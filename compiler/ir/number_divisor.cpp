// before   gx = (a[x+1] - a[x-1]) / 12          a: f32 of a picture of bytes
// after    gx = fma(d, high, d*low)             12 has the odd part 3; d is a whole number
#include "ir/number_divisor.h"

#include <algorithm>
#include <cmath>

namespace stencilc::ir {
namespace {

struct Limits {
  int bits;    // of the odd part of a divisor
  int grain;   // no finer grains count
  int most;    // no greater exponents of values count
  int digits;  // of the significand
};
std::optional<Limits> limits_of(Type type) {
  if (type == Type::f32) return Limits{20, -80, 100, 24};
  if (type == Type::f64) return Limits{45, -690, 900, 53};
  return {};
}

// The exponent of the lowest bit that is set.
int lowest_bit(double value) {
  int exponent = 0;
  double fraction = std::frexp(std::abs(value), &exponent);
  while (fraction != std::floor(fraction)) {
    fraction *= 2;
    --exponent;
  }
  return exponent;
}

template <class T>
TwoParts parts_of(T b) {
  T high = 1 / b, left = std::fma(-high, b, T{1});
  if (left < 0) {  // 1/b is nearer to zero
    high = std::nextafter(high, T{0});
    left = std::fma(-high, b, T{1});
  }
  return {high, left / b};
}

}  // namespace

std::optional<TwoParts> two_part_reciprocal(double b, Type type) {
  constexpr double kMost = 65536;
  const std::optional<Limits> limits = limits_of(type);
  if (!limits || !(std::abs(b) <= kMost && std::abs(b) >= 1 / kMost)) return {};
  const double odd = std::ldexp(std::abs(b), -lowest_bit(b));
  if (odd == 1 || odd >= std::ldexp(1.0, limits->bits)) return {};
  return type == Type::f32 ? parts_of(static_cast<float>(b)) : parts_of(b);
}

bool Grains::is_usual(const ExprPtr& expr) { return of(expr).has_value(); }

Grains::Known Grains::of(const ExprPtr& expr) {
  if (const Known* known = known_.find(expr.get())) return *known;
  const Known result = compute(expr);
  kept_.push_back(expr);
  return known_[expr.get()] = result;
}

Grains::Known Grains::compute(const ExprPtr& expr) {
  if (is_integer(expr->type)) return Grain{0, std::ldexp(1.0, 8 * bytes(expr->type))};
  if (!limits_of(expr->type)) return {};
  if (const auto* constant = as<Constant>(expr)) {
    const double value = constant->value.real;
    if (value == 0) return rounded(Grain{0, 0}, expr->type);
    if (!std::isfinite(value)) return {};
    return rounded(Grain{lowest_bit(value), std::abs(value)}, expr->type);
  }
  if (const auto* cast = as<Cast>(expr))
    return cast->saturate ? Known() : rounded(of(cast->value), expr->type);
  if (const auto* named = as<Named>(expr)) return of(named->value);
  if (const auto* apply = as<Apply>(expr)) return of_apply(*apply, expr->type);
  const auto* all = as<Sum>(expr);
  if (!all) return {};
  Known so_far = all->bias ? of(all->bias) : Known(Grain{0, 0});
  for (const Sum::Term& term : all->terms)
    so_far = rounded(sum(so_far, product(of(term.weight), of(term.tap))), expr->type);
  return so_far;
}

Grains::Known Grains::of_apply(const Apply& apply, Type type) {
  const auto arg = [&](size_t n) { return of(apply.args[n]); };
  switch (apply.op) {
    case Op::neg:
    case Op::abs:
      return arg(0);
    case Op::floor:
    case Op::ceil: {
      const Known of_arg = arg(0);
      if (!of_arg) return {};
      return rounded(Grain{std::max(of_arg->grain, 0), of_arg->most + 1}, type);
    }
    case Op::add:
    case Op::sub:
      return rounded(sum(arg(0), arg(1)), type);
    case Op::mul:
      return rounded(product(arg(0), arg(1)), type);
    case Op::fma:
      return rounded(sum(product(arg(0), arg(1)), arg(2)), type);
    case Op::select:
      return either(arg(1), arg(2));
    case Op::min:
    case Op::max:
      return either(arg(0), arg(1));
    case Op::div: {
      // A quotient has a last bit, whatever is divided.
      const auto* divisor = as<Constant>(apply.args[1]);
      const Known above = arg(0);
      if (!divisor || divisor->value.real == 0 || !above) return {};
      const double by = std::abs(divisor->value.real);
      const int least = above->grain - std::ilogb(by) - 1;
      return rounded(Grain{least - limits_of(type)->digits, above->most / by}, type);
    }
    default:
      return {};
  }
}

// To fewer bits a multiple of 2^grain is rounded to one of a greater power of two.
Grains::Known Grains::rounded(const Known& exact, Type type) {
  const std::optional<Limits> limits = limits_of(type);
  if (!exact || !limits) return {};
  const double most = exact->most * (1 + 0x1p-20);
  if (exact->grain < limits->grain || !(most < std::ldexp(1.0, limits->most))) return {};
  return Grain{exact->grain, most};
}

Grains::Known Grains::sum(const Known& a, const Known& b) {
  if (!a || !b) return {};
  return Grain{std::min(a->grain, b->grain), a->most + b->most};
}
Grains::Known Grains::product(const Known& a, const Known& b) {
  if (!a || !b) return {};
  return Grain{a->grain + b->grain, a->most * b->most};
}
Grains::Known Grains::either(const Known& a, const Known& b) {
  if (!a || !b) return {};
  return Grain{std::min(a->grain, b->grain), std::max(a->most, b->most)};
}

}  // namespace stencilc::ir
