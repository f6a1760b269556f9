// What a kernel that copies boxes gets of a grid: made on the host by stencil::box_map, passed by
// value as `const __grid_constant__ st::Map`, and read by the copy engine alone.
#pragma once

#include <cstdint>

#include "device_target.h"

namespace st {
inline namespace STENCIL_TARGET {

// CUtensorMap, which not every compiler of kernels can include.
struct alignas(128) Map {
  uint64_t opaque[16];
};

// A box has at most 256 elements along an axis. Where its rows have more cells, several of them,
// of 8 bytes at most, are an element of the map.
STENCIL_FUNCTION constexpr int cells_of_element(int row_cells, int cell_bytes) {
  int cells = 1;
  while (row_cells > 256 * cells && 2 * cells * cell_bytes <= 8) cells *= 2;
  return cells;
}

}  // namespace STENCIL_TARGET
}  // namespace st
