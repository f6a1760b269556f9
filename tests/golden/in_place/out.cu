// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil in_place, 2-D
//   f32 u: 1 point of level t; 1 buffer
//   f32 v: 1 point of level t; 1 buffer
// Schedule coarsened,threads=64x4,vector=4,coarsen=y1
//   a thread moves 4 cells at once, and keeps what it has loaded for its next ones
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_155c3ce568d77092
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace in_place {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ u, float* __restrict__ v, float k, bool aligned, Index nx, Index ny,
    Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 256;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 4;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x + 256 <= nx;
  const bool interior_y = block_y + 4 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y < ny)) {
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them.
      const auto u_row = [&](Index row_y) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto u_in = [&](Index row, Index cell_x) { return u[row + st::clamp(cell_x, nx)]; };
      // Where a row of v begins, and a cell of a row: near the boundary those that stand for them.
      const auto v_row = [&](Index row_y) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto v_in = [&](Index row, Index cell_x) { return v[row + st::clamp(cell_x, nx)]; };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      const Index i = y * pitch + x;
      float u_0[4];
      st::fill_row<4>(edge, u_0, u, u_row(y), x, whole_0, u_in);
      float v_0[4];
      st::fill_row<4>(edge, v_0, v, v_row(y), x, whole_0, v_in);
      float u_out[4];
      float v_out[4];
#pragma unroll
      for (Index v_2 = 0; v_2 < 4; ++v_2) {
        float sum = u_0[v_2];
        sum = __fmaf_rn(k, v_0[v_2], sum);
        float sum_2 = __fmul_rn(-k, u_0[v_2]);
        sum_2 = __fadd_rn(sum_2, v_0[v_2]);
        u_out[v_2] = sum;
        v_out[v_2] = sum_2;
      }
      st::store_row<4>(&u[i], u_out, whole_0, nx - x);
      st::store_row<4>(&v[i], v_out, whole_0, nx - x);
    }
  };
  if (interior_x && interior_y && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks.
    cells(st::Constant<true>());
  }
}

// The time loop.
template <typename Index>
stencil::Status advance(
    float* u, float* v, const stencil::Shape& shape, float k, int64_t steps,
    stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<4>(shape, u, v);
  const int64_t blocks_x = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y = stencil::blocks(shape.ny, 4);
  const dim3 threads(64, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(u, v, k, aligned, nx, ny, pitch);
  }
  return stencil::launched("in_place");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("in_place", stream);
  float* u = call.output("u", args.u);
  float* v = call.output("v", args.v);
  if (!call.ok()) return call.status();
  const int code = in_place_run(
      u, v, call.nx(), call.ny(), call.pitch(), args.k, steps.count, stream);
  return call.finish(code);
}

}  // namespace in_place

int in_place_run(
    float* u, float* v, int64_t nx, int64_t ny, int64_t pitch, float k, int64_t steps,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("u", u);
  buffers.written("v", v);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("in_place", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? in_place::advance<int> : in_place::advance<int64_t>;
  const stencil::Status done = advance(u, v, shape, k, steps, stream);
  return stencil::code_of(done);
}
