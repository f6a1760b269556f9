#include "lint/stability.h"

#include <cmath>
#include <numbers>

namespace stencilc::lint {
namespace {

constexpr int kMaxStates = 24;
constexpr double kMaxWork = 4e6;  // multiplications, about

// The eigenvalue of largest magnitude; nothing if it cannot be determined.
std::optional<Complex> dominant(const Scheme& scheme, const Wave& wave) {
  const auto values = eigenvalues(step_of(scheme, wave));
  if (!values) return {};
  Complex result = 0;
  for (const Complex& value : *values)
    if (std::abs(value) > std::abs(result)) result = value;
  return result;
}

// The number of parts into which half of the wave numbers along an axis are divided; 0: even the
// coarsest division takes too long. All divisions include pi/2, where first differences are
// largest.
int parts(const Scheme& scheme, int rank) {
  const double states = scheme.states;
  const double work = 20 * static_cast<double>(scheme.taps()) * (1 + states / 8) +
                      (scheme.states == 1 ? 5 : 30 * states * states * states);
  for (const int candidate : {48, 24, 12, 8, 6, 4, 2}) {
    double waves = candidate + 1;
    for (int a = 1; a < rank; ++a) waves *= 2 * candidate;
    if (waves * work <= kMaxWork) return candidate;
  }
  return 0;
}

// Two cells long or constant along every axis, and not constant along all of them.
bool is_shortest(const Growth& growth) {
  for (const int component : growth.wave)
    if (component != 0 && std::abs(component) != growth.parts) return false;
  return true;
}

bool is_steady(const Complex& value) {
  return value.real() > 0 && std::abs(value.imag()) < 1e-3 * value.real();
}

}  // namespace

double slack(const Scheme& scheme, bool double_precision) {
  if (scheme.states == 1) return 1e-5;
  return double_precision ? 1e-4 : 2e-3;
}

std::optional<Growth> growth(const Scheme& scheme, int rank, double slack) {
  if (scheme.states == 0 || scheme.states > kMaxStates) return {};
  Growth most;
  most.parts = parts(scheme, rank);
  if (most.parts == 0) return {};
  const auto uniform = dominant(scheme, {});
  if (!uniform) return {};
  most.factor = 0;
  Complex value = 0;
  // The opposite wave number has the conjugate matrix, so half of them are enough.
  const auto span = [&](int axis) { return axis < rank && scheme.wide[axis] ? most.parts : 0; };
  for (int x = 0; x <= span(0); ++x)
    for (int y = -span(1); y <= span(1); ++y)
      for (int z = -span(2); z <= span(2); ++z) {
        const double unit = std::numbers::pi / most.parts;
        const auto found = dominant(scheme, {unit * x, unit * y, unit * z});
        if (!found) return {};
        if (std::abs(*found) <= most.factor * (1 + 1e-9)) continue;
        most.factor = std::abs(*found);
        most.wave = {x, std::abs(y) == most.parts ? most.parts : y,
                     std::abs(z) == most.parts ? most.parts : z};
        value = *found;
      }
  if (!(most.factor > 1 + slack) || !(most.factor > std::abs(*uniform) * (1 + slack))) return {};
  if (is_steady(value) && !is_shortest(most)) return {};
  return most;
}

}  // namespace stencilc::lint
