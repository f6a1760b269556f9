#include "kernel/ring.h"

#include <algorithm>

namespace stencilc::kernel {
namespace {

constexpr int kAlignment = 128;  // of what a box is copied to
constexpr int kAccess = 16;      // bytes that a lane loads at once, at most

}  // namespace

int Ring::place(int grid) const {
  int place = 0;
  for (int g = 0; g < grid; ++g) place += depth * plane_bytes(g);
  return place;
}

bool Ring::loads_ghosts() const {
  return std::any_of(grids.begin(), grids.end(),
                     [](const Grid& grid) { return !grid.zeros && grid.from.empty(); });
}

bool Ring::writes_ghosts() const {
  return std::any_of(grids.begin(), grids.end(), [](const Grid& grid) { return !grid.zeros; });
}

Count Ring::cells(const Grid& grid) const {
  if (grid.spread == 0) return grid.planes.registers;
  const int vector = grid.spread + kAccess / bytes_of(grid.planes.element);
  return grid.planes.registers / vector * grid.spread;
}

int Ring::bytes() const { return place(static_cast<int>(grids.size())); }

int Ring::plane_bytes(int grid) const {
  const Buffer& planes = grids[grid].planes;
  const int used = planes.rows * planes.registers * bytes_of(planes.element);
  return (used + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace stencilc::kernel
