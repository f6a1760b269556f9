// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil fdtd2d, 2-D
//   f64 ex: 2 points of level t+1, 1 point of level t, radius 1, boundary none; 2 buffers
//   f64 ey: 2 points of level t+1, 1 point of level t, radius 1, boundary none; 2 buffers
//   f64 hz: 3 points of level t, radius 1, boundary none; 2 buffers
// Schedule coarsened,threads=32x8,vector=2,rows=6,coarsen=y1,steps=6
//   6 steps a launch: a block holds a tile in registers and takes all steps of it
//   `hz` in the same launch: `ex[t+1]`, `ey[t+1]` beside the cell are 2 values recomputed, from 9
//   points in all
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_da47e83b8f52e8fe
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace fdtd2d {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) resident_tile_steps(
    double* __restrict__ ex_new, double* __restrict__ ey_new, double* __restrict__ hz_new,
    const double* __restrict__ ex, const double* __restrict__ ey, const double* __restrict__ hz,
    Index steps, double cx, double cy, double ch, int64_t t, bool aligned, Index nx, Index ny,
    Index pitch) {
  constexpr Index margin_cells = 6, stored_cells = 52, stored_rows = 36, tile_rows = 48;
  constexpr Index margin_rows = 6, width = 2, rows = 6, first_storing = 3, end_storing = 29;
  constexpr Index halo_buffers = 2, step_halo = 16, row_cells = 64, hz_halo_offset = 16384;
  constexpr Index warp_halo = 2, warps = 8;
  const Index lane = static_cast<Index>(threadIdx.x);
  const Index warp = st::of_warp(static_cast<Index>(threadIdx.y));
  // A warp has a tile of 32 vectors, of which it stores 26; the others are its halo.
  const Index tile_x = static_cast<Index>(blockIdx.x) * stored_cells - margin_cells;
  // A block has a tile of 48 rows, 6 for each warp, of which it stores 36.
  const Index first_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * stored_rows;
  const Index end_y = first_y + stored_rows < ny ? first_y + stored_rows : ny;
  const Index low = first_y - margin_rows < ny - tile_rows ? first_y - margin_rows : ny - tile_rows;
  const Index tile_y = low < 0 ? 0 : low;
  const Index x = tile_x + lane * width;
  const Index y = tile_y + warp * rows;
  // Lanes outside the row load any cell: their ghost cells are computed from the row.
  const Index from_x = x >= 0 && x < nx ? x : 0;
  const bool loads = aligned && from_x + width <= nx;
  const bool whole = aligned && x >= 0 && x + width <= nx;
  const bool stores = lane >= first_storing && lane < end_storing && x < nx;
  auto& ex_halo = st::shared<double[halo_buffers * step_halo][row_cells]>(0);
  // A cell of ex; outside the grid it is a ghost cell.
  const auto ex_at = [&](Index cell_x, Index cell_y) {
    const Index at_x = st::clamp(cell_x, nx);
    const Index at_y = st::clamp(cell_y, ny);
    return ex[at_y * pitch + at_x];
  };
  // A cell of ey; outside the grid it is a ghost cell.
  const auto ey_at = [&](Index cell_x, Index cell_y) {
    const Index at_x = st::clamp(cell_x, nx);
    const Index at_y = st::clamp(cell_y, ny);
    return ey[at_y * pitch + at_x];
  };
  auto& hz_halo = st::shared<double[halo_buffers * step_halo][row_cells]>(hz_halo_offset);
  // A cell of hz; outside the grid it is a ghost cell.
  const auto hz_at = [&](Index cell_x, Index cell_y) {
    const Index at_x = st::clamp(cell_x, nx);
    const Index at_y = st::clamp(cell_y, ny);
    return hz[at_y * pitch + at_x];
  };
  // The halo rows next to a warp's own rows.
  const Index row_above = warp == warps - 1 ? step_halo - 1 : warp * warp_halo + 2;
  // The halo rows next to a warp's own rows.
  const Index row_below_2 = warp == 0 ? 0 : warp * warp_halo - 1;
  st::follow();
  double ex_rows[6][2];
  double ey_rows[6][2];
  double hz_rows[7][3];
  // The rows of a warp.
#pragma unroll
  for (Index r = 0; r < 6; ++r) {
    st::fill<2>(ex_rows[r], &ex[(y + r) * pitch + from_x], loads, ex_at, x, y + r);
    st::fill<2>(ey_rows[r], &ey[(y + r) * pitch + from_x], loads, ey_at, x, y + r);
    st::fill<2>(&hz_rows[r + 1][1], &hz[(y + r) * pitch + from_x], loads, hz_at, x, y + r);
  }
  const bool inside_x = aligned && tile_x >= 1 && tile_x + row_cells + 1 <= nx;
  const bool inside_y = tile_y >= 1 && tile_y + tile_rows + 1 <= ny;
  if (inside_x && inside_y) {
    for (Index k = 0; k < steps; ++k) {
      double ex_after[7][2];
      double ey_after[6][3];
      double hz_after[6][2];
      st::store<2>(&hz_halo[warp * warp_halo][lane * width], &hz_rows[1][1]);
      st::store<2>(&hz_halo[warp * warp_halo + 1][lane * width], &hz_rows[6][1]);
      st::sync();
      st::load<2>(&hz_rows[0][1], &hz_halo[row_below_2][lane * width]);
#pragma unroll
      for (Index r = 0; r < 6; ++r) {
        st::exchange_sides<2, 1, 0>(&hz_rows[r + 1][1]);
#pragma unroll
        for (Index v = 0; v < width; ++v) {
          double sum = __dmul_rn(cy, hz_rows[r + 1][v]);
          sum = __dadd_rn(sum, ey_rows[r][v]);
          sum = __fma_rn(-cy, hz_rows[r + 1][v + 1], sum);
          double sum_2 = __dmul_rn(cx, hz_rows[r][v + 1]);
          sum_2 = __dadd_rn(sum_2, ex_rows[r][v]);
          sum_2 = __fma_rn(-cx, hz_rows[r + 1][v + 1], sum_2);
          ey_after[r][v] = sum;
          ex_after[r][v] = sum_2;
        }
      }
      st::store<2>(&ex_halo[step_halo + warp * warp_halo][lane * width], ex_after[0]);
      st::store<2>(&ex_halo[step_halo + (warp * warp_halo + 1)][lane * width], ex_after[5]);
      st::sync();
      st::load<2>(ex_after[6], &ex_halo[step_halo + row_above][lane * width]);
#pragma unroll
      for (Index r = 0; r < 6; ++r) {
        st::exchange_sides<2, 0, 1>(ey_after[r]);
#pragma unroll
        for (Index v = 0; v < width; ++v) {
          const double value = -ch;
          double sum = hz_rows[r + 1][v + 1];
          sum = __fma_rn(ch, ex_after[r][v], sum);
          sum = __fma_rn(ch, ey_after[r][v], sum);
          sum = __fma_rn(value, ey_after[r][v + 1], sum);
          sum = __fma_rn(value, ex_after[r + 1][v], sum);
          hz_after[r][v] = sum;
        }
      }
      // The next step.
#pragma unroll
      for (Index r = 0; r < 6; ++r) {
        st::shift<2>(ex_rows[r], ex_after[r]);
        st::shift<2>(ey_rows[r], ey_after[r]);
        st::shift<2>(&hz_rows[r + 1][1], hz_after[r]);
      }
    }
  } else {
    for (Index k = 0; k < steps; ++k) {
      double ex_after[7][2];
      double ey_after[6][3];
      double hz_after[6][2];
      const int64_t now = t + static_cast<int64_t>(k);
      st::store<2>(&hz_halo[warp * warp_halo][lane * width], &hz_rows[1][1]);
      st::store<2>(&hz_halo[warp * warp_halo + 1][lane * width], &hz_rows[6][1]);
      st::sync();
      st::load<2>(&hz_rows[0][1], &hz_halo[row_below_2][lane * width]);
#pragma unroll
      for (Index r = 0; r < 6; ++r) {
        st::exchange_sides<2, 1, 0>(&hz_rows[r + 1][1]);
#pragma unroll
        for (Index v = 0; v < width; ++v) {
          double ey_next = ey_rows[r][v];
          if (x + v < 1) {
            ey_next = static_cast<double>(now);
          }
          if (x + v >= 1) {
            double sum = __dmul_rn(cy, hz_rows[r + 1][v]);
            sum = __dadd_rn(sum, ey_rows[r][v]);
            sum = __fma_rn(-cy, hz_rows[r + 1][v + 1], sum);
            ey_next = sum;
          }
          double ex_next = ex_rows[r][v];
          if (y + r >= 1) {
            double sum = __dmul_rn(cx, hz_rows[r][v + 1]);
            sum = __dadd_rn(sum, ex_rows[r][v]);
            sum = __fma_rn(-cx, hz_rows[r + 1][v + 1], sum);
            ex_next = sum;
          }
          ey_after[r][v] = ey_next;
          ex_after[r][v] = ex_next;
        }
      }
      st::store<2>(&ex_halo[step_halo + warp * warp_halo][lane * width], ex_after[0]);
      st::store<2>(&ex_halo[step_halo + (warp * warp_halo + 1)][lane * width], ex_after[5]);
      st::sync();
      st::load<2>(ex_after[6], &ex_halo[step_halo + row_above][lane * width]);
#pragma unroll
      for (Index r = 0; r < 6; ++r) {
        st::exchange_sides<2, 0, 1>(ey_after[r]);
#pragma unroll
        for (Index v = 0; v < width; ++v) {
          double hz_next = hz_rows[r + 1][v + 1];
          if (x + v + 1 < nx && y + r + 1 < ny) {
            const double value = -ch;
            double sum = hz_rows[r + 1][v + 1];
            sum = __fma_rn(ch, ex_after[r][v], sum);
            sum = __fma_rn(ch, ey_after[r][v], sum);
            sum = __fma_rn(value, ey_after[r][v + 1], sum);
            sum = __fma_rn(value, ex_after[r + 1][v], sum);
            hz_next = sum;
          }
          hz_after[r][v] = hz_next;
        }
      }
      // The next step.
#pragma unroll
      for (Index r = 0; r < 6; ++r) {
        st::shift<2>(ex_rows[r], ex_after[r]);
        st::shift<2>(ey_rows[r], ey_after[r]);
        st::shift<2>(&hz_rows[r + 1][1], hz_after[r]);
      }
    }
  }
  // Rows that lack no neighbour.
  if (stores) {
#pragma unroll
    for (Index r = 0; r < 6; ++r) {
      if (y + r >= first_y && y + r < end_y) {
        const Index i = (y + r) * pitch + x;
        st::store_row<2>(&ex_new[i], ex_rows[r], whole, nx - x);
        st::store_row<2>(&ey_new[i], ey_rows[r], whole, nx - x);
        st::store_row<2>(&hz_new[i], &hz_rows[r + 1][1], whole, nx - x);
      }
    }
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) step(
    double* __restrict__ ex_new, double* __restrict__ ey_new, double* __restrict__ hz_new,
    const double* __restrict__ ex, const double* __restrict__ ey, const double* __restrict__ hz,
    double cx, double cy, double ch, int64_t t, bool aligned, Index nx, Index ny, Index pitch) {
  const double factor = static_cast<double>(t);
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 4;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 2;
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 2 && block_x + 130 <= nx;
  const bool interior_y = block_y >= 2 && block_y + 5 <= ny;
  if (interior_x && interior_y && aligned) {
    const Index i = y * pitch + x;
    double ex_0[2];
    st::load<2>(ex_0, &ex[i]);
    double ex_yp1[2];
    st::load<2>(ex_yp1, &ex[i + pitch]);
    double ey_0[4];
    st::load<2, 2>(ey_0, &ey[i]);
    double hz_ym1[2];
    st::load<2>(hz_ym1, &hz[i - pitch]);
    double hz_0[6];
    st::load<2, 3>(hz_0, &hz[i - 2]);
    double hz_yp1[2];
    st::load<2>(hz_yp1, &hz[i + pitch]);
    double ey_out[2];
    double ex_out[2];
    double hz_out[2];
#pragma unroll
    for (Index v = 0; v < 2; ++v) {
      const double value = -cy;
      double ey_next = __dmul_rn(cy, hz_0[v + 1]);
      ey_next = __dadd_rn(ey_next, ey_0[v]);
      ey_next = __fma_rn(value, hz_0[v + 2], ey_next);
      const double value_2 = -cx;
      double ex_next = __dmul_rn(cx, hz_ym1[v]);
      ex_next = __dadd_rn(ex_next, ex_0[v]);
      ex_next = __fma_rn(value_2, hz_0[v + 2], ex_next);
      const double value_3 = -ch;
      double ey_next_xp1 = __dmul_rn(cy, hz_0[v + 2]);
      ey_next_xp1 = __dadd_rn(ey_next_xp1, ey_0[v + 1]);
      ey_next_xp1 = __fma_rn(value, hz_0[v + 3], ey_next_xp1);
      double ex_next_yp1 = __dmul_rn(cx, hz_0[v + 2]);
      ex_next_yp1 = __dadd_rn(ex_next_yp1, ex_yp1[v]);
      ex_next_yp1 = __fma_rn(value_2, hz_yp1[v], ex_next_yp1);
      double sum = hz_0[v + 2];
      sum = __fma_rn(ch, ex_next, sum);
      sum = __fma_rn(ch, ey_next, sum);
      sum = __fma_rn(value_3, ey_next_xp1, sum);
      sum = __fma_rn(value_3, ex_next_yp1, sum);
      ey_out[v] = ey_next;
      ex_out[v] = ex_next;
      hz_out[v] = sum;
    }
    st::store<2>(&ey_new[i], ey_out);
    st::store<2>(&ex_new[i], ex_out);
    st::store<2>(&hz_new[i], hz_out);
  } else {
    // Edge blocks: `none` for ex, `none` for ey, `none` for hz.
    if (x < nx && y < ny) {
      const bool whole_0 = aligned && x + 2 <= nx;
      const Index i = y * pitch + x;
      double ey_out[2];
      double ex_out[2];
      double hz_out[2];
#pragma unroll
      for (Index v = 0; v < 2; ++v) {
        if (x + v < nx) {
          double ey_next = ey[i + v];
          if (x + v < 1) {
            ey_next = factor;
          }
          if (x + v >= 1) {
            const double value = -cy;
            const double hz_0 = hz[i + v];
            double sum = __dmul_rn(cy, hz[i + v - 1]);
            sum = __dadd_rn(sum, ey[i + v]);
            sum = __fma_rn(value, hz_0, sum);
            ey_next = sum;
          }
          double ex_next = ex[i + v];
          if (y >= 1) {
            const double value = -cx;
            const double hz_0 = hz[i + v];
            double sum = __dmul_rn(cx, hz[i + v - pitch]);
            sum = __dadd_rn(sum, ex[i + v]);
            sum = __fma_rn(value, hz_0, sum);
            ex_next = sum;
          }
          double hz_next = hz[i + v];
          if (x + v + 1 < nx && y + 1 < ny) {
            const double hz_0 = hz[i + v];
            const double value = -ch;
            const Index x_there = x + v + 1;
            double ey_next_2 = ey[y * pitch + x_there];
            if (x_there < 1) {
              ey_next_2 = factor;
            }
            if (x_there >= 1) {
              const double value_2 = -cy;
              const double hz_0_2 = hz[y * pitch + x_there];
              double sum = __dmul_rn(cy, hz[y * pitch + x_there - 1]);
              sum = __dadd_rn(sum, ey[y * pitch + x_there]);
              sum = __fma_rn(value_2, hz_0_2, sum);
              ey_next_2 = sum;
            }
            const Index x_there_2 = x + v;
            const Index y_there = y + 1;
            double ex_next_2 = ex[y_there * pitch + x_there_2];
            if (y_there >= 1) {
              const double value_2 = -cx;
              const double hz_0_2 = hz[y_there * pitch + x_there_2];
              double sum = __dmul_rn(cx, hz[y_there * pitch + x_there_2 - pitch]);
              sum = __dadd_rn(sum, ex[y_there * pitch + x_there_2]);
              sum = __fma_rn(value_2, hz_0_2, sum);
              ex_next_2 = sum;
            }
            double sum = hz_0;
            sum = __fma_rn(ch, ex_next, sum);
            sum = __fma_rn(ch, ey_next, sum);
            sum = __fma_rn(value, ey_next_2, sum);
            sum = __fma_rn(value, ex_next_2, sum);
            hz_next = sum;
          }
          ey_out[v] = ey_next;
          ex_out[v] = ex_next;
          hz_out[v] = hz_next;
        }
      }
      st::store_row<2>(&ey_new[i], ey_out, whole_0, nx - x);
      st::store_row<2>(&ex_new[i], ex_out, whole_0, nx - x);
      st::store_row<2>(&hz_new[i], hz_out, whole_0, nx - x);
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    double** ex, double** ey, double** hz, const stencil::Shape& shape, double cx, double cy,
    double ch, int64_t first, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<2>(shape, ex[0], ex[1], ey[0], ey[1], hz[0], hz[1]);
  const stencil::Status resident_tile_steps_fits = stencil::allow_shared(
      "fdtd2d", resident_tile_steps<Index>, 32768);
  if (!resident_tile_steps_fits.ok()) return resident_tile_steps_fits;
  const int64_t blocks_x = stencil::blocks(shape.nx, 52);
  const int64_t blocks_y = stencil::blocks(shape.ny, 36);
  const dim3 threads(32, 8);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  const int64_t blocks_x_2 = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y_2 = stencil::blocks(shape.ny, 4);
  const dim3 threads_2(64, 4);
  const dim3 blocks_2 = stencil::grid_of(blocks_x_2, blocks_y_2);
  int64_t t = first;
  int64_t left = steps;
  if (shape.nx >= 2 && shape.ny >= 48) {
    while (left > 1) {
      const Index steps = static_cast<Index>(left < 6 ? left : 6);
      stencil::launch_early(
          resident_tile_steps<Index>, blocks, threads, 32768, stream, ex[1], ey[1], hz[1], ex[0],
          ey[0], hz[0], steps, cx, cy, ch, t, aligned, nx, ny, pitch);
      stencil::rotate<2>(ex);
      stencil::rotate<2>(ey);
      stencil::rotate<2>(hz);
      t += steps;
      left -= steps;
    }
  }
  for (; left > 0; --left) {
    step<Index><<<blocks_2, threads_2, 0, stream>>>(
        ex[1], ey[1], hz[1], ex[0], ey[0], hz[0], cx, cy, ch, t, aligned, nx, ny, pitch);
    stencil::rotate<2>(ex);
    stencil::rotate<2>(ey);
    stencil::rotate<2>(hz);
    ++t;
  }
  return stencil::launched("fdtd2d");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("fdtd2d", stream);
  auto ex = call.levels<2>("ex", args.ex);
  auto ey = call.levels<2>("ey", args.ey);
  auto hz = call.levels<2>("hz", args.hz);
  if (!call.ok()) return call.status();
  const int code = fdtd2d_run(
      ex.at, ey.at, hz.at, call.nx(), call.ny(), call.pitch(), args.cx, args.cy, args.ch,
      steps.first, steps.count, stream);
  return call.finish(code, ex, ey, hz);
}

}  // namespace fdtd2d

int fdtd2d_run(
    double* ex[2], double* ey[2], double* hz[2], int64_t nx, int64_t ny, int64_t pitch, double cx,
    double cy, double ch, int64_t first, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<6> buffers;
  buffers.written("ex[0]", ex[0]);
  buffers.written("ex[1]", ex[1]);
  buffers.written("ey[0]", ey[0]);
  buffers.written("ey[1]", ey[1]);
  buffers.written("hz[0]", hz[0]);
  buffers.written("hz[1]", hz[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("fdtd2d", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? fdtd2d::advance<int> : fdtd2d::advance<int64_t>;
  const stencil::Status done = advance(ex, ey, hz, shape, cx, cy, ch, first, steps, stream);
  return stencil::code_of(done);
}
