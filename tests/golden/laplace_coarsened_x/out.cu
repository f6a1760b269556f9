// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --schedule=coarsened,threads=64x4,coarsen=x2
//
// Stencil laplace2d, 2-D
//   f32 u: 4 points of level t, radius 1, boundary fixed; 2 buffers
// Schedule coarsened,threads=64x4,vector=4,coarsen=x2
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
  const Index block_x = static_cast<Index>(blockIdx.x) * 512;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 4;
  const Index x0 = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 516 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 5 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x0 < nx && y < ny)) {
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them.
      const auto u_row = [&](Index row_y) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto u_in = [&](Index row, Index cell_x) { return u[row + st::clamp(cell_x, nx)]; };
#pragma unroll
      for (Index k = 0; k < 2; ++k) {
        const Index x = x0 + k * 256;
        const Index i = y * pitch + x;
        if (!edge || x < nx) {
          float u_ym1[4];
          st::fill_row<4>(edge, u_ym1, u, u_row(y - 1), x, !edge || (aligned && x + 4 <= nx), u_in);
          float u_0[12];
          st::fill_row<4, -1, 3>(
              edge, u_0, u, u_row(y), x, !edge || (aligned && x + 4 <= nx), u_in);
          float u_yp1[4];
          st::fill_row<4>(edge, u_yp1, u, u_row(y + 1), x, !edge || (aligned && x + 4 <= nx), u_in);
          float u_out[4];
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            float u_next = u_0[v + 4];
            if (!edge || (x + v >= 1 && x + v + 1 < nx && y >= 1 && y + 1 < ny)) {
              float sum = __fmul_rn(0.25f, u_ym1[v]);
              sum = __fmaf_rn(0.25f, u_0[v + 3], sum);
              sum = __fmaf_rn(0.25f, u_0[v + 5], sum);
              sum = __fmaf_rn(0.25f, u_yp1[v], sum);
              u_next = sum;
            }
            u_out[v] = u_next;
          }
          st::store_row<4>(&u_new[i], u_out, !edge || (aligned && x + 4 <= nx), nx - x);
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
  const int64_t blocks_x = stencil::blocks(shape.nx, 512);
  const int64_t blocks_y = stencil::blocks(shape.ny, 4);
  const dim3 threads(64, 4);
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
