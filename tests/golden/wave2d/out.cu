// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil wave2d, 2-D
//   f32 u: 5 points of level t, 1 point of level t-1, radius 1, boundary mirror; 4 buffers
// Schedule coarsened,threads=32x1,vector=4,chunks=full,steps=12,resident=8
//   12 steps a launch: a warp marches along `y`, and each step keeps in registers the rows that it
//   reads again
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_1dd412344fc345e5
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace wave2d {
namespace {

template <typename Index, int degree, bool edge, bool corner, bool ends>
__device__ __noinline__ void leap_rows(
    float* __restrict__ u_new, float* __restrict__ u_new_prev, const float* __restrict__ u,
    const float* __restrict__ u_prev, float c2, bool aligned, Index nx, Index ny, Index pitch,
    Index strip, Index first_y, Index behind_y) {
  const float factor = __fadd_rn(2.0f, __fmul_rn(c2, -4.0f));
  const Index lane = static_cast<Index>(threadIdx.x);
  const Index x = strip + lane * 4;
  // Lanes beyond the ends of a row load anything: what lies there is made of the row.
  const Index from_x = !edge || (x >= 0 && x < nx) ? x : 0;
  const bool loads = !edge || (aligned && from_x + 4 <= nx);
  // Of a strip that was set back, cells are copied one by one.
  const bool follow = !corner || from_x + 4 <= nx;
  const bool whole = aligned && x >= 0 && x + 4 <= nx;
  const bool stores = lane >= 3 && lane < 29;
  // Rows on their way: 2 are asked for ahead of the one in work: a ring of 3. A lane reads what it
  // asked for, and the rest of a row from other lanes: there is no barrier.
  auto& u_ahead = st::shared<float[3][128]>(0);
  auto& u_prev_ahead = st::shared<float[3][128]>(1536);
  auto& u_held = st::shared<float[24][128]>(3072);
  // Where a cell of u is in memory, or what stands for it beyond the rim.
  const auto u_place = [&](Index cell_x, Index cell_y) {
    const Index at_x = st::mirror(cell_x, nx);
    const Index at_y = st::mirror(cell_y, ny);
    return at_y * pitch + at_x;
  };
  // The same of a later time step, of which the last 2 rows are held.
  const auto u_held_at = [&](Index cell_x, Index cell_y, Index k) {
    const Index at_y = st::mirror(cell_y, ny);
    return u_held[k * 2 + st::imod<Index>(at_y, 2)][cell_x - strip];
  };
  // Where a cell of t-1 is in memory; none beyond the rim is read.
  const auto before_place = [&](Index cell_x, Index cell_y) {
    return st::clamp(cell_y, ny) * pitch + st::clamp(cell_x, nx);
  };
  // Each lane copies its vector of a row some rows ahead.
  const auto ask = [&](Index row, Index place) {
    st::fill_async<4>(
        &u_ahead[place][lane * 4], u, (ends ? st::mirror(row, ny) : row) * pitch + from_x, loads,
        follow, u_place, 0.0f, x, row);
    st::fill_async<4>(
        &u_prev_ahead[place][lane * 4], u_prev,
        (ends ? st::clamp(row - 1, ny) : row - 1) * pitch + from_x, loads, follow, before_place,
        0.0f, x, row - 1);
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
  // What each step keeps, in registers: its last rows.
  float u_ym1[12][4] = {};
  float u_0[12][6] = {};
  float u_yp1[12][4] = {};
  // Rows before those that read rows inside, these, and the rest.
  for (Index part = ends ? 0 : 2; part < 3; ++part) {
    const bool inside_y = !ends || part == 1;
    const Index until = part == 0 ? first_inside : (part == 1 ? behind_inside : last_row);
    if (inside_y) {
      for (; n < until; ++n) {
        ask(n + 2, place == 0 ? 2 : place - 1);
        st::wait<2>();
        float u_row[4];
        st::load<4>(u_row, &u_ahead[place][lane * 4]);
        float u_prev_row[4];
        st::load<4>(u_prev_row, &u_prev_ahead[place][lane * 4]);
#pragma unroll
        for (Index k = 0; k < degree; ++k) {
          st::shift<4>(u_ym1[k], &u_0[k][1]);
          st::shift<4>(&u_0[k][1], u_yp1[k]);
          st::shift<4>(u_yp1[k], u_row);
          st::lend_sides<4, 1, 1>(&u_0[k][1]);
          if (edge) {
            u_0[k][0] = x == 0 ? u_0[k][2] : u_0[k][0];
            u_0[k][5] = x + 4 == nx ? u_0[k][3] : u_0[k][5];
            if (corner) {
              u_0[k][2] = x + 1 == nx ? u_0[k][0] : u_0[k][2];
              u_0[k][3] = x + 2 == nx ? u_0[k][1] : u_0[k][3];
              u_0[k][4] = x + 3 == nx ? u_0[k][2] : u_0[k][4];
            }
          }
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            float sum = __fmul_rn(c2, u_ym1[k][v]);
            sum = __fmaf_rn(c2, u_0[k][v], sum);
            sum = __fsub_rn(sum, u_prev_row[v]);
            sum = __fmaf_rn(factor, u_0[k][v + 1], sum);
            sum = __fmaf_rn(c2, u_0[k][v + 2], sum);
            sum = __fmaf_rn(c2, u_yp1[k][v], sum);
            u_row[v] = sum;
          }
          st::shift<4>(u_prev_row, u_ym1[k]);
        }
        const Index row = n - degree;
        if (stores && row >= first_y) {
          const Index i = row * pitch + x;
          st::store_row<4>(&u_new[i], u_row, !edge || whole, nx - x);
          st::store_row<4>(&u_new_prev[i], &u_0[degree - 1][1], !edge || whole, nx - x);
        }
        place = place == 2 ? 0 : place + 1;
      }
    } else {
      if (n < until) {
        float u_ym1_far[12][4];
        float u_0_far[12][6];
        float u_yp1_far[12][4];
#pragma unroll
        for (Index k = 0; k < degree; ++k) {
          st::shift<4>(u_ym1_far[k], u_ym1[k]);
          st::shift<6>(u_0_far[k], u_0[k]);
          st::shift<4>(u_yp1_far[k], u_yp1[k]);
        }
        for (; n < until; ++n) {
          ask(n + 2, place == 0 ? 2 : place - 1);
          st::wait<2>();
          float u_row[4];
          st::load<4>(u_row, &u_ahead[place][lane * 4]);
          float u_prev_row[4];
          st::load<4>(u_prev_row, &u_prev_ahead[place][lane * 4]);
          const Index behind_k = n < 0 ? 1 : (n + 1 < degree ? n + 1 : degree);
          const Index first_k = n - ny > 1 ? n - ny - 1 : 0;
#pragma unroll 1
          for (Index k = first_k; k < behind_k; ++k) {
            const Index y = n - (k + 1);
            if (k > 0 && y + 1 >= 0 && y + 1 < ny) {
              st::store<4>(&u_held[k * 2 + st::imod<Index>(y + 1, 2)][lane * 4], u_row);
            }
            const Index last = ny < 2 ? ny - 1 : 1;
            // The first rows wait for all that stand for rows before them, and go on with these.
            if (k > 0 && y + 1 == last) {
              for (Index row = -1; row < last; ++row) {
                if (k > 0) {
                  st::fill<4>(
                      u_row, &u_held[k * 2 + st::imod<Index>(row, 2)][lane * 4],
                      row >= 0 && row < ny, u_held_at, x, row, k);
                }
                st::shift<4>(u_ym1_far[k], &u_0_far[k][1]);
                st::shift<4>(&u_0_far[k][1], u_yp1_far[k]);
                st::shift<4>(u_yp1_far[k], u_row);
                st::lend_sides<4, 1, 1>(&u_0_far[k][1]);
                u_0_far[k][0] = x == 0 ? u_0_far[k][2] : u_0_far[k][0];
                u_0_far[k][5] = x + 4 == nx ? u_0_far[k][3] : u_0_far[k][5];
                if (corner) {
                  u_0_far[k][2] = x + 1 == nx ? u_0_far[k][0] : u_0_far[k][2];
                  u_0_far[k][3] = x + 2 == nx ? u_0_far[k][1] : u_0_far[k][3];
                  u_0_far[k][4] = x + 3 == nx ? u_0_far[k][2] : u_0_far[k][4];
                }
              }
            }
            if (!(k > 0 && y + 1 >= 0 && y + 1 < last)) {
              if (k > 0) {
                st::fill<4>(
                    u_row, &u_held[k * 2 + st::imod<Index>(y + 1, 2)][lane * 4],
                    y + 1 >= 0 && y + 1 < ny, u_held_at, x, y + 1, k);
              }
              st::shift<4>(u_ym1_far[k], &u_0_far[k][1]);
              st::shift<4>(&u_0_far[k][1], u_yp1_far[k]);
              st::shift<4>(u_yp1_far[k], u_row);
              st::lend_sides<4, 1, 1>(&u_0_far[k][1]);
              u_0_far[k][0] = x == 0 ? u_0_far[k][2] : u_0_far[k][0];
              u_0_far[k][5] = x + 4 == nx ? u_0_far[k][3] : u_0_far[k][5];
              if (corner) {
                u_0_far[k][2] = x + 1 == nx ? u_0_far[k][0] : u_0_far[k][2];
                u_0_far[k][3] = x + 2 == nx ? u_0_far[k][1] : u_0_far[k][3];
                u_0_far[k][4] = x + 3 == nx ? u_0_far[k][2] : u_0_far[k][4];
              }
            }
#pragma unroll
            for (Index v = 0; v < 4; ++v) {
              float sum = __fmul_rn(c2, u_ym1_far[k][v]);
              sum = __fmaf_rn(c2, u_0_far[k][v], sum);
              sum = __fsub_rn(sum, u_prev_row[v]);
              sum = __fmaf_rn(factor, u_0_far[k][v + 1], sum);
              sum = __fmaf_rn(c2, u_0_far[k][v + 2], sum);
              sum = __fmaf_rn(c2, u_yp1_far[k][v], sum);
              u_row[v] = sum;
            }
            st::shift<4>(u_prev_row, u_ym1_far[k]);
          }
          const Index row = n - degree;
          if (stores && row >= first_y) {
            const Index i = row * pitch + x;
            st::store_row<4>(&u_new[i], u_row, whole, nx - x);
            st::store_row<4>(&u_new_prev[i], &u_0_far[degree - 1][1], whole, nx - x);
          }
          place = place == 2 ? 0 : place + 1;
        }
#pragma unroll
        for (Index k = 0; k < degree; ++k) {
          st::shift<4>(u_ym1[k], u_ym1_far[k]);
          st::shift<6>(u_0[k], u_0_far[k]);
          st::shift<4>(u_yp1[k], u_yp1_far[k]);
        }
      }
    }
  }
}

template <typename Index, int degree>
__global__ void __launch_bounds__(32, 8) leap(
    float* __restrict__ u_new, float* __restrict__ u_new_prev, const float* __restrict__ u,
    const float* __restrict__ u_prev, float c2, bool aligned, Index nx, Index ny, Index pitch,
    st::March march) {
  // A warp has a strip of 32 vectors, of which it stores 26: those at the ends lack neighbours.
  Index number, first_y, behind_y;
  st::part_of<Index>(march, static_cast<Index>(blockIdx.x), ny, number, first_y, behind_y);
  // Where vectors do not fill rows, the last strip begins so much earlier that it ends with a
  // vector where they end.
  const Index strip_at = number * 104 - 12;
  const Index over = st::imod<Index>(nx, 4);
  const bool set_back = over > 0 && strip_at >= 4 && strip_at + 128 > nx;
  const Index strip = set_back ? strip_at + over - 4 : strip_at;
  const bool vectors = aligned && !set_back;
  // Where nothing that a strip computes lies near the rim, no cell needs a check.
  const bool interior_x = vectors && strip >= 1 && strip + 129 <= nx;
  const bool interior_y = first_y - degree >= degree + 2 && behind_y + degree <= ny - 2;
  if (interior_x && interior_y) {
    leap_rows<Index, degree, false, false, false>(
        u_new, u_new_prev, u, u_prev, c2, vectors, nx, ny, pitch, strip, first_y, behind_y);
  } else if (interior_x) {
    leap_rows<Index, degree, false, false, true>(
        u_new, u_new_prev, u, u_prev, c2, vectors, nx, ny, pitch, strip, first_y, behind_y);
  } else if (nx - strip >= 128 || st::imod<Index>(nx - strip, 4) == 0) {
    leap_rows<Index, degree, true, false, true>(
        u_new, u_new_prev, u, u_prev, c2, vectors, nx, ny, pitch, strip, first_y, behind_y);
  } else {
    // Edge blocks: `mirror` for u.
    leap_rows<Index, degree, true, true, true>(
        u_new, u_new_prev, u, u_prev, c2, vectors, nx, ny, pitch, strip, first_y, behind_y);
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) dwell(
    float* __restrict__ u_new, float* __restrict__ u_new_prev, const float* __restrict__ u,
    const float* __restrict__ u_prev, Index degree, float c2, bool aligned, Index nx, Index ny,
    Index pitch) {
  const float factor_2 = __fadd_rn(2.0f, __fmul_rn(c2, -4.0f));
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
    const Index at_x = st::mirror(cell_x, nx);
    const Index at_y = st::mirror(cell_y, ny);
    return u[at_y * pitch + at_x];
  };
  // A cell of u at t-1, by its boundary where it lies beyond the rim.
  const auto u_prev_at = [&](Index cell_x, Index cell_y) {
    const Index at_x = st::mirror(cell_x, nx);
    const Index at_y = st::mirror(cell_y, ny);
    return u_prev[at_y * pitch + at_x];
  };
  // Which of the rows that warps lend lie beside a warp's own.
  const Index row_below = warp == 0 ? 0 : warp * 2 - 1;
  const Index row_above = warp == 7 ? 15 : warp * 2 + 2;
  st::follow();
  float u_rows[10][6];
  float u_before[8][4];
  // The rows of a warp.
#pragma unroll
  for (Index r = 0; r < 8; ++r) {
    st::fill<4>(&u_rows[r + 1][1], &u[(y + r) * pitch + from_x], loads, u_at, x, y + r);
    st::fill<4>(u_before[r], &u_prev[(y + r) * pitch + from_x], loads, u_prev_at, x, y + r);
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
      if (corner) {
        if (y == 0) {
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            u_rows[0][v + 1] = u_rows[2][v + 1];
          }
        }
        if (y + 8 == ny) {
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            u_rows[9][v + 1] = u_rows[7][v + 1];
          }
        }
      }
#pragma unroll
      for (Index r = 0; r < 8; ++r) {
        st::lend_sides<4, 1, 1>(&u_rows[r + 1][1]);
        if (edge) {
          if (x == 0) {
            st::stay_apart();
            u_rows[r + 1][0] = u_rows[r + 1][2];
          }
          if (x + 4 == nx) {
            st::stay_apart();
            u_rows[r + 1][5] = u_rows[r + 1][3];
          }
          if (corner) {
            if (x + 1 == nx) {
              st::stay_apart();
              u_rows[r + 1][2] = u_rows[r + 1][0];
            }
            if (x + 2 == nx) {
              st::stay_apart();
              u_rows[r + 1][3] = u_rows[r + 1][1];
            }
            if (x + 3 == nx) {
              st::stay_apart();
              u_rows[r + 1][4] = u_rows[r + 1][2];
            }
          }
        }
#pragma unroll
        for (Index v = 0; v < 4; ++v) {
          float sum = __fmul_rn(c2, u_rows[r][v + 1]);
          sum = __fmaf_rn(c2, u_rows[r + 1][v], sum);
          sum = __fsub_rn(sum, u_before[r][v]);
          sum = __fmaf_rn(factor_2, u_rows[r + 1][v + 1], sum);
          sum = __fmaf_rn(c2, u_rows[r + 1][v + 2], sum);
          sum = __fmaf_rn(c2, u_rows[r + 2][v + 1], sum);
          u_after[r][v] = sum;
        }
      }
      // The next step.
#pragma unroll
      for (Index r = 0; r < 8; ++r) {
        st::shift<4>(u_before[r], &u_rows[r + 1][1]);
        st::shift<4>(&u_rows[r + 1][1], u_after[r]);
      }
    }
  };
  if (inside_x && inside_y) {
    cells(st::Constant<false>(), st::Constant<false>());
  } else if (aligned && st::imod<Index>(nx, 4) == 0 && inside_y) {
    cells(st::Constant<true>(), st::Constant<false>());
  } else {
    // Edge blocks: `mirror` for u.
    cells(st::Constant<true>(), st::Constant<true>());
  }
  // Rows that lack no neighbour.
  if (stores) {
#pragma unroll
    for (Index r = 0; r < 8; ++r) {
      if (y + r >= first_y && y + r < behind_y) {
        const Index i = (y + r) * pitch + x;
        st::store_row<4>(&u_new[i], &u_rows[r + 1][1], whole, nx - x);
        st::store_row<4>(&u_new_prev[i], u_before[r], whole, nx - x);
      }
    }
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ u_new, const float* __restrict__ u, const float* __restrict__ u_prev,
    float c2, bool aligned, Index nx, Index ny, Index pitch) {
  const float factor = __fadd_rn(2.0f, __fmul_rn(c2, -4.0f));
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
      const auto u_prev_row = [&](Index row_y) {
        const Index at_y = edge ? st::mirror(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto u_prev_in = [&](Index row, Index cell_x) {
        return u_prev[row + st::mirror(cell_x, nx)];
      };
      // Where a row of u begins, and a cell of a row: near the rim those that stand for them.
      const auto u_row = [&](Index row_y) {
        const Index at_y = edge ? st::mirror(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto u_in = [&](Index row, Index cell_x) { return u[row + st::mirror(cell_x, nx)]; };
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
          float u_prev_0[4];
          st::fill_row<4>(edge, u_prev_0, u_prev, u_prev_row(y), x, whole_0, u_prev_in);
          float u_yp1[4];
          st::fill_row<4, -1>(edge, u_0, u, u_row(y), x, whole_0, u_in);
          st::fill_row<4, 1>(edge, &u_0[8], u, u_row(y), x, whole_0, u_in);
          st::fill_row<4>(edge, u_yp1, u, u_row(y + 1), x, whole_0, u_in);
          float u_out[4];
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            float sum = __fmul_rn(c2, u_ym1[v]);
            sum = __fmaf_rn(c2, u_0[v + 3], sum);
            sum = __fsub_rn(sum, u_prev_0[v]);
            sum = __fmaf_rn(factor, u_0[v + 4], sum);
            sum = __fmaf_rn(c2, u_0[v + 5], sum);
            sum = __fmaf_rn(c2, u_yp1[v], sum);
            u_out[v] = sum;
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
    // Edge blocks: `mirror` for u.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, const stencil::Shape& shape, float c2, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<4>(shape, u[0], u[1], u[2], u[3]);
  const stencil::Status dwell_fits = stencil::allow_shared("wave2d", dwell<Index>, 16384);
  if (!dwell_fits.ok()) return dwell_fits;
  // Chunks of rows that fill the card: what takes longer has fewer.
  const st::MarchCost cost = st::MarchCost{24, 120, 170};
  const st::March march = stencil::march_of(
      leap<Index, 12>, 32, 15360, stencil::blocks(stencil::blocks(shape.nx, 4) * 4, 104), shape.ny,
      cost);
  const int64_t blocks_x = stencil::blocks(shape.nx, 104);
  const int64_t blocks_y = stencil::blocks(shape.ny, 40);
  const dim3 threads(32, 8);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  const int64_t blocks_x_2 = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y_2 = stencil::blocks(shape.ny, 8);
  const dim3 threads_2(64, 4);
  const dim3 blocks_2 = stencil::grid_of(blocks_x_2, blocks_y_2);
  int64_t left = steps;
  // Smaller grids are mostly computed twice: smaller blocks take the steps then.
  if (shape.nx >= 2 && shape.nx * shape.ny >= 5363856) {
    for (; left >= 12; left -= 12) {
      leap<Index, 12><<<stencil::blocks_of(march.parts(), 1), dim3(32, 1), 15360, stream>>>(
          u[2], u[3], u[0], u[1], c2, aligned, nx, ny, pitch, march);
      stencil::rotate<4>(u);
      stencil::rotate<4>(u);
    }
  }
  if (shape.nx >= 2 && shape.ny >= 64) {
    // Many short launches are recorded, and replayed faster than a host asks for them.
    const auto dwell_on = [&](Index degree, auto on) {
      stencil::launch_early(
          dwell<Index>, blocks, threads, 16384, on, u[2], u[3], u[0], u[1], degree, c2, aligned, nx,
          ny, pitch);
      stencil::rotate<4>(u);
      stencil::rotate<4>(u);
    };
    stencil::replay(left, 0, 12, 2, blocks, stream, dwell_on);
    while (left > 1) {
      const Index degree = static_cast<Index>(left < 12 ? left : 12);
      dwell_on(degree, stream);
      left -= degree;
    }
  }
  for (; left > 0; --left) {
    step<Index><<<blocks_2, threads_2, 0, stream>>>(u[2], u[0], u[1], c2, aligned, nx, ny, pitch);
    stencil::rotate<3>(u);
  }
  return stencil::launched("wave2d");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("wave2d", stream);
  auto u = call.levels<4>("u", args.u, args.u_prev);
  if (!call.ok()) return call.status();
  const int code = wave2d_run(
      u.at, call.nx(), call.ny(), call.pitch(), args.c2, steps.count, stream);
  return call.finish(code, u);
}

}  // namespace wave2d

int wave2d_run(
    float* u[4], int64_t nx, int64_t ny, int64_t pitch, float c2, int64_t steps,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<4> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  buffers.written("u[2]", u[2]);
  buffers.written("u[3]", u[3]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("wave2d", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? wave2d::advance<int> : wave2d::advance<int64_t>;
  const stencil::Status done = advance(u, shape, c2, steps, stream);
  return stencil::code_of(done);
}
