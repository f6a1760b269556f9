#include "plan/schedule/schedule.h"

#include <numeric>

namespace stencilc::plan {

int Schedule::producers() const {
  constexpr int kWarp = 32;
  return fill == Filling::producers ? kWarp / std::gcd(kWarp, threads[0]) : 0;
}

}  // namespace stencilc::plan
