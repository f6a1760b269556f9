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

template <typename Index, int steps, bool edge, bool corner, bool ends>
__device__ __noinline__ void advance_rows(
    float* __restrict__ u_new, float* __restrict__ u_new_prev, const float* __restrict__ u,
    const float* __restrict__ u_prev, float c2, bool aligned, Index nx, Index ny, Index pitch,
    Index tile_x, Index first_y, Index end_y) {
  constexpr Index max_steps = 12, width = 4, row_cells = 128, first_storing = 3, end_storing = 29;
  constexpr Index ring_depth = 3, u_prev_ring_offset = 1536, held = 2, u_held_offset = 3072;
  constexpr Index prefetch_distance = 2;
  const float factor = __fadd_rn(2.0f, __fmul_rn(c2, -4.0f));
  const Index lane = static_cast<Index>(threadIdx.x);
  const Index x = tile_x + lane * width;
  // Lanes outside the row load any cell: their ghost cells are computed from the row.
  const Index from_x = !edge || (x >= 0 && x < nx) ? x : 0;
  const bool loads = !edge || (aligned && from_x + width <= nx);
  // A tile that was shifted copies its cells one by one.
  const bool contiguous = !corner || from_x + width <= nx;
  const bool whole = aligned && x >= 0 && x + width <= nx;
  const bool stores = lane >= first_storing && lane < end_storing;
  // Prefetch ring of rows, one for each warp. The prefetch distance is 2 rows. A lane reads only
  // what it copied itself, so no barrier is needed.
  auto& u_ring = st::shared<float[ring_depth][row_cells]>(0);
  auto& u_prev_ring = st::shared<float[ring_depth][row_cells]>(u_prev_ring_offset);
  auto& u_held = st::shared<float[max_steps * held][row_cells]>(u_held_offset);
  // Where a cell of u is in memory, or -1 for a constant ghost cell.
  const auto u_index = [&](Index cell_x, Index cell_y) {
    const Index at_x = st::mirror(cell_x, nx);
    const Index at_y = st::mirror(cell_y, ny);
    return at_y * pitch + at_x;
  };
  // A cell of u at a later time step. The last 2 rows are held.
  const auto u_held_at = [&](Index cell_x, Index cell_y, Index k) {
    const Index at_y = st::mirror(cell_y, ny);
    const Index held_row = k * held + st::imod<Index>(at_y, held);
    return u_held[held_row][cell_x - tile_x];
  };
  // Where a cell of t-1 is in memory; none outside the grid is read.
  const auto before_index = [&](Index cell_x, Index cell_y) {
    return st::clamp(cell_y, ny) * pitch + st::clamp(cell_x, nx);
  };
  // Each lane prefetches its own vector of a row.
  const auto prefetch = [&](Index row, Index slot) {
    st::fill_async<4>(
        &u_ring[slot][lane * width], u, (ends ? st::mirror(row, ny) : row) * pitch + from_x, loads,
        contiguous, u_index, 0.0f, x, row);
    st::fill_async<4>(
        &u_prev_ring[slot][lane * width], u_prev,
        (ends ? st::clamp(row - 1, ny) : row - 1) * pitch + from_x, loads, contiguous, before_index,
        0.0f, x, row - 1);
    st::commit();
  };
  const Index first_row = first_y - steps > -1 ? first_y - steps : -1;
  Index slot = 0;
  prefetch(first_row, 0);
  prefetch(first_row + 1, 1);
  Index n = first_row;
  const Index last_row = end_y + steps;
  const Index first_inside = steps + 2 < last_row ? steps + 2 : last_row;
  const Index end_inside = ny - 1 < last_row ? ny - 1 : last_row;
  // Each step carries in registers: its last rows.
  float u_ym1[max_steps][4] = {};
  float u_0[max_steps][6] = {};
  float u_yp1[max_steps][4] = {};
  // Rows near the low boundary, interior rows, and rows near the high boundary.
  for (Index section = ends ? 0 : 2; section < 3; ++section) {
    const bool inside_y = !ends || section == 1;
    const Index until = section == 0 ? first_inside : (section == 1 ? end_inside : last_row);
    if (inside_y) {
      for (; n < until; ++n) {
        prefetch(n + prefetch_distance, slot == 0 ? prefetch_distance : slot - 1);
        st::wait<2>();
        float u_row[width];
        st::load<4>(u_row, &u_ring[slot][lane * width]);
        float u_prev_row[width];
        st::load<4>(u_prev_row, &u_prev_ring[slot][lane * width]);
#pragma unroll
        for (Index k = 0; k < steps; ++k) {
          st::shift<4>(u_ym1[k], &u_0[k][1]);
          st::shift<4>(&u_0[k][1], u_yp1[k]);
          st::shift<4>(u_yp1[k], u_row);
          st::exchange_sides<4, 1, 1>(&u_0[k][1]);
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
          for (Index v = 0; v < width; ++v) {
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
        const Index row = n - steps;
        if (stores && row >= first_y) {
          const Index i = row * pitch + x;
          st::store_row<4>(&u_new[i], u_row, !edge || whole, nx - x);
          st::store_row<4>(&u_new_prev[i], &u_0[steps - 1][1], !edge || whole, nx - x);
        }
        slot = slot == ring_depth - 1 ? 0 : slot + 1;
      }
    } else {
      if (n < until) {
        float u_ym1_local[max_steps][4];
        float u_0_local[max_steps][6];
        float u_yp1_local[max_steps][4];
#pragma unroll
        for (Index k = 0; k < steps; ++k) {
          st::shift<4>(u_ym1_local[k], u_ym1[k]);
          st::shift<6>(u_0_local[k], u_0[k]);
          st::shift<4>(u_yp1_local[k], u_yp1[k]);
        }
        for (; n < until; ++n) {
          prefetch(n + prefetch_distance, slot == 0 ? prefetch_distance : slot - 1);
          st::wait<2>();
          float u_row[width];
          st::load<4>(u_row, &u_ring[slot][lane * width]);
          float u_prev_row[width];
          st::load<4>(u_prev_row, &u_prev_ring[slot][lane * width]);
          const Index end_k = n < 0 ? 1 : (n + 1 < steps ? n + 1 : steps);
          const Index first_k = n - ny > 1 ? n - ny - 1 : 0;
#pragma unroll 1
          for (Index k = first_k; k < end_k; ++k) {
            const Index y = n - (k + 1);
            if (k > 0 && y + 1 >= 0 && y + 1 < ny) {
              const Index held_row = k * held + st::imod<Index>(y + 1, held);
              st::store<4>(&u_held[held_row][lane * width], u_row);
            }
            const Index last = ny < 2 ? ny - 1 : 1;
            // The first rows wait for all that stand for rows before them, and go on with these.
            if (k > 0 && y + 1 == last) {
              for (Index row = -1; row < last; ++row) {
                if (k > 0) {
                  const Index held_row = k * held + st::imod<Index>(row, held);
                  st::fill<4>(
                      u_row, &u_held[held_row][lane * width], row >= 0 && row < ny, u_held_at, x,
                      row, k);
                }
                st::shift<4>(u_ym1_local[k], &u_0_local[k][1]);
                st::shift<4>(&u_0_local[k][1], u_yp1_local[k]);
                st::shift<4>(u_yp1_local[k], u_row);
                st::exchange_sides<4, 1, 1>(&u_0_local[k][1]);
                u_0_local[k][0] = x == 0 ? u_0_local[k][2] : u_0_local[k][0];
                u_0_local[k][5] = x + 4 == nx ? u_0_local[k][3] : u_0_local[k][5];
                if (corner) {
                  u_0_local[k][2] = x + 1 == nx ? u_0_local[k][0] : u_0_local[k][2];
                  u_0_local[k][3] = x + 2 == nx ? u_0_local[k][1] : u_0_local[k][3];
                  u_0_local[k][4] = x + 3 == nx ? u_0_local[k][2] : u_0_local[k][4];
                }
              }
            }
            if (!(k > 0 && y + 1 >= 0 && y + 1 < last)) {
              if (k > 0) {
                const Index held_row = k * held + st::imod<Index>(y + 1, held);
                st::fill<4>(
                    u_row, &u_held[held_row][lane * width], y + 1 >= 0 && y + 1 < ny, u_held_at, x,
                    y + 1, k);
              }
              st::shift<4>(u_ym1_local[k], &u_0_local[k][1]);
              st::shift<4>(&u_0_local[k][1], u_yp1_local[k]);
              st::shift<4>(u_yp1_local[k], u_row);
              st::exchange_sides<4, 1, 1>(&u_0_local[k][1]);
              u_0_local[k][0] = x == 0 ? u_0_local[k][2] : u_0_local[k][0];
              u_0_local[k][5] = x + 4 == nx ? u_0_local[k][3] : u_0_local[k][5];
              if (corner) {
                u_0_local[k][2] = x + 1 == nx ? u_0_local[k][0] : u_0_local[k][2];
                u_0_local[k][3] = x + 2 == nx ? u_0_local[k][1] : u_0_local[k][3];
                u_0_local[k][4] = x + 3 == nx ? u_0_local[k][2] : u_0_local[k][4];
              }
            }
#pragma unroll
            for (Index v = 0; v < width; ++v) {
              float sum = __fmul_rn(c2, u_ym1_local[k][v]);
              sum = __fmaf_rn(c2, u_0_local[k][v], sum);
              sum = __fsub_rn(sum, u_prev_row[v]);
              sum = __fmaf_rn(factor, u_0_local[k][v + 1], sum);
              sum = __fmaf_rn(c2, u_0_local[k][v + 2], sum);
              sum = __fmaf_rn(c2, u_yp1_local[k][v], sum);
              u_row[v] = sum;
            }
            st::shift<4>(u_prev_row, u_ym1_local[k]);
          }
          const Index row = n - steps;
          if (stores && row >= first_y) {
            const Index i = row * pitch + x;
            st::store_row<4>(&u_new[i], u_row, whole, nx - x);
            st::store_row<4>(&u_new_prev[i], &u_0_local[steps - 1][1], whole, nx - x);
          }
          slot = slot == ring_depth - 1 ? 0 : slot + 1;
        }
#pragma unroll
        for (Index k = 0; k < steps; ++k) {
          st::shift<4>(u_ym1[k], u_ym1_local[k]);
          st::shift<6>(u_0[k], u_0_local[k]);
          st::shift<4>(u_yp1[k], u_yp1_local[k]);
        }
      }
    }
  }
}

template <typename Index, int steps>
__global__ void __launch_bounds__(32, 8) advance_steps(
    float* __restrict__ u_new, float* __restrict__ u_new_prev, const float* __restrict__ u,
    const float* __restrict__ u_prev, float c2, bool aligned, Index nx, Index ny, Index pitch,
    st::Partition chunks) {
  constexpr Index margin_cells = 12, stored_cells = 104, width = 4, row_cells = 128;
  // A warp has a tile of 32 vectors, of which it stores 26; the others are its halo.
  Index tile_number, first_y, end_y;
  st::chunk_of<Index>(chunks, static_cast<Index>(blockIdx.x), ny, tile_number, first_y, end_y);
  // If vectors do not fill the rows, the last tile is shifted: it ends with the row and with a
  // vector.
  const Index regular_x = tile_number * stored_cells - margin_cells;
  const Index remainder = st::imod<Index>(nx, width);
  const bool shifted = remainder > 0 && regular_x >= width && regular_x + row_cells > nx;
  const Index tile_x = shifted ? regular_x + remainder - width : regular_x;
  const bool vectors = aligned && !shifted;
  // A tile whose reads all stay in the grid needs no checks.
  const bool interior_x = vectors && tile_x >= 1 && tile_x + row_cells + 1 <= nx;
  const bool interior_y = first_y - steps >= steps + 2 && end_y + steps <= ny - 2;
  if (interior_x && interior_y) {
    advance_rows<Index, steps, false, false, false>(
        u_new, u_new_prev, u, u_prev, c2, vectors, nx, ny, pitch, tile_x, first_y, end_y);
  } else if (interior_x) {
    advance_rows<Index, steps, false, false, true>(
        u_new, u_new_prev, u, u_prev, c2, vectors, nx, ny, pitch, tile_x, first_y, end_y);
  } else if (nx - tile_x >= row_cells || st::imod<Index>(nx - tile_x, width) == 0) {
    advance_rows<Index, steps, true, false, true>(
        u_new, u_new_prev, u, u_prev, c2, vectors, nx, ny, pitch, tile_x, first_y, end_y);
  } else {
    // Edge blocks: `mirror` for u.
    advance_rows<Index, steps, true, true, true>(
        u_new, u_new_prev, u, u_prev, c2, vectors, nx, ny, pitch, tile_x, first_y, end_y);
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) resident_tile_steps(
    float* __restrict__ u_new, float* __restrict__ u_new_prev, const float* __restrict__ u,
    const float* __restrict__ u_prev, Index steps, float c2, bool aligned, Index nx, Index ny,
    Index pitch) {
  constexpr Index margin_cells = 12, stored_cells = 104, stored_rows = 40, tile_rows = 64;
  constexpr Index margin_rows = 12, width = 4, rows = 8, first_storing = 3, end_storing = 29;
  constexpr Index halo_buffers = 2, step_halo = 16, row_cells = 128, warp_halo = 2, warps = 8;
  const float factor_2 = __fadd_rn(2.0f, __fmul_rn(c2, -4.0f));
  const Index lane = static_cast<Index>(threadIdx.x);
  const Index warp = st::of_warp(static_cast<Index>(threadIdx.y));
  // A warp has a tile of 32 vectors, of which it stores 26; the others are its halo.
  const Index tile_x = static_cast<Index>(blockIdx.x) * stored_cells - margin_cells;
  // A block has a tile of 64 rows, 8 for each warp, of which it stores 40.
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
  auto& u_halo = st::shared<float[halo_buffers * step_halo][row_cells]>(0);
  // A cell of u; outside the grid it is a ghost cell.
  const auto u_at = [&](Index cell_x, Index cell_y) {
    const Index at_x = st::mirror(cell_x, nx);
    const Index at_y = st::mirror(cell_y, ny);
    return u[at_y * pitch + at_x];
  };
  // A cell of u at t-1; outside the grid it is a ghost cell.
  const auto u_prev_at = [&](Index cell_x, Index cell_y) {
    const Index at_x = st::mirror(cell_x, nx);
    const Index at_y = st::mirror(cell_y, ny);
    return u_prev[at_y * pitch + at_x];
  };
  // The halo rows next to a warp's own rows.
  const Index row_below = warp == 0 ? 0 : warp * warp_halo - 1;
  const Index row_above = warp == warps - 1 ? step_halo - 1 : warp * warp_halo + 2;
  st::follow();
  float u_rows[10][6];
  float u_before[8][4];
  // The rows of a warp.
#pragma unroll
  for (Index r = 0; r < 8; ++r) {
    st::fill<4>(&u_rows[r + 1][1], &u[(y + r) * pitch + from_x], loads, u_at, x, y + r);
    st::fill<4>(u_before[r], &u_prev[(y + r) * pitch + from_x], loads, u_prev_at, x, y + r);
  }
  const bool inside_x = aligned && tile_x >= 1 && tile_x + row_cells + 1 <= nx;
  const bool inside_y = tile_y >= 1 && tile_y + tile_rows + 1 <= ny;
  const auto cells = [&](auto edge, auto corner) {
#pragma unroll 2
    for (Index k = 0; k < steps; ++k) {
      float u_after[8][4];
      const Index parity = st::imod<Index>(k, 2);
      st::store<4>(&u_halo[parity * step_halo + warp * warp_halo][lane * width], &u_rows[1][1]);
      st::store<4>(
          &u_halo[parity * step_halo + (warp * warp_halo + 1)][lane * width], &u_rows[8][1]);
      st::sync();
      st::load<4>(&u_rows[0][1], &u_halo[parity * step_halo + row_below][lane * width]);
      st::load<4>(&u_rows[9][1], &u_halo[parity * step_halo + row_above][lane * width]);
      if (corner) {
        if (y == 0) {
#pragma unroll
          for (Index v = 0; v < width; ++v) {
            u_rows[0][v + 1] = u_rows[2][v + 1];
          }
        }
        if (y + 8 == ny) {
#pragma unroll
          for (Index v = 0; v < width; ++v) {
            u_rows[9][v + 1] = u_rows[7][v + 1];
          }
        }
      }
#pragma unroll
      for (Index r = 0; r < 8; ++r) {
        st::exchange_sides<4, 1, 1>(&u_rows[r + 1][1]);
        if (edge) {
          if (x == 0) {
            st::keep_branch();
            u_rows[r + 1][0] = u_rows[r + 1][2];
          }
          if (x + 4 == nx) {
            st::keep_branch();
            u_rows[r + 1][5] = u_rows[r + 1][3];
          }
          if (corner) {
            if (x + 1 == nx) {
              st::keep_branch();
              u_rows[r + 1][2] = u_rows[r + 1][0];
            }
            if (x + 2 == nx) {
              st::keep_branch();
              u_rows[r + 1][3] = u_rows[r + 1][1];
            }
            if (x + 3 == nx) {
              st::keep_branch();
              u_rows[r + 1][4] = u_rows[r + 1][2];
            }
          }
        }
#pragma unroll
        for (Index v = 0; v < width; ++v) {
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
  } else if (aligned && st::imod<Index>(nx, width) == 0 && inside_y) {
    cells(st::Constant<true>(), st::Constant<false>());
  } else {
    // Edge blocks: `mirror` for u.
    cells(st::Constant<true>(), st::Constant<true>());
  }
  // Rows that lack no neighbour.
  if (stores) {
#pragma unroll
    for (Index r = 0; r < 8; ++r) {
      if (y + r >= first_y && y + r < end_y) {
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
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 260 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 9 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y0 < ny)) {
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them.
      const auto u_prev_row = [&](Index row_y) {
        const Index at_y = edge ? st::mirror(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto u_prev_in = [&](Index row, Index cell_x) {
        return u_prev[row + st::mirror(cell_x, nx)];
      };
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them.
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
  const stencil::Status resident_tile_steps_fits = stencil::allow_shared(
      "wave2d", resident_tile_steps<Index>, 16384);
  if (!resident_tile_steps_fits.ok()) return resident_tile_steps_fits;
  // Chunks of rows that fill the card: what takes longer has fewer.
  const st::PartitionCost cost = st::PartitionCost{24, 120, 170};
  const st::Partition chunks = stencil::partition_of(
      advance_steps<Index, 12>, 32, 15360, stencil::blocks(stencil::blocks(shape.nx, 4) * 4, 104),
      shape.ny, cost);
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
      advance_steps<Index, 12><<<stencil::blocks_of(chunks, 1), dim3(32, 1), 15360, stream>>>(
          u[2], u[3], u[0], u[1], c2, aligned, nx, ny, pitch, chunks);
      stencil::rotate<4>(u);
      stencil::rotate<4>(u);
    }
  }
  if (shape.nx >= 2 && shape.ny >= 64) {
    // Many short launches are recorded, and replayed faster than the host launches them.
    const auto resident_tile_steps_on = [&](Index steps, auto on) {
      stencil::launch_early(
          resident_tile_steps<Index>, blocks, threads, 16384, on, u[2], u[3], u[0], u[1], steps, c2,
          aligned, nx, ny, pitch);
      stencil::rotate<4>(u);
      stencil::rotate<4>(u);
    };
    stencil::replay(left, 0, 12, 2, blocks, stream, resident_tile_steps_on);
    while (left > 1) {
      const Index steps = static_cast<Index>(left < 12 ? left : 12);
      resident_tile_steps_on(steps, stream);
      left -= steps;
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
