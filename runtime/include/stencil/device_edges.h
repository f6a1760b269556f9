// The cells of a plane that lie near the ends of x or y: fewer than low_x cells behind the first
// one of their row, fewer than high_x before its last one, and likewise along y. Their numbers are
// those of whole rows first, row by row, then those of what the other rows have at both ends.
#pragma once

#include "device_target.h"

namespace st {
inline namespace STENCIL_TARGET {

// The n-th of `width` coordinates near the ends of an axis: the first `low` ones, then its last
// ones. Behind the end where the axis is so short that there is no such coordinate.
template <typename Index>
STENCIL_FUNCTION Index edge_coordinate(Index n, Index extent, int low, int width) {
  if (n < low) return n;
  const Index at = extent - width + n;
  return at < low ? extent : at;
}

// The coordinates of the cell with this number. Where there is none, x is at least nx or y at least
// ny.
template <typename Index>
STENCIL_FUNCTION Index edge_x(Index number, Index nx, Index, int low_x, int high_x, int low_y,
                              int high_y) {
  const int width = low_x + high_x;
  const Index whole = (low_y + high_y) * nx;
  if (number < whole) return number % nx;
  return edge_coordinate((number - whole) % (width > 0 ? width : 1), nx, low_x, width);
}
template <typename Index>
STENCIL_FUNCTION Index edge_y(Index number, Index nx, Index ny, int low_x, int high_x, int low_y,
                              int high_y) {
  const int width = low_x + high_x;
  const Index whole = (low_y + high_y) * nx;
  if (number < whole) return edge_coordinate(number / nx, ny, low_y, low_y + high_y);
  const Index y = low_y + (number - whole) / (width > 0 ? width : 1);
  return y < ny - high_y ? y : ny;
}

}  // namespace STENCIL_TARGET
}  // namespace st
