// The ghost cells of an array of nx, nx * ny or nx * ny * nz cells: wx, wy, wz of them at each end
// of the axes, edges and corners included. They lie one after the other: those before and after the
// last axis, then plane by plane (row by row) those beside it. Coordinates are below 0 before the
// array and from the extent on after it.
#pragma once

#include "device_target.h"

namespace st {
inline namespace STENCIL_TARGET {

// How many there are.
template <typename Index>
STENCIL_FUNCTION Index ghost_cells(Index, int wx) {
  return 2 * static_cast<Index>(wx);
}
template <typename Index>
STENCIL_FUNCTION Index ghost_cells(Index nx, Index ny, int wx, int wy) {
  return 2 * wy * (nx + 2 * wx) + ny * (2 * wx);
}
template <typename Index>
STENCIL_FUNCTION Index ghost_cells(Index nx, Index ny, Index nz, int wx, int wy, int wz) {
  return 2 * wz * ((nx + 2 * wx) * (ny + 2 * wy)) + nz * ghost_cells(nx, ny, wx, wy);
}

// The number of a coordinate among the ghost cells of its axis.
template <typename Index>
STENCIL_FUNCTION Index ghost_number(Index at, Index extent, int width) {
  return at < 0 ? at + width : at - extent + width;
}
template <typename Index>
STENCIL_FUNCTION bool is_ghost(Index at, Index extent) {
  return at < 0 || at >= extent;
}
// The coordinate, or the last ghost cell at its end.
template <typename Index>
STENCIL_FUNCTION Index to_ghost(Index at, Index extent, int width) {
  const Index last = extent + width - 1;
  return at < -width ? -width : at > last ? last : at;
}

// The place of a ghost cell. Of a cell that is none: 0, or the place of the next one. Along axes
// without ghost cells the coordinate is one of the array.
template <typename Index>
STENCIL_FUNCTION Index ghost_place(Index x, Index nx, int wx) {
  x = to_ghost(x, nx, wx);
  return is_ghost(x, nx) ? ghost_number(x, nx, wx) : 0;
}
template <typename Index>
STENCIL_FUNCTION Index ghost_place(Index x, Index y, Index nx, Index ny, int wx, int wy) {
  const Index row = nx + 2 * wx;
  if (wx > 0) x = to_ghost(x, nx, wx);
  if (wy > 0) {
    y = to_ghost(y, ny, wy);
    if (is_ghost(y, ny)) return ghost_number(y, ny, wy) * row + x + wx;
  }
  return wx > 0 && is_ghost(x, nx) ? 2 * wy * row + y * (2 * wx) + ghost_number(x, nx, wx) : 0;
}
template <typename Index>
STENCIL_FUNCTION Index ghost_place(Index x, Index y, Index z, Index nx, Index ny, Index nz, int wx,
                                   int wy, int wz) {
  const Index row = nx + 2 * wx, plane = row * (ny + 2 * wy);
  if (wx > 0) x = to_ghost(x, nx, wx);
  if (wy > 0) y = to_ghost(y, ny, wy);
  if (wz > 0) {
    z = to_ghost(z, nz, wz);
    if (is_ghost(z, nz)) return ghost_number(z, nz, wz) * plane + (y + wy) * row + x + wx;
  }
  const bool beside = (wy > 0 && is_ghost(y, ny)) || (wx > 0 && is_ghost(x, nx));
  if (!beside) return 0;
  return 2 * wz * plane + z * ghost_cells(nx, ny, wx, wy) + ghost_place(x, y, nx, ny, wx, wy);
}

// The coordinate of the ghost cell with this number of its axis.
template <typename Index>
STENCIL_FUNCTION Index ghost_coordinate(Index number, Index extent, int width) {
  return number < width ? number - width : number - width + extent;
}

// The coordinates of the ghost cell at a place.
template <typename Index>
STENCIL_FUNCTION Index ghost_x(Index place, Index nx, int wx) {
  return ghost_coordinate(place, nx, wx);
}
template <typename Index>
STENCIL_FUNCTION Index ghost_x(Index place, Index nx, Index, int wx, int wy) {
  const Index row = nx + 2 * wx, beside = place - 2 * wy * row;
  return beside < 0 ? place % row - wx : ghost_coordinate(beside % (2 * wx), nx, wx);
}
template <typename Index>
STENCIL_FUNCTION Index ghost_y(Index place, Index nx, Index ny, int wx, int wy) {
  const Index row = nx + 2 * wx, beside = place - 2 * wy * row;
  return beside < 0 ? ghost_coordinate(place / row, ny, wy) : beside / (2 * wx);
}
template <typename Index>
STENCIL_FUNCTION Index ghost_x(Index place, Index nx, Index ny, Index, int wx, int wy, int wz) {
  const Index row = nx + 2 * wx, beside = place - 2 * wz * (row * (ny + 2 * wy));
  return beside < 0 ? place % row - wx
                    : ghost_x(beside % ghost_cells(nx, ny, wx, wy), nx, ny, wx, wy);
}
template <typename Index>
STENCIL_FUNCTION Index ghost_y(Index place, Index nx, Index ny, Index, int wx, int wy, int wz) {
  const Index row = nx + 2 * wx, rows = ny + 2 * wy, beside = place - 2 * wz * (row * rows);
  return beside < 0 ? place / row % rows - wy
                    : ghost_y(beside % ghost_cells(nx, ny, wx, wy), nx, ny, wx, wy);
}
template <typename Index>
STENCIL_FUNCTION Index ghost_z(Index place, Index nx, Index ny, Index nz, int wx, int wy, int wz) {
  const Index plane = (nx + 2 * wx) * (ny + 2 * wy), beside = place - 2 * wz * plane;
  return beside < 0 ? ghost_coordinate(place / plane, nz, wz)
                    : beside / ghost_cells(nx, ny, wx, wy);
}

}  // namespace STENCIL_TARGET
}  // namespace st
