// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --arch=sm_90
//   --schedule=coarsened,threads=32x8,vector=4,coarsen=y8,sides=lanes
//
// Stencil laplace2d, 2-D
//   f32 u: 4 points of level t, radius 1, boundary fixed; 2 buffers
// Schedule coarsened,threads=32x8,vector=4,coarsen=y8,sides=lanes
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
__global__ void __launch_bounds__(256) step(
    float* __restrict__ u_new, const float* __restrict__ u, bool aligned, Index nx, Index ny,
    Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 64;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y0 = block_y + static_cast<Index>(threadIdx.y) * 8;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 132 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 65 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y0 < ny)) {
      // A cell of u; outside the grid it is a ghost cell.
      const auto u_at = [&](Index cell_x, Index cell_y) {
        const Index at_x = st::clamp(cell_x, nx);
        const Index at_y = st::clamp(cell_y, ny);
        return u[at_y * pitch + at_x];
      };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      const bool whole_sides = x >= 1 && x + 5 <= nx;
      Index i = y0 * pitch + x;
      float u_ym1[4];
      float u_0[6];
      st::fill<4>(u_ym1, &u[i - pitch], whole_0 && (!edge || y0 >= 1), u_at, x, y0 - 1);
      st::fill<4>(&u_0[1], &u[i], whole_0, u_at, x, y0);
#pragma unroll
      for (Index k = 0; k < 8; ++k) {
        const Index y = y0 + k;
        if (!edge || y < ny) {
          float u_yp1[4];
          st::fill_sides<4, 1, 1>(edge, &u_0[1], &u[i], whole_sides, u_at, x, y);
          st::fill<4>(u_yp1, &u[i + pitch], whole_0 && (!edge || y + 1 < ny), u_at, x, y + 1);
          float u_out[4];
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            float u_next = u_0[v + 1];
            if (!edge || (x + v >= 1 && x + v + 1 < nx && y >= 1 && y + 1 < ny)) {
              float sum = __fmul_rn(0.25f, u_ym1[v]);
              sum = __fmaf_rn(0.25f, u_0[v], sum);
              sum = __fmaf_rn(0.25f, u_0[v + 2], sum);
              sum = __fmaf_rn(0.25f, u_yp1[v], sum);
              u_next = sum;
            }
            u_out[v] = u_next;
          }
          st::store_row<4>(&u_new[i], u_out, whole_0, nx - x);
          st::shift<4>(u_ym1, &u_0[1]);
          st::shift<4>(&u_0[1], u_yp1);
          i += pitch;
        }
      }
    }
  };
  if (interior_x && interior_y && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `fixed` for u.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, const stencil::Shape& shape, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<4>(shape, u[0], u[1]);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 64);
  const dim3 threads(32, 8);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(u[1], u[0], aligned, nx, ny, pitch);
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
