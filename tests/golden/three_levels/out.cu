// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil three_levels, 1-D
//   f64 u: 1 point of level t, 1 point of level t-1, 2 points of level t-2, radius 1, boundary
//   periodic; 4 buffers
// Schedule coarsened,threads=256,vector=2,coarsen=x1
//   a thread moves 2 cells at once
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_e241f9783b20f25e
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace three_levels {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    double* __restrict__ u_new, const double* __restrict__ u, const double* __restrict__ u_prev,
    const double* __restrict__ u_prev2, bool aligned, Index nx) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 512;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 2;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 2 && block_x + 514 <= nx;
  const auto cells = [&](auto edge) {
    if (!edge || x < nx) {
      // A cell of u; outside the grid it is a ghost cell.
      const auto u_prev2_at = [&](Index cell_x) {
        const Index at_x = st::wrap(cell_x, nx);
        return u_prev2[at_x];
      };
      // A cell of u; outside the grid it is a ghost cell.
      const auto u_prev_at = [&](Index cell_x) {
        const Index at_x = st::wrap(cell_x, nx);
        return u_prev[at_x];
      };
      // A cell of u; outside the grid it is a ghost cell.
      const auto u_at = [&](Index cell_x) {
        const Index at_x = st::wrap(cell_x, nx);
        return u[at_x];
      };
      const bool whole_0 = !edge || (aligned && x + 2 <= nx);
      const bool whole_m1_to_1 = !edge || (aligned && x >= 2 && x + 4 <= nx);
      const Index i = x;
      double u_prev2_0[6];
      st::fill<2, 3>(u_prev2_0, &u_prev2[i - 2], whole_m1_to_1, u_prev2_at, x - 2);
      double u_prev_0[2];
      st::fill<2>(u_prev_0, &u_prev[i], whole_0, u_prev_at, x);
      double u_0[2];
      st::fill<2>(u_0, &u[i], whole_0, u_at, x);
      double u_out[2];
#pragma unroll
      for (Index v = 0; v < 2; ++v) {
        double sum = __dmul_rn(0.125, u_prev2_0[v + 1]);
        sum = __fma_rn(0.25, u_prev_0[v], sum);
        sum = __fma_rn(0.5, u_0[v], sum);
        sum = __fma_rn(0.125, u_prev2_0[v + 3], sum);
        u_out[v] = sum;
      }
      st::store_row<2>(&u_new[i], u_out, whole_0, nx - x);
    }
  };
  if (interior_x && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `periodic` for u.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    double** u, const stencil::Shape& shape, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const bool aligned = stencil::aligned<2>(shape, u[0], u[1], u[2], u[3]);
  const int64_t blocks_x = stencil::blocks(shape.nx, 512);
  const dim3 threads(256);
  const dim3 blocks = stencil::grid_of(blocks_x);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(u[3], u[0], u[1], u[2], aligned, nx);
    stencil::rotate<4>(u);
  }
  return stencil::launched("three_levels");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<1> call("three_levels", stream);
  auto u = call.levels<4>("u", args.u, args.u_prev, args.u_prev2);
  if (!call.ok()) return call.status();
  const int code = three_levels_run(u.at, call.nx(), steps.count, stream);
  return call.finish(code, u);
}

}  // namespace three_levels

int three_levels_run(double* u[4], int64_t nx, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx}, nx);
  stencil::Buffers<4> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  buffers.written("u[2]", u[2]);
  buffers.written("u[3]", u[3]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("three_levels", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(nx);
  const auto advance = narrow ? three_levels::advance<int> : three_levels::advance<int64_t>;
  const stencil::Status done = advance(u, shape, steps, stream);
  return stencil::code_of(done);
}
