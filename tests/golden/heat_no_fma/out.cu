// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --no-fma --schedule=coarsened
//
// Stencil heat, 2-D
//   f32 u: 5 points of level t, radius 1, boundary periodic; 2 buffers
// Schedule coarsened,threads=64x4,vector=4,coarsen=y2
//   asked for by --schedule
// Numbers canonical, no fma
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_e8d26b69860c11c7
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace heat {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ u_new, const float* __restrict__ u, float a, bool aligned, Index nx,
    Index ny, Index pitch) {
  const float factor = __fadd_rn(1.0f, __fmul_rn(a, -4.0f));
  const Index block_x = static_cast<Index>(blockIdx.x) * 256;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y0 = block_y + static_cast<Index>(threadIdx.y) * 2;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 260 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 9 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y0 < ny)) {
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them.
      const auto u_row = [&](Index row_y) {
        const Index at_y = edge ? st::wrap(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto u_in = [&](Index row, Index cell_x) { return u[row + st::wrap(cell_x, nx)]; };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      Index i = y0 * pitch + x;
      float u_ym1[4];
      float u_0[12];
      st::fill_row<4>(edge, u_ym1, u, u_row(y0 - 1), x, whole_0, u_in);
      st::fill_row<4>(edge, &u_0[4], u, u_row(y0), x, whole_0, u_in);
#pragma unroll
      for (Index k = 0; k < 2; ++k) {
        const Index y = y0 + k;
        if (!edge || y < ny) {
          float u_yp1[4];
          st::fill_row<4, -1>(edge, u_0, u, u_row(y), x, whole_0, u_in);
          st::fill_row<4, 1>(edge, &u_0[8], u, u_row(y), x, whole_0, u_in);
          st::fill_row<4>(edge, u_yp1, u, u_row(y + 1), x, whole_0, u_in);
          float u_out[4];
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            const float part = __fmul_rn(a, u_0[v + 3]);
            const float part_2 = __fadd_rn(__fmul_rn(a, u_ym1[v]), part);
            const float part_3 = __fadd_rn(part_2, __fmul_rn(factor, u_0[v + 4]));
            const float part_4 = __fadd_rn(part_3, __fmul_rn(a, u_0[v + 5]));
            u_out[v] = __fadd_rn(part_4, __fmul_rn(a, u_yp1[v]));
          }
          st::store_row<4>(&u_new[i], u_out, whole_0, nx - x);
          st::shift<4>(u_ym1, &u_0[4]);
          st::shift<4>(&u_0[4], u_yp1);
          i += pitch;
        }
      }
    }
  };
  if (interior_x && interior_y && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `periodic` for u.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, const stencil::Shape& shape, float a, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<4>(shape, u[0], u[1]);
  const int64_t blocks_x = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const dim3 threads(64, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(u[1], u[0], a, aligned, nx, ny, pitch);
    stencil::rotate<2>(u);
  }
  return stencil::launched("heat");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("heat", stream);
  auto u = call.levels<2>("u", args.u);
  if (!call.ok()) return call.status();
  const int code = heat_run(u.at, call.nx(), call.ny(), call.pitch(), args.a, steps.count, stream);
  return call.finish(code, u);
}

}  // namespace heat

int heat_run(
    float* u[2], int64_t nx, int64_t ny, int64_t pitch, float a, int64_t steps,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("heat", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? heat::advance<int> : heat::advance<int64_t>;
  const stencil::Status done = advance(u, shape, a, steps, stream);
  return stencil::code_of(done);
}
