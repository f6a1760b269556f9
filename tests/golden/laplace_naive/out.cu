// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --schedule=naive
//
// Stencil laplace2d, 2-D
//   f32 u: 4 points of level t, radius 1, boundary fixed; 2 buffers
// Schedule naive,threads=32x8
//   asked for by --schedule
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_92e074a568ab33f9
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace laplace2d {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256)
    step(float* __restrict__ u_new, const float* __restrict__ u, Index nx, Index ny, Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 32;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 1 && block_x + 33 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 9 <= ny;
  if (interior_x && interior_y) {
    const Index i = y * pitch + x;
    float sum = __fmul_rn(0.25f, u[i - pitch]);
    sum = __fmaf_rn(0.25f, u[i - 1], sum);
    sum = __fmaf_rn(0.25f, u[i + 1], sum);
    sum = __fmaf_rn(0.25f, u[i + pitch], sum);
    u_new[i] = sum;
  } else {
    // Edge blocks: `fixed` for u.
    if (x < nx && y < ny) {
      const Index i = y * pitch + x;
      float u_next = u[i];
      if (x >= 1 && x + 1 < nx && y >= 1 && y + 1 < ny) {
        float sum = __fmul_rn(0.25f, u[i - pitch]);
        sum = __fmaf_rn(0.25f, u[i - 1], sum);
        sum = __fmaf_rn(0.25f, u[i + 1], sum);
        sum = __fmaf_rn(0.25f, u[i + pitch], sum);
        u_next = sum;
      }
      u_new[i] = u_next;
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, const stencil::Shape& shape, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const int64_t blocks_x = stencil::blocks(shape.nx, 32);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const dim3 threads(32, 8);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(u[1], u[0], nx, ny, pitch);
    stencil::rotate<2>(u);
  }
  return stencil::launched("laplace2d");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("laplace2d", stream);
  auto u = call.levels<2>("u", args.u);
  if (!call.ok()) return call.status();
  const int code = laplace2d_run(u.at, call.nx(), call.ny(), call.pitch(), steps.count, stream);
  return call.finish(code, u);
}

}  // namespace laplace2d

int laplace2d_run(
    float* u[2], int64_t nx, int64_t ny, int64_t pitch, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("laplace2d", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? laplace2d::advance<int> : laplace2d::advance<int64_t>;
  const stencil::Status done = advance(u, shape, steps, stream);
  return stencil::code_of(done);
}
