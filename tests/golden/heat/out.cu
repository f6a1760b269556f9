// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil heat, 2-D
//   f32 u: 5 points of level t, radius 1, boundary periodic; 2 buffers
// Schedule coarsened,threads=32x1,vector=8,chunks=full,sums=scatter,steps=11,resident=8
//   11 steps a launch: a warp marches along `y`, and each step keeps in registers the sums that
//   rows are added to
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_e8d26b69860c11c7
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace heat {
namespace {

template <typename Index, int steps>
__global__ void __launch_bounds__(32, 8) advance_steps(
    float* __restrict__ u_new, const float* __restrict__ u, float a, bool aligned, Index nx,
    Index ny, Index pitch, st::Partition chunks) {
  constexpr Index width = 8, max_steps = 11, margin_cells = 16, stored_cells = 232, row_cells = 256;
  constexpr Index first_storing = 2, end_storing = 31, end_storing_2 = 30, ring_depth = 3;
  constexpr Index prefetch_distance = 2;
  const float factor = __fadd_rn(1.0f, __fmul_rn(a, -4.0f));
  // A warp has a tile of 256 cells, of which it stores 232; the others are its halo.
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
  const bool stores_0 = lane >= first_storing && lane < end_storing;
  const bool stores_4 = lane >= 1 && lane < end_storing_2 && x >= 0;
  // Prefetch ring of rows, one for each warp. The prefetch distance is 2 rows. A lane reads only
  // what it copied itself, so no barrier is needed.
  auto& u_ring = st::shared<float[ring_depth][row_cells]>(0);
  // Where a cell of u is in memory, or -1 for a constant ghost cell.
  const auto u_index = [&](Index cell_x, Index cell_y) {
    const Index at_x = st::wrap(cell_x, nx);
    const Index at_y = st::wrap(cell_y, ny);
    return at_y * pitch + at_x;
  };
  // Each lane prefetches its own vector of a row.
  const auto prefetch = [&](auto at_boundary, Index row, Index slot) {
    st::fill_async<8>(
        &u_ring[slot][lane * width], u,
        (at_boundary ? st::wrap(row, ny) : row) * pitch + (at_boundary ? from_x : x),
        !at_boundary || loads, contiguous, u_index, 0.0f, x, row);
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
  // Each step carries in registers: the partial sums of rows that are not complete.
  float sum0[max_steps][width] = {};
  float sum1[max_steps][width] = {};
  // Rows near the low boundary, interior rows, and rows near the high boundary.
  for (Index section = 0; section < 3; ++section) {
    const bool inside_y = section == 1;
    const Index until = section == 0 ? first_inside : (section == 1 ? end_inside : last_row);
    const auto cells = [&](auto edge) {
      for (; n < until; ++n) {
        prefetch(edge, n + prefetch_distance, slot == 0 ? prefetch_distance : slot - 1);
        st::wait<2>();
        float u_row[width];
        st::load<8>(u_row, &u_ring[slot][lane * width]);
#pragma unroll
        for (Index k = 0; k < steps; ++k) {
          float sum[width];
          float u_0[10];
          st::shift<8>(&u_0[1], u_row);
          st::exchange_sides<8, 1, 1>(&u_0[1]);
#pragma unroll
          for (Index v = 0; v < width; ++v) {
            sum[v] = __fmaf_rn(a, u_0[v + 1], sum1[k][v]);
            sum1[k][v] = __fmaf_rn(a, u_0[v], sum0[k][v]);
            sum1[k][v] = __fmaf_rn(factor, u_0[v + 1], sum1[k][v]);
            sum1[k][v] = __fmaf_rn(a, u_0[v + 2], sum1[k][v]);
            sum0[k][v] = __fmul_rn(a, u_0[v + 1]);
          }
#pragma unroll
          for (Index v_2 = 0; v_2 < width; ++v_2) {
            u_row[v_2] = sum[v_2];
          }
        }
        const Index row = n - steps;
        if (row >= first_y) {
          const Index i = row * pitch + x;
          if (stores_0) {
            st::store_row<4>(&u_new[i], u_row, !edge || whole, nx - x);
          }
          if (stores_4) {
            st::store_row<4>(&u_new[i + 4], &u_row[4], !edge || whole, nx - x - 4);
          }
        }
        slot = slot == ring_depth - 1 ? 0 : slot + 1;
      }
    };
    if (interior_x && inside_y) {
      cells(st::Constant<false>());
    } else {
      // Edge blocks: `periodic` for u.
      cells(st::Constant<true>());
    }
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) resident_tile_steps(
    float* __restrict__ u_new, const float* __restrict__ u, Index steps, float a, bool aligned,
    Index nx, Index ny, Index pitch) {
  constexpr Index margin_cells = 12, stored_cells = 104, stored_rows = 40, margin_rows = 12;
  constexpr Index width = 4, rows = 8, first_storing = 3, end_storing = 29, halo_buffers = 2;
  constexpr Index step_halo = 16, row_cells = 128, warp_halo = 2, warps = 8;
  const float factor_2 = __fadd_rn(1.0f, __fmul_rn(a, -4.0f));
  const Index lane = static_cast<Index>(threadIdx.x);
  const Index warp = st::of_warp(static_cast<Index>(threadIdx.y));
  // A warp has a tile of 32 vectors, of which it stores 26; the others are its halo.
  const Index tile_x = static_cast<Index>(blockIdx.x) * stored_cells - margin_cells;
  // A block has a tile of 64 rows, 8 for each warp, of which it stores 40.
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
  // The halo rows next to a warp's own rows.
  const Index row_below = warp == 0 ? 0 : warp * warp_halo - 1;
  const Index row_above = warp == warps - 1 ? step_halo - 1 : warp * warp_halo + 2;
  st::follow();
  float u_rows[10][6];
  // The rows of a warp.
#pragma unroll
  for (Index r = 0; r < 8; ++r) {
    const Index from_y = y + r < 0 ? y + r + ny : (y + r >= ny ? y + r - ny : y + r);
    st::fill<4>(&u_rows[r + 1][1], &u[from_y * pitch + from_x], loads, u_at, x, y + r);
  }
#pragma unroll 2
  for (Index k = 0; k < steps; ++k) {
    float u_after[8][4];
    const Index parity = st::imod<Index>(k, 2);
    st::store<4>(&u_halo[parity * step_halo + warp * warp_halo][lane * width], &u_rows[1][1]);
    st::store<4>(&u_halo[parity * step_halo + (warp * warp_halo + 1)][lane * width], &u_rows[8][1]);
    st::sync();
    st::load<4>(&u_rows[0][1], &u_halo[parity * step_halo + row_below][lane * width]);
    st::load<4>(&u_rows[9][1], &u_halo[parity * step_halo + row_above][lane * width]);
#pragma unroll
    for (Index r = 0; r < 8; ++r) {
      st::exchange_sides<4, 1, 1>(&u_rows[r + 1][1]);
#pragma unroll
      for (Index v = 0; v < width; ++v) {
        float sum = __fmul_rn(a, u_rows[r][v + 1]);
        sum = __fmaf_rn(a, u_rows[r + 1][v], sum);
        sum = __fmaf_rn(factor_2, u_rows[r + 1][v + 1], sum);
        sum = __fmaf_rn(a, u_rows[r + 1][v + 2], sum);
        sum = __fmaf_rn(a, u_rows[r + 2][v + 1], sum);
        u_after[r][v] = sum;
      }
    }
    // The next step.
#pragma unroll
    for (Index r = 0; r < 8; ++r) {
      st::shift<4>(&u_rows[r + 1][1], u_after[r]);
    }
  }
  // Rows that lack no neighbour.
  if (stores) {
#pragma unroll
    for (Index r = 0; r < 8; ++r) {
      if (y + r >= first_y && y + r < end_y) {
        const Index i = (y + r) * pitch + x;
        st::store_row<4>(&u_new[i], &u_rows[r + 1][1], whole, nx - x);
      }
    }
  }
}

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
            float sum = __fmul_rn(a, u_ym1[v]);
            sum = __fmaf_rn(a, u_0[v + 3], sum);
            sum = __fmaf_rn(factor, u_0[v + 4], sum);
            sum = __fmaf_rn(a, u_0[v + 5], sum);
            sum = __fmaf_rn(a, u_yp1[v], sum);
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
  const bool aligned = stencil::aligned<8>(shape, u[0], u[1]);
  const stencil::Status resident_tile_steps_fits = stencil::allow_shared(
      "heat", resident_tile_steps<Index>, 16384);
  if (!resident_tile_steps_fits.ok()) return resident_tile_steps_fits;
  // Chunks of rows that fill the card: what takes longer has fewer.
  const st::PartitionCost cost = st::PartitionCost{22, 0, 170};
  const st::Partition chunks = stencil::partition_of(
      advance_steps<Index, 11>, 32, 3072,
      stencil::blocks(stencil::blocks(shape.nx, 8) * 8 + 4, 232), shape.ny, cost);
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
    for (; left >= 11; left -= 11) {
      advance_steps<Index, 11><<<stencil::blocks_of(chunks, 1), dim3(32, 1), 3072, stream>>>(
          u[1], u[0], a, aligned, nx, ny, pitch, chunks);
      stencil::rotate<2>(u);
    }
  }
  if (shape.nx >= 128 && shape.ny >= 64) {
    // Many short launches are recorded, and replayed faster than the host launches them.
    const auto resident_tile_steps_on = [&](Index steps, auto on) {
      stencil::launch_early(
          resident_tile_steps<Index>, blocks, threads, 16384, on, u[1], u[0], steps, a, aligned, nx,
          ny, pitch);
      stencil::rotate<2>(u);
    };
    stencil::replay(left, 0, 12, 2, blocks, stream, resident_tile_steps_on);
    while (left > 1) {
      const Index steps = static_cast<Index>(left < 12 ? left : 12);
      resident_tile_steps_on(steps, stream);
      left -= steps;
    }
  }
  for (; left > 0; --left) {
    step<Index><<<blocks_2, threads_2, 0, stream>>>(u[1], u[0], a, aligned, nx, ny, pitch);
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
