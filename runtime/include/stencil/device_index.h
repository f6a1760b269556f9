// Index maps: which cell of a line of `n` cells stands for coordinate `i` beyond its ends. Exact
// for every i and n >= 1. Interior cells never call them. fold and flips take a turn for each
// length of the line that i lies outside, one for the usual radius.
#pragma once

#include <cstdint>

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

// How many cells lie between the line and a place beyond it; 0 for a place inside. Reads reach less
// than 2^31 cells beyond an end.
template <typename Index>
STENCIL_FUNCTION uint32_t cells_outside(Index i, Index n) {
  return static_cast<uint32_t>(i < 0 ? -1 - i : i < n ? 0 : i - n);
}

// The rest of a distance in turns of so many cells. Without a branch, so that the loads of several
// cells need not wait for each other.
template <typename Index>
STENCIL_FUNCTION Index rest(uint32_t distance, Index turn) {
  const bool once = static_cast<uint64_t>(turn) > UINT32_MAX;
  const uint32_t narrow = once ? UINT32_MAX : static_cast<uint32_t>(turn);
  return static_cast<Index>(distance % narrow);
}

// b a | a b c d | d c
template <typename Index>
STENCIL_FUNCTION Index reflect(Index i, Index n) {
  const int64_t at = rest(cells_outside(i, n), 2 * static_cast<int64_t>(n));
  const int64_t mirrored = 2 * static_cast<int64_t>(n) - 1 - at;
  const int64_t below = at < n ? at : mirrored;
  return i < 0 ? static_cast<Index>(below) : i < n ? i : static_cast<Index>(n - 1 - below);
}

// c b | a b c d | c b
template <typename Index>
STENCIL_FUNCTION Index mirror(Index i, Index n) {
  const int64_t turn = n > 1 ? 2 * (static_cast<int64_t>(n) - 1) : 1;
  const int64_t at = rest(cells_outside(i, n) + 1, turn);
  const int64_t below = at < n ? at : turn - at;
  return i < 0 ? static_cast<Index>(below) : i < n ? i : static_cast<Index>(n - 1 - below);
}

// c d | a b c d | a b
template <typename Index>
STENCIL_FUNCTION Index wrap(Index i, Index n) {
  const Index at = rest(cells_outside(i, n), n);
  return i < 0 ? n - 1 - at : i < n ? i : at;
}

// Where a cell lies in memory that holds so many of a line, from `first` on. Of a line that goes
// round, memory has cells beyond the ends. What memory does not have is another cell of it.
template <typename Index>
STENCIL_FUNCTION Index held(Index i, Index first, Index cells, Index n) {
  const Index at = i - first;
  return clamp(at < 0 ? at + n : at < cells ? at : at - n, cells);
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
