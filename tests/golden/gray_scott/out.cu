// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil gray_scott, 2-D
//   f32 u: 5 points of level t, radius 1, boundary periodic; 2 buffers
//   f32 v: 5 points of level t, radius 1, boundary periodic; 2 buffers
// Schedule coarsened,threads=32x1,vector=4,chunks=full,steps=7,resident=8
//   7 steps a launch: a warp marches along `y`, and each step keeps in registers the rows that it
//   reads again
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_aa161b9efb4413fa
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace gray_scott {
namespace {

template <typename Index, int steps>
__global__ void __launch_bounds__(32, 8) advance_steps(
    float* __restrict__ u_new, float* __restrict__ v_new, const float* __restrict__ u,
    const float* __restrict__ v, float Du, float Dv, float F, float k, float dt, bool aligned,
    Index nx, Index ny, Index pitch, st::Partition chunks) {
  constexpr Index max_steps = 7, margin_cells = 8, stored_cells = 112, width = 4, row_cells = 128;
  constexpr Index first_storing = 2, end_storing = 30, ring_depth = 3, v_ring_offset = 1536;
  constexpr Index prefetch_distance = 2;
  const float factor = __fmul_rn(Du, -4.0f);
  const float factor_2 = -__fadd_rn(F, k);
  const float factor_3 = __fmul_rn(Dv, -4.0f);
  // A warp has a tile of 32 vectors, of which it stores 28; the others are its halo.
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
  const Index lane = static_cast<Index>(threadIdx.x);
  const Index x = tile_x + lane * width;
  // Lanes outside the row load the cells that wrap around.
  const Index from_x = x < 0 ? x + nx : (x >= nx ? x - nx : x);
  const bool loads = vectors && from_x + width <= nx && from_x >= 0 &&
                     st::imod<Index>(from_x, width) == 0;
  // A tile that was shifted copies its cells one by one.
  const bool contiguous = from_x >= 0 && from_x + width <= nx;
  const bool whole = vectors && x >= 0 && x + width <= nx;
  const bool stores = lane >= first_storing && lane < end_storing;
  // Prefetch ring of rows, one for each warp. The prefetch distance is 2 rows. A lane reads only
  // what it copied itself, so no barrier is needed.
  auto& u_ring = st::shared<float[ring_depth][row_cells]>(0);
  auto& v_ring = st::shared<float[ring_depth][row_cells]>(v_ring_offset);
  // Where a cell of u is in memory, or -1 for a constant ghost cell.
  const auto u_index = [&](Index cell_x, Index cell_y) {
    const Index at_x = st::wrap(cell_x, nx);
    const Index at_y = st::wrap(cell_y, ny);
    return at_y * pitch + at_x;
  };
  // Where a cell of v is in memory, or -1 for a constant ghost cell.
  const auto v_index = [&](Index cell_x, Index cell_y) {
    const Index at_x = st::wrap(cell_x, nx);
    const Index at_y = st::wrap(cell_y, ny);
    return at_y * pitch + at_x;
  };
  // Each lane prefetches its own vector of a row.
  const auto prefetch = [&](auto at_boundary, Index row, Index slot) {
    st::fill_async<4>(
        &u_ring[slot][lane * width], u,
        (at_boundary ? st::wrap(row, ny) : row) * pitch + (at_boundary ? from_x : x),
        !at_boundary || loads, contiguous, u_index, 0.0f, x, row);
    st::fill_async<4>(
        &v_ring[slot][lane * width], v,
        (at_boundary ? st::wrap(row, ny) : row) * pitch + (at_boundary ? from_x : x),
        !at_boundary || loads, contiguous, v_index, 0.0f, x, row);
    st::commit();
  };
  const Index first_row = first_y - steps;
  Index slot = 0;
  prefetch(st::Constant<true>(), first_row, 0);
  prefetch(st::Constant<true>(), first_row + 1, 1);
  Index n = first_row;
  const Index last_row = end_y + steps;
  const Index first_inside = steps + 2 < last_row ? steps + 2 : last_row;
  const Index end_inside = ny - 2 < last_row ? ny - 2 : last_row;
  // Each step carries in registers: its last rows.
  float u_ym1[max_steps][4] = {};
  float u_0[max_steps][6] = {};
  float u_yp1[max_steps][4] = {};
  float v_ym1[max_steps][4] = {};
  float v_0[max_steps][6] = {};
  float v_yp1[max_steps][4] = {};
  // Rows near the low boundary, interior rows, and rows near the high boundary.
  for (Index section = 0; section < 3; ++section) {
    const bool inside_y = section == 1;
    const Index until = section == 0 ? first_inside : (section == 1 ? end_inside : last_row);
    const auto cells = [&](auto edge) {
      for (; n < until; ++n) {
        prefetch(edge, n + prefetch_distance, slot == 0 ? prefetch_distance : slot - 1);
        st::wait<2>();
        float u_row[width];
        st::load<4>(u_row, &u_ring[slot][lane * width]);
        float v_row[width];
        st::load<4>(v_row, &v_ring[slot][lane * width]);
#pragma unroll
        for (Index k_2 = 0; k_2 < steps; ++k_2) {
          st::shift<4>(u_ym1[k_2], &u_0[k_2][1]);
          st::shift<4>(&u_0[k_2][1], u_yp1[k_2]);
          st::shift<4>(u_yp1[k_2], u_row);
          st::exchange_sides<4, 1, 1>(&u_0[k_2][1]);
          st::shift<4>(v_ym1[k_2], &v_0[k_2][1]);
          st::shift<4>(&v_0[k_2][1], v_yp1[k_2]);
          st::shift<4>(v_yp1[k_2], v_row);
          st::exchange_sides<4, 1, 1>(&v_0[k_2][1]);
#pragma unroll
          for (Index v_2 = 0; v_2 < width; ++v_2) {
            float sum = __fmul_rn(Du, u_ym1[k_2][v_2]);
            sum = __fmaf_rn(Du, u_0[k_2][v_2], sum);
            sum = __fmaf_rn(factor, u_0[k_2][v_2 + 1], sum);
            sum = __fmaf_rn(Du, u_0[k_2][v_2 + 2], sum);
            sum = __fmaf_rn(Du, u_yp1[k_2][v_2], sum);
            const float part = __fmul_rn(u_0[k_2][v_2 + 1], v_0[k_2][v_2 + 1]);
            const float uvv = __fmul_rn(part, v_0[k_2][v_2 + 1]);
            const float part_2 = __fmaf_rn(-F, u_0[k_2][v_2 + 1], F);
            const float part_3 = __fadd_rn(__fsub_rn(sum, uvv), part_2);
            const float u_next = __fmaf_rn(dt, part_3, u_0[k_2][v_2 + 1]);
            float sum_2 = __fmul_rn(Dv, v_ym1[k_2][v_2]);
            sum_2 = __fmaf_rn(Dv, v_0[k_2][v_2], sum_2);
            sum_2 = __fmaf_rn(factor_3, v_0[k_2][v_2 + 1], sum_2);
            sum_2 = __fmaf_rn(Dv, v_0[k_2][v_2 + 2], sum_2);
            sum_2 = __fmaf_rn(Dv, v_yp1[k_2][v_2], sum_2);
            const float part_4 = __fadd_rn(sum_2, uvv);
            const float part_5 = __fmaf_rn(factor_2, v_0[k_2][v_2 + 1], part_4);
            const float v_next = __fmaf_rn(dt, part_5, v_0[k_2][v_2 + 1]);
            u_row[v_2] = u_next;
            v_row[v_2] = v_next;
          }
        }
        const Index row = n - steps;
        if (stores && row >= first_y) {
          const Index i = row * pitch + x;
          st::store_row<4>(&u_new[i], u_row, !edge || whole, nx - x);
          st::store_row<4>(&v_new[i], v_row, !edge || whole, nx - x);
        }
        slot = slot == ring_depth - 1 ? 0 : slot + 1;
      }
    };
    if (interior_x && inside_y) {
      cells(st::Constant<false>());
    } else {
      // Edge blocks: `periodic` for u, `periodic` for v.
      cells(st::Constant<true>());
    }
  }
}

template <typename Index>
__global__ void __launch_bounds__(512) resident_tile_steps(
    float* __restrict__ u_new, float* __restrict__ v_new, const float* __restrict__ u,
    const float* __restrict__ v, Index steps, float Du, float Dv, float F, float k, float dt,
    bool aligned, Index nx, Index ny, Index pitch) {
  constexpr Index margin_cells = 8, stored_cells = 112, stored_rows = 80, margin_rows = 8;
  constexpr Index width = 4, rows = 6, first_storing = 2, end_storing = 30, halo_buffers = 2;
  constexpr Index step_halo = 32, row_cells = 128, v_halo_offset = 32768, warp_halo = 2, warps = 16;
  const float factor_4 = __fmul_rn(Du, -4.0f);
  const float factor_5 = -__fadd_rn(F, k);
  const float factor_6 = __fmul_rn(Dv, -4.0f);
  const Index lane = static_cast<Index>(threadIdx.x);
  const Index warp = st::of_warp(static_cast<Index>(threadIdx.y));
  // A warp has a tile of 32 vectors, of which it stores 28; the others are its halo.
  const Index tile_x = static_cast<Index>(blockIdx.x) * stored_cells - margin_cells;
  // A block has a tile of 96 rows, 6 for each warp, of which it stores 80.
  const Index first_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * stored_rows;
  const Index end_y = first_y + stored_rows < ny ? first_y + stored_rows : ny;
  const Index tile_y = first_y - margin_rows;
  const Index x = tile_x + lane * width;
  const Index y = tile_y + warp * rows;
  // Lanes outside the row load the cells that wrap around.
  const Index from_x = x < 0 ? x + nx : (x >= nx ? x - nx : x);
  const bool loads = aligned && from_x + width <= nx && st::imod<Index>(from_x, width) == 0;
  const bool whole = aligned && x >= 0 && x + width <= nx;
  const bool stores = lane >= first_storing && lane < end_storing && x < nx;
  auto& u_halo = st::shared<float[halo_buffers * step_halo][row_cells]>(0);
  // A cell of u; outside the grid it is a ghost cell.
  const auto u_at = [&](Index cell_x, Index cell_y) {
    const Index at_x = cell_x < 0 ? cell_x + nx : (cell_x >= nx ? cell_x - nx : cell_x);
    const Index at_y = cell_y < 0 ? cell_y + ny : (cell_y >= ny ? cell_y - ny : cell_y);
    return u[at_y * pitch + at_x];
  };
  auto& v_halo = st::shared<float[halo_buffers * step_halo][row_cells]>(v_halo_offset);
  // A cell of v; outside the grid it is a ghost cell.
  const auto v_at = [&](Index cell_x, Index cell_y) {
    const Index at_x = cell_x < 0 ? cell_x + nx : (cell_x >= nx ? cell_x - nx : cell_x);
    const Index at_y = cell_y < 0 ? cell_y + ny : (cell_y >= ny ? cell_y - ny : cell_y);
    return v[at_y * pitch + at_x];
  };
  // The halo rows next to a warp's own rows.
  const Index row_below = warp == 0 ? 0 : warp * warp_halo - 1;
  const Index row_above = warp == warps - 1 ? step_halo - 1 : warp * warp_halo + 2;
  // The halo rows next to a warp's own rows.
  const Index row_below_2 = warp == 0 ? 0 : warp * warp_halo - 1;
  const Index row_above_2 = warp == warps - 1 ? step_halo - 1 : warp * warp_halo + 2;
  st::follow();
  float u_rows[8][6];
  float v_rows[8][6];
  // The rows of a warp.
#pragma unroll
  for (Index r = 0; r < 6; ++r) {
    const Index from_y = y + r < 0 ? y + r + ny : (y + r >= ny ? y + r - ny : y + r);
    st::fill<4>(&u_rows[r + 1][1], &u[from_y * pitch + from_x], loads, u_at, x, y + r);
    const Index from_y_2 = y + r < 0 ? y + r + ny : (y + r >= ny ? y + r - ny : y + r);
    st::fill<4>(&v_rows[r + 1][1], &v[from_y_2 * pitch + from_x], loads, v_at, x, y + r);
  }
#pragma unroll 2
  for (Index k_2 = 0; k_2 < steps; ++k_2) {
    float u_after[6][4];
    float v_after[6][4];
    const Index parity = st::imod<Index>(k_2, 2);
    st::store<4>(&u_halo[parity * step_halo + warp * warp_halo][lane * width], &u_rows[1][1]);
    st::store<4>(&u_halo[parity * step_halo + (warp * warp_halo + 1)][lane * width], &u_rows[6][1]);
    st::store<4>(&v_halo[parity * step_halo + warp * warp_halo][lane * width], &v_rows[1][1]);
    st::store<4>(&v_halo[parity * step_halo + (warp * warp_halo + 1)][lane * width], &v_rows[6][1]);
    st::sync();
    st::load<4>(&u_rows[0][1], &u_halo[parity * step_halo + row_below][lane * width]);
    st::load<4>(&u_rows[7][1], &u_halo[parity * step_halo + row_above][lane * width]);
    st::load<4>(&v_rows[0][1], &v_halo[parity * step_halo + row_below_2][lane * width]);
    st::load<4>(&v_rows[7][1], &v_halo[parity * step_halo + row_above_2][lane * width]);
#pragma unroll
    for (Index r = 0; r < 6; ++r) {
      st::exchange_sides<4, 1, 1>(&u_rows[r + 1][1]);
      st::exchange_sides<4, 1, 1>(&v_rows[r + 1][1]);
#pragma unroll
      for (Index v_2 = 0; v_2 < width; ++v_2) {
        float sum = __fmul_rn(Du, u_rows[r][v_2 + 1]);
        sum = __fmaf_rn(Du, u_rows[r + 1][v_2], sum);
        sum = __fmaf_rn(factor_4, u_rows[r + 1][v_2 + 1], sum);
        sum = __fmaf_rn(Du, u_rows[r + 1][v_2 + 2], sum);
        sum = __fmaf_rn(Du, u_rows[r + 2][v_2 + 1], sum);
        const float part = __fmul_rn(u_rows[r + 1][v_2 + 1], v_rows[r + 1][v_2 + 1]);
        const float uvv = __fmul_rn(part, v_rows[r + 1][v_2 + 1]);
        const float part_2 = __fmaf_rn(-F, u_rows[r + 1][v_2 + 1], F);
        const float part_3 = __fadd_rn(__fsub_rn(sum, uvv), part_2);
        const float u_next = __fmaf_rn(dt, part_3, u_rows[r + 1][v_2 + 1]);
        float sum_2 = __fmul_rn(Dv, v_rows[r][v_2 + 1]);
        sum_2 = __fmaf_rn(Dv, v_rows[r + 1][v_2], sum_2);
        sum_2 = __fmaf_rn(factor_6, v_rows[r + 1][v_2 + 1], sum_2);
        sum_2 = __fmaf_rn(Dv, v_rows[r + 1][v_2 + 2], sum_2);
        sum_2 = __fmaf_rn(Dv, v_rows[r + 2][v_2 + 1], sum_2);
        const float part_4 = __fmaf_rn(factor_5, v_rows[r + 1][v_2 + 1], __fadd_rn(sum_2, uvv));
        const float v_next = __fmaf_rn(dt, part_4, v_rows[r + 1][v_2 + 1]);
        u_after[r][v_2] = u_next;
        v_after[r][v_2] = v_next;
      }
    }
    // The next step.
#pragma unroll
    for (Index r = 0; r < 6; ++r) {
      st::shift<4>(&u_rows[r + 1][1], u_after[r]);
      st::shift<4>(&v_rows[r + 1][1], v_after[r]);
    }
  }
  // Rows that lack no neighbour.
  if (stores) {
#pragma unroll
    for (Index r = 0; r < 6; ++r) {
      if (y + r >= first_y && y + r < end_y) {
        const Index i = (y + r) * pitch + x;
        st::store_row<4>(&u_new[i], &u_rows[r + 1][1], whole, nx - x);
        st::store_row<4>(&v_new[i], &v_rows[r + 1][1], whole, nx - x);
      }
    }
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ u_new, float* __restrict__ v_new, const float* __restrict__ u,
    const float* __restrict__ v, float Du, float Dv, float F, float k, float dt, bool aligned,
    Index nx, Index ny, Index pitch) {
  const float factor = __fmul_rn(Du, -4.0f);
  const float factor_2 = -__fadd_rn(F, k);
  const float factor_3 = __fmul_rn(Dv, -4.0f);
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
      // Where a row of v begins, and a cell of a row: near the boundary those that stand for them.
      const auto v_row = [&](Index row_y) {
        const Index at_y = edge ? st::wrap(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto v_in = [&](Index row, Index cell_x) { return v[row + st::wrap(cell_x, nx)]; };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      Index i = y0 * pitch + x;
      float u_ym1[4];
      float u_0[12];
      st::fill_row<4>(edge, u_ym1, u, u_row(y0 - 1), x, whole_0, u_in);
      st::fill_row<4>(edge, &u_0[4], u, u_row(y0), x, whole_0, u_in);
      float v_ym1[4];
      float v_0[12];
      st::fill_row<4>(edge, v_ym1, v, v_row(y0 - 1), x, whole_0, v_in);
      st::fill_row<4>(edge, &v_0[4], v, v_row(y0), x, whole_0, v_in);
#pragma unroll
      for (Index k_2 = 0; k_2 < 2; ++k_2) {
        const Index y = y0 + k_2;
        if (!edge || y < ny) {
          float u_yp1[4];
          st::fill_row<4, -1>(edge, u_0, u, u_row(y), x, whole_0, u_in);
          st::fill_row<4, 1>(edge, &u_0[8], u, u_row(y), x, whole_0, u_in);
          st::fill_row<4>(edge, u_yp1, u, u_row(y + 1), x, whole_0, u_in);
          float v_yp1[4];
          st::fill_row<4, -1>(edge, v_0, v, v_row(y), x, whole_0, v_in);
          st::fill_row<4, 1>(edge, &v_0[8], v, v_row(y), x, whole_0, v_in);
          st::fill_row<4>(edge, v_yp1, v, v_row(y + 1), x, whole_0, v_in);
          float u_out[4];
          float v_out[4];
#pragma unroll
          for (Index v_2 = 0; v_2 < 4; ++v_2) {
            float sum = __fmul_rn(Du, u_ym1[v_2]);
            sum = __fmaf_rn(Du, u_0[v_2 + 3], sum);
            sum = __fmaf_rn(factor, u_0[v_2 + 4], sum);
            sum = __fmaf_rn(Du, u_0[v_2 + 5], sum);
            sum = __fmaf_rn(Du, u_yp1[v_2], sum);
            const float part = __fmul_rn(u_0[v_2 + 4], v_0[v_2 + 4]);
            const float uvv = __fmul_rn(part, v_0[v_2 + 4]);
            const float part_2 = __fmaf_rn(-F, u_0[v_2 + 4], F);
            const float part_3 = __fadd_rn(__fsub_rn(sum, uvv), part_2);
            const float u_next = __fmaf_rn(dt, part_3, u_0[v_2 + 4]);
            float sum_2 = __fmul_rn(Dv, v_ym1[v_2]);
            sum_2 = __fmaf_rn(Dv, v_0[v_2 + 3], sum_2);
            sum_2 = __fmaf_rn(factor_3, v_0[v_2 + 4], sum_2);
            sum_2 = __fmaf_rn(Dv, v_0[v_2 + 5], sum_2);
            sum_2 = __fmaf_rn(Dv, v_yp1[v_2], sum_2);
            const float part_4 = __fmaf_rn(factor_2, v_0[v_2 + 4], __fadd_rn(sum_2, uvv));
            const float v_next = __fmaf_rn(dt, part_4, v_0[v_2 + 4]);
            u_out[v_2] = u_next;
            v_out[v_2] = v_next;
          }
          st::store_row<4>(&u_new[i], u_out, whole_0, nx - x);
          st::store_row<4>(&v_new[i], v_out, whole_0, nx - x);
          st::shift<4>(u_ym1, &u_0[4]);
          st::shift<4>(&u_0[4], u_yp1);
          st::shift<4>(v_ym1, &v_0[4]);
          st::shift<4>(&v_0[4], v_yp1);
          i += pitch;
        }
      }
    }
  };
  if (interior_x && interior_y && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `periodic` for u, `periodic` for v.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, float** v, const stencil::Shape& shape, float Du, float Dv, float F, float k,
    float dt, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<4>(shape, u[0], u[1], v[0], v[1]);
  const stencil::Status resident_tile_steps_fits = stencil::allow_shared(
      "gray_scott", resident_tile_steps<Index>, 65536);
  if (!resident_tile_steps_fits.ok()) return resident_tile_steps_fits;
  // Chunks of rows that fill the card: what takes longer has fewer.
  const st::PartitionCost cost = st::PartitionCost{14, 0, 170};
  const st::Partition chunks = stencil::partition_of(
      advance_steps<Index, 7>, 32, 3072, stencil::blocks(stencil::blocks(shape.nx, 4) * 4, 112),
      shape.ny, cost);
  const int64_t blocks_x = stencil::blocks(shape.nx, 112);
  const int64_t blocks_y = stencil::blocks(shape.ny, 80);
  const dim3 threads(32, 16);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  const int64_t blocks_x_2 = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y_2 = stencil::blocks(shape.ny, 8);
  const dim3 threads_2(64, 4);
  const dim3 blocks_2 = stencil::grid_of(blocks_x_2, blocks_y_2);
  int64_t left = steps;
  // Smaller grids are mostly computed twice: smaller blocks take the steps then.
  if (shape.nx >= 2 && shape.nx * shape.ny >= 13089924) {
    for (; left >= 7; left -= 7) {
      advance_steps<Index, 7><<<stencil::blocks_of(chunks, 1), dim3(32, 1), 3072, stream>>>(
          u[1], v[1], u[0], v[0], Du, Dv, F, k, dt, aligned, nx, ny, pitch, chunks);
      stencil::rotate<2>(u);
      stencil::rotate<2>(v);
    }
  }
  if (shape.nx >= 128 && shape.ny >= 96) {
    // Many short launches are recorded, and replayed faster than the host launches them.
    const auto resident_tile_steps_on = [&](Index steps, auto on) {
      stencil::launch_early(
          resident_tile_steps<Index>, blocks, threads, 65536, on, u[1], v[1], u[0], v[0], steps, Du,
          Dv, F, k, dt, aligned, nx, ny, pitch);
      stencil::rotate<2>(u);
      stencil::rotate<2>(v);
    };
    stencil::replay(left, 0, 8, 2, blocks, stream, resident_tile_steps_on);
    while (left > 1) {
      const Index steps = static_cast<Index>(left < 8 ? left : 8);
      resident_tile_steps_on(steps, stream);
      left -= steps;
    }
  }
  for (; left > 0; --left) {
    step<Index><<<blocks_2, threads_2, 0, stream>>>(
        u[1], v[1], u[0], v[0], Du, Dv, F, k, dt, aligned, nx, ny, pitch);
    stencil::rotate<2>(u);
    stencil::rotate<2>(v);
  }
  return stencil::launched("gray_scott");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("gray_scott", stream);
  auto u = call.levels<2>("u", args.u);
  auto v = call.levels<2>("v", args.v);
  if (!call.ok()) return call.status();
  const int code = gray_scott_run(
      u.at, v.at, call.nx(), call.ny(), call.pitch(), args.Du, args.Dv, args.F, args.k, args.dt,
      steps.count, stream);
  return call.finish(code, u, v);
}

}  // namespace gray_scott

int gray_scott_run(
    float* u[2], float* v[2], int64_t nx, int64_t ny, int64_t pitch, float Du, float Dv, float F,
    float k, float dt, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<4> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  buffers.written("v[0]", v[0]);
  buffers.written("v[1]", v[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("gray_scott", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? gray_scott::advance<int> : gray_scott::advance<int64_t>;
  const stencil::Status done = advance(u, v, shape, Du, Dv, F, k, dt, steps, stream);
  return stencil::code_of(done);
}
