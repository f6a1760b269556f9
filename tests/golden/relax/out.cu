// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil laplace2d, 2-D
//   f32 u: 1 point of level t+1, 5 points of level t, radius 1, boundary fixed; 2 buffers
// Schedule coarsened,threads=32x1,vector=8,chunks=full,sums=scatter,steps=11,resident=8
//   11 steps a launch: a warp marches along `y`, and each step keeps in registers the sums that
//   rows are added to
//   reductions in the same launch as the updates
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_501daa13bb42b5f6
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace laplace2d {
namespace {

template <typename Index, int degree, bool edge, bool corner, bool ends>
__device__ __noinline__ void leap_rows(
    float* __restrict__ u_new, const float* __restrict__ u, bool aligned, Index nx, Index ny,
    Index pitch, Index strip, Index first_y, Index behind_y) {
  const Index lane = static_cast<Index>(threadIdx.x);
  const Index x = strip + lane * 8;
  // Lanes beyond the ends of a row load anything: what lies there is made of the row.
  const Index from_x = !edge || (x >= 0 && x < nx) ? x : 0;
  const bool loads = !edge || (aligned && from_x + 8 <= nx);
  // Of a strip that was set back, cells are copied one by one.
  const bool follow = !corner || from_x + 8 <= nx;
  const bool whole = aligned && x >= 0 && x + 8 <= nx;
  const bool stores_0 = lane >= 2 && lane < 31;
  const bool stores_4 = lane >= 1 && lane < 30 && x >= 0;
  // Rows on their way: 2 are asked for ahead of the one in work: a ring of 3. A lane reads what it
  // asked for, and the rest of a row from other lanes: there is no barrier.
  auto& u_ahead = st::shared<float[3][256]>(0);
  // Where a cell of u is in memory, or what stands for it beyond the rim.
  const auto u_place = [&](Index cell_x, Index cell_y) {
    const Index at_x = st::clamp(cell_x, nx);
    const Index at_y = st::clamp(cell_y, ny);
    return at_y * pitch + at_x;
  };
  // Each lane copies its vector of a row some rows ahead.
  const auto ask = [&](Index row, Index place) {
    st::fill_async<8>(
        &u_ahead[place][lane * 8], u, (ends ? st::clamp(row, ny) : row) * pitch + from_x, loads,
        follow, u_place, 0.0f, x, row);
    st::commit();
  };
  const Index first_row = first_y - degree > -1 ? first_y - degree : -1;
  Index place = 0;
  ask(first_row, 0);
  ask(first_row + 1, 1);
  Index n = first_row;
  const Index last_row = behind_y + degree;
  const Index first_inside = degree + 2 < last_row ? degree + 2 : last_row;
  const Index behind_inside = ny - 1 < last_row ? ny - 1 : last_row;
  // What each step keeps, in registers: what rows that are not complete add up to so far.
  float sum0[11][8] = {};
  float sum1[11][8] = {};
  // Rows before those that read rows inside, these, and the rest.
  for (Index part = ends ? 0 : 2; part < 3; ++part) {
    const bool inside_y = !ends || part == 1;
    const Index until = part == 0 ? first_inside : (part == 1 ? behind_inside : last_row);
    if (inside_y) {
      for (; n < until; ++n) {
        ask(n + 2, place == 0 ? 2 : place - 1);
        st::wait<2>();
        float u_row[8];
        st::load<8>(u_row, &u_ahead[place][lane * 8]);
#pragma unroll
        for (Index k = 0; k < degree; ++k) {
          float sum[8];
          float u_0[10];
          st::shift<8>(&u_0[1], u_row);
          st::lend_sides<8, 1, 1>(&u_0[1]);
#pragma unroll
          for (Index v = 0; v < 8; ++v) {
            // Cells that no step assigns pass through the sums as they are.
            const bool stays = edge &&
                               ((v < 1 && x + v < 1) || ((corner || v >= 7) && x + v + 1 >= nx));
            sum[v] = __fmaf_rn(0.25f, u_0[v + 1], sum1[k][v]);
            sum[v] = stays ? sum1[k][v] : sum[v];
            sum1[k][v] = __fmaf_rn(0.25f, u_0[v], sum0[k][v]);
            sum1[k][v] = __fmaf_rn(0.25f, u_0[v + 2], sum1[k][v]);
            sum1[k][v] = stays ? u_row[v] : sum1[k][v];
            sum0[k][v] = __fmul_rn(0.25f, u_0[v + 1]);
          }
#pragma unroll
          for (Index v_2 = 0; v_2 < 8; ++v_2) {
            u_row[v_2] = sum[v_2];
          }
        }
        const Index row = n - degree;
        if (row >= first_y) {
          const Index i = row * pitch + x;
          if (stores_0) {
            st::store_row<4>(&u_new[i], u_row, !edge || whole, nx - x);
          }
          if (stores_4) {
            st::store_row<4>(&u_new[i + 4], &u_row[4], !edge || whole, nx - x - 4);
          }
        }
        place = place == 2 ? 0 : place + 1;
      }
    } else {
      if (n < until) {
        float sum0_far[11][8];
        float sum1_far[11][8];
#pragma unroll
        for (Index k = 0; k < degree; ++k) {
          st::shift<8>(sum0_far[k], sum0[k]);
          st::shift<8>(sum1_far[k], sum1[k]);
        }
        for (; n < until; ++n) {
          ask(n + 2, place == 0 ? 2 : place - 1);
          st::wait<2>();
          float u_row[8];
          st::load<8>(u_row, &u_ahead[place][lane * 8]);
          const Index behind_k = n + 2 < degree ? n + 2 : degree;
          const Index first_k = n - ny > 1 ? n - ny - 1 : 0;
#pragma unroll 1
          for (Index k = first_k; k < behind_k; ++k) {
            const Index y = n - (k + 1);
            float sum[8];
            float u_0[10];
            st::shift<8>(&u_0[1], u_row);
            st::lend_sides<8, 1, 1>(&u_0[1]);
            const bool stays_y = y + 1 < 1 || y + 2 >= ny;
            const bool stays_y_2 = y < 1 || y + 1 >= ny;
#pragma unroll
            for (Index v = 0; v < 8; ++v) {
              // Cells that no step assigns pass through the sums as they are.
              const bool stays = (v < 1 && x + v < 1) || ((corner || v >= 7) && x + v + 1 >= nx);
              sum[v] = __fmaf_rn(0.25f, u_0[v + 1], sum1_far[k][v]);
              sum[v] = stays_y_2 || stays ? sum1_far[k][v] : sum[v];
              sum1_far[k][v] = __fmaf_rn(0.25f, u_0[v], sum0_far[k][v]);
              sum1_far[k][v] = __fmaf_rn(0.25f, u_0[v + 2], sum1_far[k][v]);
              sum1_far[k][v] = stays_y || stays ? u_row[v] : sum1_far[k][v];
              sum0_far[k][v] = __fmul_rn(0.25f, u_0[v + 1]);
            }
#pragma unroll
            for (Index v_2 = 0; v_2 < 8; ++v_2) {
              u_row[v_2] = sum[v_2];
            }
          }
          const Index row = n - degree;
          if (row >= first_y) {
            const Index i = row * pitch + x;
            if (stores_0) {
              st::store_row<4>(&u_new[i], u_row, whole, nx - x);
            }
            if (stores_4) {
              st::store_row<4>(&u_new[i + 4], &u_row[4], whole, nx - x - 4);
            }
          }
          place = place == 2 ? 0 : place + 1;
        }
#pragma unroll
        for (Index k = 0; k < degree; ++k) {
          st::shift<8>(sum0[k], sum0_far[k]);
          st::shift<8>(sum1[k], sum1_far[k]);
        }
      }
    }
  }
}

template <typename Index, int degree>
__global__ void __launch_bounds__(32, 8) leap(
    float* __restrict__ u_new, const float* __restrict__ u, bool aligned, Index nx, Index ny,
    Index pitch, st::March march) {
  // A warp has a strip of 256 cells, of which it stores 232: those at the ends lack neighbours.
  Index number, first_y, behind_y;
  st::part_of<Index>(march, static_cast<Index>(blockIdx.x), ny, number, first_y, behind_y);
  // Where vectors do not fill rows, the last strip begins so much earlier that it ends with a
  // vector where they end.
  const Index strip_at = number * 232 - 16;
  const Index over = st::imod<Index>(nx, 8);
  const bool set_back = over > 0 && strip_at >= 8 && strip_at + 256 > nx;
  const Index strip = set_back ? strip_at + over - 8 : strip_at;
  const bool vectors = aligned && !set_back;
  // Where nothing that a strip computes lies near the rim, no cell needs a check.
  const bool interior_x = vectors && strip >= 1 && strip + 257 <= nx;
  const bool interior_y = first_y - degree >= degree + 2 && behind_y + degree <= ny - 2;
  if (interior_x && interior_y) {
    leap_rows<Index, degree, false, false, false>(
        u_new, u, vectors, nx, ny, pitch, strip, first_y, behind_y);
  } else if (interior_x) {
    leap_rows<Index, degree, false, false, true>(
        u_new, u, vectors, nx, ny, pitch, strip, first_y, behind_y);
  } else if (nx - strip >= 256 || st::imod<Index>(nx - strip, 8) == 0) {
    leap_rows<Index, degree, true, false, true>(
        u_new, u, vectors, nx, ny, pitch, strip, first_y, behind_y);
  } else {
    // Edge blocks: `fixed` for u.
    leap_rows<Index, degree, true, true, true>(
        u_new, u, vectors, nx, ny, pitch, strip, first_y, behind_y);
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) dwell(
    float* __restrict__ u_new, const float* __restrict__ u, Index degree, bool aligned, Index nx,
    Index ny, Index pitch) {
  const Index lane = static_cast<Index>(threadIdx.x);
  const Index warp = st::of_warp(static_cast<Index>(threadIdx.y));
  // A warp has a strip of 32 vectors, of which it stores 26: those at the ends lack neighbours.
  const Index strip = static_cast<Index>(blockIdx.x) * 104 - 12;
  // A block has a tile of 64 rows, 8 for each warp, of which it stores 40.
  const Index first_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 40;
  const Index behind_y = first_y + 40 < ny ? first_y + 40 : ny;
  const Index low = first_y - 12 < ny - 64 ? first_y - 12 : ny - 64;
  const Index tile = low < 0 ? 0 : low;
  const Index x = strip + lane * 4;
  const Index y = tile + warp * 8;
  // Lanes beyond the ends of a row load anything: what lies there is made of the row.
  const Index from_x = x >= 0 && x < nx ? x : 0;
  const bool loads = aligned && from_x + 4 <= nx;
  const bool whole = aligned && x >= 0 && x + 4 <= nx;
  const bool stores = lane >= 3 && lane < 29 && x < nx;
  auto& u_lent = st::shared<float[32][128]>(0);
  // A cell of u, by its boundary where it lies beyond the rim.
  const auto u_at = [&](Index cell_x, Index cell_y) {
    const Index at_x = st::clamp(cell_x, nx);
    const Index at_y = st::clamp(cell_y, ny);
    return u[at_y * pitch + at_x];
  };
  // Which of the rows that warps lend lie beside a warp's own.
  const Index row_below = warp == 0 ? 0 : warp * 2 - 1;
  const Index row_above = warp == 7 ? 15 : warp * 2 + 2;
  st::follow();
  float u_rows[10][6];
  // The rows of a warp.
#pragma unroll
  for (Index r = 0; r < 8; ++r) {
    st::fill<4>(&u_rows[r + 1][1], &u[(y + r) * pitch + from_x], loads, u_at, x, y + r);
  }
  const bool inside_x = aligned && strip >= 1 && strip + 129 <= nx;
  const bool inside_y = tile >= 1 && tile + 65 <= ny;
  const auto cells = [&](auto edge, auto corner) {
#pragma unroll 2
    for (Index k = 0; k < degree; ++k) {
      float u_after[8][4];
      const Index turn = st::imod<Index>(k, 2);
      st::store<4>(&u_lent[turn * 16 + warp * 2][lane * 4], &u_rows[1][1]);
      st::store<4>(&u_lent[turn * 16 + (warp * 2 + 1)][lane * 4], &u_rows[8][1]);
      st::sync();
      st::load<4>(&u_rows[0][1], &u_lent[turn * 16 + row_below][lane * 4]);
      st::load<4>(&u_rows[9][1], &u_lent[turn * 16 + row_above][lane * 4]);
#pragma unroll
      for (Index r = 0; r < 8; ++r) {
        st::lend_sides<4, 1, 1>(&u_rows[r + 1][1]);
#pragma unroll
        for (Index v = 0; v < 4; ++v) {
          float sum = __fmul_rn(0.25f, u_rows[r][v + 1]);
          sum = __fmaf_rn(0.25f, u_rows[r + 1][v], sum);
          sum = __fmaf_rn(0.25f, u_rows[r + 1][v + 2], sum);
          sum = __fmaf_rn(0.25f, u_rows[r + 2][v + 1], sum);
          u_after[r][v] = sum;
        }
        if (edge) {
#pragma unroll
          for (Index v_2 = 0; v_2 < 1; ++v_2) {
            if (x + v_2 < 1) {
              u_after[r][v_2] = u_rows[r + 1][v_2 + 1];
            }
          }
#pragma unroll
          for (Index v_2 = 0; v_2 < 4; ++v_2) {
            if ((corner || v_2 >= 3) && x + v_2 + 1 >= nx) {
              u_after[r][v_2] = u_rows[r + 1][v_2 + 1];
            }
          }
        }
        if (corner) {
#pragma unroll
          for (Index v_2 = 0; v_2 < 4; ++v_2) {
            if (r < 1 && y + r < 1) {
              u_after[r][v_2] = u_rows[r + 1][v_2 + 1];
            }
          }
#pragma unroll
          for (Index v_2 = 0; v_2 < 4; ++v_2) {
            if (r >= 7 && y + r + 1 >= ny) {
              u_after[r][v_2] = u_rows[r + 1][v_2 + 1];
            }
          }
        }
      }
      // The next step.
#pragma unroll
      for (Index r = 0; r < 8; ++r) {
        st::shift<4>(&u_rows[r + 1][1], u_after[r]);
      }
    }
  };
  if (inside_x && inside_y) {
    cells(st::Constant<false>(), st::Constant<false>());
  } else if (aligned && st::imod<Index>(nx, 4) == 0 && inside_y) {
    cells(st::Constant<true>(), st::Constant<false>());
  } else {
    // Edge blocks: `fixed` for u.
    cells(st::Constant<true>(), st::Constant<true>());
  }
  // Rows that lack no neighbour.
  if (stores) {
#pragma unroll
    for (Index r = 0; r < 8; ++r) {
      if (y + r >= first_y && y + r < behind_y) {
        const Index i = (y + r) * pitch + x;
        st::store_row<4>(&u_new[i], &u_rows[r + 1][1], whole, nx - x);
      }
    }
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ u_new, const float* __restrict__ u, bool aligned, Index nx, Index ny,
    Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 256;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y0 = block_y + static_cast<Index>(threadIdx.y) * 2;
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 260 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 9 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y0 < ny)) {
      // Where a row of u begins, and a cell of a row: near the rim those that stand for them.
      const auto u_row = [&](Index row_y) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto u_in = [&](Index row, Index cell_x) { return u[row + st::clamp(cell_x, nx)]; };
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
    // Edge blocks: `fixed` for u.
    cells(st::Constant<true>());
  }
}

template <typename Index>
__global__ void __launch_bounds__(128) step_and_reduce(
    float* __restrict__ u_new, float* __restrict__ res_partials,
    float* __restrict__ energy_partials, const float* __restrict__ u, Index nx, Index ny,
    Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 1 && block_x + 129 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 9 <= ny;
  if (interior_x && interior_y) {
    Index i = block_y * pitch + x;
    float u_ym1 = u[i - pitch];
    float u_0 = u[i];
#pragma unroll
    for (Index k = 0; k < 8; ++k) {
      const Index y = block_y + k;
      const float u_yp1 = u[i + pitch];
      float sum = __fmul_rn(0.25f, u_ym1);
      sum = __fmaf_rn(0.25f, u[i - 1], sum);
      sum = __fmaf_rn(0.25f, u[i + 1], sum);
      sum = __fmaf_rn(0.25f, u_yp1, sum);
      float sum_2 = -u_0;
      sum_2 = __fadd_rn(sum_2, sum);
      const float res_here = fabsf(sum_2);
      const float energy_value = __fmul_rn(sum, sum);
      const bool energy_counts = u_0 > 0.2f;
      const float energy_here = energy_counts ? energy_value : st::Sum::identity<float>();
      u_new[i] = sum;
      st::fold_row<st::Greatest>(res_partials, res_here, x, nx, y);
      st::fold_row<st::Sum>(energy_partials, energy_here, x, nx, y);
      u_ym1 = u_0;
      u_0 = u_yp1;
      i += pitch;
    }
  } else {
    // Edge blocks: `fixed` for u.
    for (Index k = 0; k < 8; ++k) {
      const Index y = block_y + k;
      if (y < ny) {
        float res_part = st::Greatest::identity<float>();
        float energy_part = st::Sum::identity<float>();
        if (x < nx) {
          const Index i = y * pitch + x;
          float u_next = u[i];
          if (x >= 1 && x + 1 < nx && y >= 1 && y + 1 < ny) {
            float sum = __fmul_rn(0.25f, u[i - pitch]);
            sum = __fmaf_rn(0.25f, u[i - 1], sum);
            sum = __fmaf_rn(0.25f, u[i + 1], sum);
            sum = __fmaf_rn(0.25f, u[i + pitch], sum);
            u_next = sum;
          }
          const float u_0 = u[i];
          float sum = -u_0;
          sum = __fadd_rn(sum, u_next);
          const float res_here = fabsf(sum);
          float energy_here = st::Sum::identity<float>();
          const float u_0_2 = u[i];
          if (u_0_2 > 0.2f) {
            energy_here = __fmul_rn(u_next, u_next);
          }
          u_new[i] = u_next;
          res_part = res_here;
          energy_part = energy_here;
        }
        st::fold_row<st::Greatest>(res_partials, res_part, x, nx, y);
        st::fold_row<st::Sum>(energy_partials, energy_part, x, nx, y);
      }
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, const stencil::Shape& shape, stencil::Reduction<float>& res_partials,
    stencil::Reduction<float>& energy_partials, int64_t steps, bool asked, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<8>(shape, u[0], u[1]);
  const stencil::Status dwell_fits = stencil::allow_shared("laplace2d", dwell<Index>, 16384);
  if (!dwell_fits.ok()) return dwell_fits;
  // Chunks of rows that fill the card: what takes longer has fewer.
  const st::MarchCost cost = st::MarchCost{22, 66, 170};
  const st::March march = stencil::march_of(
      leap<Index, 11>, 32, 3072, stencil::blocks(stencil::blocks(shape.nx, 8) * 8 + 4, 232),
      shape.ny, cost);
  const int64_t blocks_x = stencil::blocks(shape.nx, 104);
  const int64_t blocks_y = stencil::blocks(shape.ny, 40);
  const dim3 threads(32, 8);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  const int64_t blocks_x_2 = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y_2 = stencil::blocks(shape.ny, 8);
  const dim3 threads_2(64, 4);
  const dim3 blocks_2 = stencil::grid_of(blocks_x_2, blocks_y_2);
  const int64_t blocks_x_3 = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y_3 = stencil::blocks(shape.ny, 8);
  const dim3 threads_3(128, 1);
  const dim3 blocks_3 = stencil::grid_of(blocks_x_3, blocks_y_3);
  int64_t left = steps;
  // Smaller grids are mostly computed twice: smaller blocks take the steps then.
  if (shape.nx >= 2 && shape.nx * shape.ny >= 5363856) {
    for (; left - asked >= 11; left -= 11) {
      leap<Index, 11><<<stencil::blocks_of(march.parts(), 1), dim3(32, 1), 3072, stream>>>(
          u[1], u[0], aligned, nx, ny, pitch, march);
      stencil::rotate<2>(u);
    }
  }
  if (shape.nx >= 2 && shape.ny >= 64) {
    // Many short launches are recorded, and replayed faster than a host asks for them.
    const auto dwell_on = [&](Index degree, auto on) {
      stencil::launch_early(
          dwell<Index>, blocks, threads, 16384, on, u[1], u[0], degree, aligned, nx, ny, pitch);
      stencil::rotate<2>(u);
    };
    stencil::replay(left, asked, 12, 2, blocks, stream, dwell_on);
    while (left - asked > 1) {
      const Index degree = static_cast<Index>(left - asked < 12 ? left - asked : 12);
      dwell_on(degree, stream);
      left -= degree;
    }
  }
  for (; left > 0; --left) {
    const bool asks = asked && left == 1;
    if (asks) {
      step_and_reduce<Index><<<blocks_3, threads_3, 0, stream>>>(
          u[1], res_partials.partials(), energy_partials.partials(), u[0], nx, ny, pitch);
      res_partials.fold<st::Greatest>(stream);
      energy_partials.fold<st::Sum, true>(stream);
    } else {
      step<Index><<<blocks_2, threads_2, 0, stream>>>(u[1], u[0], aligned, nx, ny, pitch);
    }
    stencil::rotate<2>(u);
  }
  return stencil::launched("laplace2d");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("laplace2d", stream);
  auto u = call.levels<2>("u", args.u);
  if (!call.ok()) return call.status();
  const int code = laplace2d_run(
      u.at, call.nx(), call.ny(), call.pitch(), args.tol, args.res, args.energy, steps.count,
      args.steps_taken, stream);
  return call.finish(code, u);
}

}  // namespace laplace2d

int laplace2d_run(
    float* u[2], int64_t nx, int64_t ny, int64_t pitch, float tol, float* res, float* energy,
    int64_t steps, int64_t* steps_taken, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  // Without a number of steps, the run goes on as `iterate` says.
  const int64_t limit = steps == stencil::kIterate ? 50 : steps;
  const stencil::Steps count{limit};
  stencil::Status ready = stencil::check("laplace2d", shape, count, buffers);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? laplace2d::advance<int> : laplace2d::advance<int64_t>;
  stencil::Reduction<float> res_partials;
  stencil::Reduction<float> energy_partials;
  const bool looks = steps == stencil::kIterate;
  const bool asked = looks || res != nullptr || energy != nullptr;
  if (ready.ok() && asked) ready = res_partials.make("`laplace2d`", shape);
  if (ready.ok() && asked) ready = energy_partials.make("`laplace2d`", shape);
  if (!ready.ok()) return stencil::code_of(ready);
  float res_now = st::Greatest::identity<float>();
  float energy_now = st::Sum::identity<float>();
  int64_t done = 0;
  while (done < limit) {
    const int64_t most = looks ? 7 : limit;
    const int64_t piece = most < limit - done ? most : limit - done;
    ready = advance(u, shape, res_partials, energy_partials, piece, asked, stream);
    done += piece;
    if (ready.ok() && asked) ready = res_partials.read(&res_now, stream);
    if (ready.ok() && asked) ready = energy_partials.read(&energy_now, stream);
    if (!ready.ok()) return stencil::code_of(ready);
    if (looks && res_now < tol) break;
  }
  if (steps_taken != nullptr) *steps_taken = done;
  if (res != nullptr) *res = res_now;
  if (energy != nullptr) *energy = energy_now;
  return stencil::code_of(ready);
}
