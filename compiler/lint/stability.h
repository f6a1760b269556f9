// Von Neumann's analysis: how much a step can amplify a wave.
#pragma once

#include <optional>

#include "lint/scheme.h"

namespace stencilc::lint {

// The wave that grows most, among waves spread evenly over all wave numbers.
struct Growth {
  double factor = 1;                        // per step
  std::array<int, ir::kMaxRank> wave = {};  // the wave number along an axis is pi * wave / parts
  int parts = 1;
};

// How far above 1 a factor is taken for the rounding of coefficients: where a step has several
// states, two of its eigenvalues may meet on the unit circle, and then a small change of a
// coefficient moves them by its square root.
double slack(const Scheme& scheme, bool double_precision);

// The growth of a scheme that numbers alone make grow. None where all waves keep their size or
// shrink, where the uniform field (wave number 0) grows as much, or where the growth is that of a
// process which has it by itself: steady, not alternating, and strongest for waves that are longer
// than two cells. None as well for schemes too large to judge.
std::optional<Growth> growth(const Scheme& scheme, int rank, double slack);

// The largest magnitude of a number up to `value` for which `factor` (the growth as a function of
// the number, 1 where there is none) stays within the slack. None where growth does not begin
// at a bound: nowhere up to `value`, or everywhere a little.
template <class Factor>
std::optional<double> bound(double value, double slack, const Factor& factor) {
  const auto stable = [&](double at) { return factor(at) <= 1 + slack; };
  double low = value;
  for (int halvings = 0; !stable(low); ++halvings, low /= 2)
    if (halvings == 16) return {};
  if (low == value) return {};
  double high = 2 * low;
  for (int i = 0; i < 24; ++i) {
    const double middle = 0.5 * (low + high);
    (stable(middle) ? low : high) = middle;
  }
  if (factor(1.1 * low) <= 1 + 5 * slack) return {};
  return low;
}

}  // namespace stencilc::lint
