// The three stencils for the GPU, as emitted code has them: this text has to pass nvcc without a
// warning.
#include <stencil/cuda.h>

#include "stencils.h"

namespace laplace2d {
namespace {
template <typename Index>
__global__ void __launch_bounds__(256)
    step(float* __restrict__ u_new, const float* __restrict__ u, Index nx, Index ny, Index pitch) {
  const Index x = static_cast<Index>(blockIdx.x) * 32 + static_cast<Index>(threadIdx.x);
  const Index row = static_cast<Index>(blockIdx.y) +
                    static_cast<Index>(gridDim.y) * static_cast<Index>(blockIdx.z);
  const Index y = row * 8 + static_cast<Index>(threadIdx.y);
  if (x >= nx || y >= ny) return;
  const float sum = __fadd_rn(__fadd_rn(u[y * pitch + st::clamp<Index>(x - 1, nx)],
                                        u[y * pitch + st::clamp<Index>(x + 1, nx)]),
                              __fadd_rn(u[st::clamp<Index>(y - 1, ny) * pitch + x],
                                        u[st::clamp<Index>(y + 1, ny) * pitch + x]));
  u_new[y * pitch + x] = __fmul_rn(0.25f, sum);
}

template <typename Index>
void launch(float* (&u)[2], int64_t nx, int64_t ny, int64_t pitch, cudaStream_t stream) {
  step<Index><<<stencil::grid_of(stencil::blocks(nx, 32), stencil::blocks(ny, 8)), dim3(32, 8), 0,
                stream>>>(u[1], u[0], static_cast<Index>(nx), static_cast<Index>(ny),
                          static_cast<Index>(pitch));
}
}  // namespace

stencil::Status advance(float* (&u)[2], int64_t nx, int64_t ny, int64_t pitch, int64_t steps,
                        stencil::Stream stream) {
  for (int64_t s = 0; s < steps; ++s) {
    if (stencil::fits_32_bits(pitch * ny))
      launch<int>(u, nx, ny, pitch, stream);
    else
      launch<int64_t>(u, nx, ny, pitch, stream);
    stencil::rotate(u);
  }
  return stencil::launched("laplace2d");
}
}  // namespace laplace2d

namespace wave3d {
namespace {
__global__ void step(double* u, const double* v, const double* c, stencil::Shape shape) {
  const int64_t x = static_cast<int64_t>(blockIdx.x) * 32 + threadIdx.x;
  const int64_t y = blockIdx.y, z = blockIdx.z;
  if (x >= shape.nx) return;
  const int64_t at = z * shape.plane + y * shape.pitch + x;
  const int64_t below = st::wrap<int64_t>(z - 1, shape.nz) * shape.plane + y * shape.pitch + x;
  const int64_t above = st::wrap<int64_t>(z + 1, shape.nz) * shape.plane + y * shape.pitch + x;
  const double lap = __dsub_rn(__dadd_rn(v[below], v[above]), __dmul_rn(2.0, v[at]));
  u[at] = __dadd_rn(__dsub_rn(__dmul_rn(2.0, v[at]), u[at]), __dmul_rn(c[at], lap));
}
}  // namespace

stencil::Status advance(double* (&u)[2], const double* c, const stencil::Shape& shape,
                        int64_t steps, stencil::Stream stream) {
  for (int64_t s = 0; s < steps; ++s) {
    step<<<stencil::grid_of(stencil::blocks(shape.nx, 32), shape.ny, shape.nz), 32, 0, stream>>>(
        u[1], u[0], c, shape);
    stencil::rotate<2>(&u[0]);
  }
  return stencil::launched("wave3d");
}
}  // namespace wave3d

namespace blur {
namespace {
__global__ void apply(const uint8_t* img, uint8_t* dst, int64_t nx, int64_t ny, int64_t pitch) {
  const int64_t x = static_cast<int64_t>(blockIdx.x) * 32 + threadIdx.x;
  const int64_t y = static_cast<int64_t>(blockIdx.y) + static_cast<int64_t>(gridDim.y) * blockIdx.z;
  if (x >= nx || y >= ny) return;
  const float left = img[y * pitch + st::mirror<int64_t>(x - 2, nx)];
  const float right = img[y * pitch + st::mirror<int64_t>(x + 2, nx)];
  dst[y * pitch + x] = st::saturate<uint8_t>(__fmul_rn(0.5f, __fadd_rn(left, right)));
}
}  // namespace

stencil::Status advance(const uint8_t* img, uint8_t* dst, int64_t nx, int64_t ny, int64_t pitch,
                        stencil::Stream stream) {
  apply<<<stencil::grid_of(stencil::blocks(nx, 32), ny), 32, 0, stream>>>(img, dst, nx, ny, pitch);
  return stencil::launched("blur");
}
}  // namespace blur

template void stencil::copy_halo(double*, const double*, const stencil::Shape&, stencil::Stream);
