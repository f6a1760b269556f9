// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil advection, 1-D
//   f64 q: 3 points of level t, radius 2, boundary periodic; 2 buffers
// Schedule coarsened,threads=32,vector=16,coarsen=x1,steps=24
//   24 steps a launch: a warp holds a strip in registers and takes all steps of it
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_684de63fec71835f
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace advection {
namespace {

template <typename Index>
__global__ void __launch_bounds__(32) resident_tile_steps(
    double* __restrict__ q_new, const double* __restrict__ q, Index steps, double c, bool aligned,
    Index nx) {
  constexpr Index margin_cells = 48, stored_cells = 464, width = 16, first_storing = 3;
  const double value_4 = __dmul_rn(0.5, c);
  const double value_5 = -value_4;
  const double value_6 = __dmul_rn(0.5, __dmul_rn(c, c));
  const double factor_4 = __dadd_rn(value_5, value_6);
  const double factor_5 = __dadd_rn(__dmul_rn(value_4, 4.0), __dmul_rn(-value_6, 2.0));
  const double factor_6 = __dadd_rn(__dadd_rn(1.0, __dmul_rn(value_5, 3.0)), value_6);
  const Index lane = static_cast<Index>(threadIdx.x);
  // A warp has a tile of 32 vectors, of which it stores 29; the others are its halo.
  const Index tile_x = static_cast<Index>(blockIdx.x) * stored_cells - margin_cells;
  const Index x = tile_x + lane * width;
  // Lanes outside the row load the cells that wrap around.
  const Index from_x = x < 0 ? x + nx : (x >= nx ? x - nx : x);
  const bool loads = aligned && from_x + width <= nx && st::imod<Index>(from_x, width) == 0;
  const bool whole = aligned && x >= 0 && x + width <= nx;
  const bool stores = lane >= first_storing && x < nx;
  // A cell of q; outside the grid it is a ghost cell.
  const auto q_at = [&](Index cell_x) {
    const Index at_x = cell_x < 0 ? cell_x + nx : (cell_x >= nx ? cell_x - nx : cell_x);
    return q[at_x];
  };
  st::follow();
  double q_rows[18];
  // The cells of a warp.
  st::fill<16>(&q_rows[2], &q[from_x], loads, q_at, x);
#pragma unroll 2
  for (Index k = 0; k < steps; ++k) {
    double q_after[16];
    st::exchange_sides<16, 2, 0>(&q_rows[2]);
#pragma unroll
    for (Index v = 0; v < width; ++v) {
      double sum = __dmul_rn(factor_4, q_rows[v]);
      sum = __fma_rn(factor_5, q_rows[v + 1], sum);
      sum = __fma_rn(factor_6, q_rows[v + 2], sum);
      q_after[v] = sum;
    }
    // The next step.
    st::shift<16>(&q_rows[2], q_after);
  }
  // Cells that lack no neighbour.
  if (stores) {
    const Index i = x;
    st::store_row<16>(&q_new[i], &q_rows[2], whole, nx - x);
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) step(
    double* __restrict__ q_new, const double* __restrict__ q, double c, bool aligned, Index nx) {
  const double value = __dmul_rn(0.5, c);
  const double value_2 = -value;
  const double value_3 = __dmul_rn(0.5, __dmul_rn(c, c));
  const double factor = __dadd_rn(value_2, value_3);
  const double factor_2 = __dadd_rn(__dmul_rn(value, 4.0), __dmul_rn(-value_3, 2.0));
  const double factor_3 = __dadd_rn(__dadd_rn(1.0, __dmul_rn(value_2, 3.0)), value_3);
  const Index block_x = static_cast<Index>(blockIdx.x) * 512;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 2;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 2 && block_x + 512 <= nx;
  const auto cells = [&](auto edge) {
    if (!edge || x < nx) {
      // A cell of q; outside the grid it is a ghost cell.
      const auto q_at = [&](Index cell_x) {
        const Index at_x = st::wrap(cell_x, nx);
        return q[at_x];
      };
      const bool whole_0 = !edge || (aligned && x + 2 <= nx);
      const bool whole_m1_to_0 = !edge || (aligned && x >= 2 && x + 2 <= nx);
      const Index i = x;
      double q_0[4];
      st::fill<2, 2>(q_0, &q[i - 2], whole_m1_to_0, q_at, x - 2);
      double q_out[2];
#pragma unroll
      for (Index v = 0; v < 2; ++v) {
        double sum = __dmul_rn(factor, q_0[v]);
        sum = __fma_rn(factor_2, q_0[v + 1], sum);
        sum = __fma_rn(factor_3, q_0[v + 2], sum);
        q_out[v] = sum;
      }
      st::store_row<2>(&q_new[i], q_out, whole_0, nx - x);
    }
  };
  if (interior_x && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `periodic` for q.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    double** q, const stencil::Shape& shape, double c, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const bool aligned = stencil::aligned<16>(shape, q[0], q[1]);
  const int64_t blocks_x = stencil::blocks(shape.nx, 464);
  const dim3 threads(32);
  const dim3 blocks = stencil::grid_of(blocks_x);
  const int64_t blocks_x_2 = stencil::blocks(shape.nx, 512);
  const dim3 threads_2(256);
  const dim3 blocks_2 = stencil::grid_of(blocks_x_2);
  int64_t left = steps;
  if (shape.nx >= 512) {
    // Many short launches are recorded, and replayed faster than the host launches them.
    const auto resident_tile_steps_on = [&](Index steps, auto on) {
      stencil::launch_early(
          resident_tile_steps<Index>, blocks, threads, 0, on, q[1], q[0], steps, c, aligned, nx);
      stencil::rotate<2>(q);
    };
    stencil::replay(left, 0, 24, 2, blocks, stream, resident_tile_steps_on);
    while (left > 1) {
      const Index steps = static_cast<Index>(left < 24 ? left : 24);
      resident_tile_steps_on(steps, stream);
      left -= steps;
    }
  }
  for (; left > 0; --left) {
    step<Index><<<blocks_2, threads_2, 0, stream>>>(q[1], q[0], c, aligned, nx);
    stencil::rotate<2>(q);
  }
  return stencil::launched("advection");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<1> call("advection", stream);
  auto q = call.levels<2>("q", args.q);
  if (!call.ok()) return call.status();
  const int code = advection_run(q.at, call.nx(), args.c, steps.count, stream);
  return call.finish(code, q);
}

}  // namespace advection

int advection_run(double* q[2], int64_t nx, double c, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx}, nx);
  stencil::Buffers<2> buffers;
  buffers.written("q[0]", q[0]);
  buffers.written("q[1]", q[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("advection", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(nx);
  const auto advance = narrow ? advection::advance<int> : advection::advance<int64_t>;
  const stencil::Status done = advance(q, shape, c, steps, stream);
  return stencil::code_of(done);
}
