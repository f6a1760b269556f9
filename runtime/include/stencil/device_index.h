// Index maps: which cell of a line of `n` cells stands for coordinate `i` beyond its ends. Exact
// for every i and n >= 1. Interior cells never call them. reflect, mirror and wrap take a turn for
// each length of the line that i lies outside, one for the usual radius; a loop of additions is
// smaller than a division in the kernel.
#pragma once

#include "device_target.h"

namespace st {
inline namespace STENCIL_TARGET {

template <typename Index>
STENCIL_FUNCTION bool inside(Index i, Index n) {
  return i >= 0 && i < n;
}

// a a | a b c d | d d
template <typename Index>
STENCIL_FUNCTION Index clamp(Index i, Index n) {
  return i < 0 ? 0 : i < n ? i : n - 1;
}

// b a | a b c d | d c
template <typename Index>
STENCIL_FUNCTION Index reflect(Index i, Index n) {
  while (!inside(i, n)) i = i < 0 ? -1 - i : n - 1 - (i - n);
  return i;
}

// c b | a b c d | c b
template <typename Index>
STENCIL_FUNCTION Index mirror(Index i, Index n) {
  if (n == 1) return 0;
  while (!inside(i, n)) i = i < 0 ? -i : n - 2 - (i - n);
  return i;
}

// c d | a b c d | a b
template <typename Index>
STENCIL_FUNCTION Index wrap(Index i, Index n) {
  while (!inside(i, n)) i = i < 0 ? i + n : i - n;
  return i;
}

// What holds beyond one end of a line, where the two ends differ.
enum class Side { stop, clamp, reflect, mirror, antireflect };

// One turn of an index that lies outside, by the side it lies on.
template <Side low, Side high, typename Index>
STENCIL_FUNCTION Index turn(Index i, Index n) {
  const Side side = i < 0 ? low : high;
  if (side == Side::clamp) return i < 0 ? 0 : n - 1;
  if (side == Side::mirror) return i < 0 ? -i : n - 2 - (i - n);
  return i < 0 ? -1 - i : n - 1 - (i - n);
}

template <Side low, Side high, typename Index>
STENCIL_FUNCTION bool turns(Index i, Index n) {
  return i < 0 ? low != Side::stop : i >= n && high != Side::stop;
}

// The cell for i, or the index beyond a side that stops.
template <Side low, Side high, typename Index>
STENCIL_FUNCTION Index fold(Index i, Index n) {
  if (low == Side::mirror && high == Side::mirror && n == 1) return 0;
  while (turns<low, high>(i, n)) i = turn<low, high>(i, n);
  return i;
}

// Does the value at i change its sign on its way? Once for each turn at an antireflect side:
// -b -a | a b c d | -d -c
template <Side low, Side high, typename Index>
STENCIL_FUNCTION bool flips(Index i, Index n) {
  bool odd = false;
  while (turns<low, high>(i, n)) {
    odd ^= (i < 0 ? low : high) == Side::antireflect;
    i = turn<low, high>(i, n);
  }
  return odd;
}

}  // namespace STENCIL_TARGET
}  // namespace st
