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

}  // namespace stencilc::plan
