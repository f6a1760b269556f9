// Von Neumann's analysis: computes by how much a step can amplify a wave.
#pragma once

#include <optional>

#include "lint/scheme.h"

namespace stencilc::lint {

// The wave that grows most, among waves at evenly spaced wave numbers.
struct Growth {
  double factor = 1;                        // per step
  std::array<int, ir::kMaxRank> wave = {};  // the wave number along an axis is pi * wave / parts
  int parts = 1;
};

// The tolerance above 1 for the rounding of coefficients. If a step has several states, two of its
// eigenvalues may coincide on the unit circle, and then a small change of a coefficient moves them
// by its square root.
double slack(const Scheme& scheme, bool double_precision);

// The growth of an unstable scheme. Nothing if no wave grows, if the uniform field (wave number 0)
// grows as much, or if the growth belongs to the equation: steady, not alternating, and strongest
// for waves longer than two cells. Also nothing for schemes that are too large to analyse.
std::optional<Growth> growth(const Scheme& scheme, int rank, double slack);

// The largest magnitude of a number up to `value` for which `factor` (the growth as a function of
// the number, 1 without growth) stays within the tolerance. Nothing if there is no such limit,
// because growth occurs nowhere up to `value`, or everywhere a little.
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
