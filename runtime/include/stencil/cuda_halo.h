// Halos on the GPU. For cuda.h.
#pragma once

#include "shape.h"

namespace stencil {
inline namespace cuda {

namespace detail {

// A thread for each cell of the halo: whole planes below and above the cells first, then whole
// rows, then the ends of rows.
template <typename T>
__global__ void copy_halo(T* to, const T* from, Shape shape, int64_t count) {
  int64_t n = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const int64_t row = shape.nx + 2 * shape.hx, rows = shape.ny + 2 * shape.hy;
  const int64_t in_planes = 2 * shape.hz * rows * row, in_rows = shape.nz * 2 * shape.hy * row;
  int64_t wide = row, high = rows;  // of what the cell is in
  const bool plane = n < in_planes;
  if (!plane) {
    n -= in_planes;
    high = 2 * shape.hy;
  }
  const bool line = plane || n < in_rows;
  if (!line) {
    n -= in_rows;
    wide = 2 * shape.hx;
    high = shape.ny;
  }
  int64_t x = n % wide, y = n / wide % high, z = n / wide / high;
  // what lies after the cells comes after what lies in front of them
  x -= line || x < shape.hx ? shape.hx : shape.hx - shape.nx;
  if (plane) {
    y -= shape.hy;
    z -= z < shape.hz ? shape.hz : shape.hz - shape.nz;
  } else if (line) {
    y -= y < shape.hy ? shape.hy : shape.hy - shape.ny;
  }
  const int64_t i = z * shape.plane + y * shape.pitch + x;
  to[i] = from[i];
}

}  // namespace detail

// Copies the halo of a buffer to another of the same shape, asynchronously.
template <typename T>
void copy_halo(T* to, const T* from, const Shape& shape, cudaStream_t stream) {
  const Shape box = shape.box();
  const int64_t count = box.nx * box.ny * box.nz - shape.nx * shape.ny * shape.nz;
  detail::copy_halo<T>
      <<<static_cast<unsigned>(blocks(count, 256)), 256, 0, stream>>>(to, from, shape, count);
}

// What copy_halo() launches, for prepare().
template <typename T>
auto halo_kernel() {
  return &detail::copy_halo<T>;
}

}  // namespace cuda
}  // namespace stencil
