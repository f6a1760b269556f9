// The cells that points belong to, the same on every target.
#pragma once

#include <cstdint>

#include "device_target.h"

namespace st {
inline namespace STENCIL_TARGET {

// Of an entry of a list of points: the cell along one axis, and the share of it. Whole coordinates
// are the cell; between two cells `upper` says which, and the share is that of linear
// interpolation.
template <typename T>
struct Share {
  int64_t cell;
  T weight;
};
template <typename T>
STENCIL_FUNCTION Share<T> share(int32_t place, bool) {
  return {place, T(1)};
}
template <typename T>
STENCIL_FUNCTION Share<T> share(double place, bool upper) {
  if (!(place >= -1.0 && place < 9.0e15)) return {-1, T(0)};    // NaN, too
  const int64_t whole = static_cast<int64_t>(place + 1.0) - 1;  // the floor, from -1 on
  // place + 1.0 may round up to the next whole number
  const int64_t base = static_cast<double>(whole) > place ? whole - 1 : whole;
  const double beyond = place - static_cast<double>(base);
  return {base + (upper ? 1 : 0), static_cast<T>(upper ? beyond : 1.0 - beyond)};
}

}  // namespace STENCIL_TARGET
}  // namespace st
