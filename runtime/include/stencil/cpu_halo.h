// Halos on the CPU. For cpu.h.
#pragma once

#include <cstring>

#include "shape.h"

namespace stencil {
inline namespace cpu {

// Copies the halo of a buffer to another of the same shape.
template <typename T>
void copy_halo(T* to, const T* from, const Shape& shape, Stream) {
  const auto copy = [&](int64_t at, int64_t count) {
    std::memcpy(to + at, from + at, static_cast<size_t>(count) * sizeof(T));
  };
  for (int64_t z = -shape.hz; z < shape.nz + shape.hz; ++z)
    for (int64_t y = -shape.hy; y < shape.ny + shape.hy; ++y) {
      const int64_t row = z * shape.plane + y * shape.pitch;
      if (z < 0 || z >= shape.nz || y < 0 || y >= shape.ny) {
        copy(row - shape.hx, shape.nx + 2 * shape.hx);
      } else {
        copy(row - shape.hx, shape.hx);
        copy(row + shape.nx, shape.hx);
      }
    }
}

}  // namespace cpu
}  // namespace stencil
