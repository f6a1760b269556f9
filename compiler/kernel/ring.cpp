#include "kernel/ring.h"

#include <algorithm>

namespace stencilc::kernel {
namespace {

int bytes_of(Type type) {
  switch (type) {
    case Type::boolean:
    case Type::i8:
    case Type::u8:
      return 1;
    case Type::i16:
    case Type::u16:
    case Type::f16:
    case Type::bf16:
      return 2;
    case Type::i64:
    case Type::f64:
      return 8;
    default:
      return 4;
  }
}

constexpr int kAlignment = 128;  // of what a box is copied to

}  // namespace

int Ring::place(int grid) const {
  int place = 0;
  for (int g = 0; g < grid; ++g) place += depth * plane_bytes(g);
  return place;
}

bool Ring::loads_rim() const {
  return std::any_of(grids.begin(), grids.end(),
                     [](const Grid& grid) { return !grid.zeros && grid.from.empty(); });
}

bool Ring::writes_rim() const {
  return std::any_of(grids.begin(), grids.end(), [](const Grid& grid) { return !grid.zeros; });
}

int Ring::bytes() const { return place(static_cast<int>(grids.size())); }

int Ring::plane_bytes(int grid) const {
  const Buffer& planes = grids[grid].planes;
  const int used = planes.rows * planes.registers * bytes_of(planes.element);
  return (used + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace stencilc::kernel
