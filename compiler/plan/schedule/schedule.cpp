#include "plan/schedule/schedule.h"

#include <algorithm>
#include <numeric>

namespace stencilc::plan {

int Schedule::producers() const {
  constexpr int kWarp = 32;
  return fill == Filling::producers ? kWarp / std::gcd(kWarp, threads[0]) : 0;
}

Schedule Schedule::one_step() const {
  constexpr int kCells = 8, kMostInVector = 16;  // wider ones are words of bits
  Schedule one = *this;
  one.coarsen = std::min(coarsen, kCells);
  if (vector > kMostInVector) one.vector = kCells;
  one.steps = 1;
  one.full = false;
  return one;
}

Schedule Schedule::of_launch(const Schedule& other) const {
  Schedule own = other;
  own.fusion = fusion;
  own.setup = setup;
  own.global = global;
  own.fission = fission;
  own.early = early;
  return own;
}

Schedule Schedule::of_launch(const ir::Stencil& stencil, const Launch& launch) const {
  for (const Schedule& other : others)
    if (!launch.along_stream && launch.stores_field(stencil, other.of)) return of_launch(other);
  Schedule own = *this;
  own.others.clear();
  return own;
}

}  // namespace stencilc::plan
