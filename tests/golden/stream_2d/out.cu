// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --arch=sm_90
//   --schedule=coarsened,threads=32x4,vector=4,coarsen=y256,sums=scatter,steps=8
//
// Stencil plate, 2-D
//   f32 u: 5 points of level t, radius 1, boundary x clamp, y.lo constant 0, y.hi mirror; 2 buffers
// Schedule coarsened,threads=32x4,vector=4,coarsen=y256,sums=scatter,steps=8
//   asked for by --schedule
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_67fb670032802341
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace plate {
namespace {

template <typename Index, int steps, bool edge, bool corner, bool ends>
__device__ __noinline__ void advance_rows(
    float* __restrict__ u_new, const float* __restrict__ u, float a, bool aligned, Index nx,
    Index ny, Index pitch, Index tile_x, Index first_y, Index end_y, Index warp) {
  constexpr Index width = 4, max_steps = 8, warps = 4, row_cells = 128, first_storing = 2;
  constexpr Index end_storing = 30, ring_depth = 3, held = 2, u_held_offset = 6144;
  constexpr Index prefetch_distance = 2;
  const float factor = __fadd_rn(1.0f, __fmul_rn(a, -4.0f));
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
  auto& u_ring = st::shared<float[warps * ring_depth][row_cells]>(0);
  auto& u_held = st::shared<float[warps * max_steps * held][row_cells]>(u_held_offset);
  // Where a cell of u is in memory, or -1 for a constant ghost cell.
  const auto u_index = [&](Index cell_x, Index cell_y) {
    if (cell_y < 0) {
      const Index at_x = st::clamp(cell_x, nx);
      const bool has_y = cell_y >= 0;
      const Index i = cell_y * pitch + at_x;
      return has_y ? i : -1;
    }
    const Index at_x = st::clamp(cell_x, nx);
    const Index at_y = st::fold<st::Side::stop, st::Side::mirror>(cell_y, ny);
    const bool has_y = at_y >= 0;
    const Index i = at_y * pitch + at_x;
    return has_y ? i : -1;
  };
  // A cell of u at a later time step. The last 2 rows are held.
  const auto u_held_at = [&](Index cell_x, Index cell_y, Index k) {
    if (cell_y < 0) {
      const bool has_y = cell_y >= 0;
      float u_2 = 0.0f;
      if (has_y) {
        const Index held_row = (warp * max_steps + k) * held + st::imod<Index>(cell_y, held);
        u_2 = u_held[held_row][cell_x - tile_x];
      }
      return u_2;
    }
    const Index at_y = st::fold<st::Side::stop, st::Side::mirror>(cell_y, ny);
    const bool has_y = at_y >= 0;
    float u_2 = 0.0f;
    if (has_y) {
      const Index held_row = (warp * max_steps + k) * held + st::imod<Index>(at_y, held);
      u_2 = u_held[held_row][cell_x - tile_x];
    }
    return u_2;
  };
  // Each lane prefetches its own vector of a row.
  const auto prefetch = [&](Index row, Index slot) {
    st::fill_async<4>(
        &u_ring[warp * ring_depth + slot][lane * width], u, row * pitch + from_x,
        loads && (!ends || (row >= 0 && row < ny)), contiguous && (!ends || (row >= 0 && row < ny)),
        u_index, 0.0f, x, row);
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
  // Each step carries in registers: the partial sums of rows that are not complete.
  float sum0[max_steps][width] = {};
  float sum1[max_steps][width] = {};
  // Rows near the low boundary, interior rows, and rows near the high boundary.
  for (Index section = ends ? 0 : 2; section < 3; ++section) {
    const bool inside_y = !ends || section == 1;
    const Index until = section == 0 ? first_inside : (section == 1 ? end_inside : last_row);
    if (inside_y) {
      for (; n < until; ++n) {
        prefetch(n + prefetch_distance, slot == 0 ? prefetch_distance : slot - 1);
        st::wait<2>();
        float u_row[width];
        st::load<4>(u_row, &u_ring[warp * ring_depth + slot][lane * width]);
#pragma unroll
        for (Index k = 0; k < steps; ++k) {
          float sum[width];
          float u_0[6];
          st::shift<4>(&u_0[1], u_row);
          st::exchange_sides<4, 1, 1>(&u_0[1]);
          if (edge) {
            u_0[0] = x == 0 ? u_0[1] : u_0[0];
            u_0[5] = x + 4 == nx ? u_0[4] : u_0[5];
            if (corner) {
              u_0[2] = x + 1 == nx ? u_0[1] : u_0[2];
              u_0[3] = x + 2 == nx ? u_0[2] : u_0[3];
              u_0[4] = x + 3 == nx ? u_0[3] : u_0[4];
            }
          }
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
        if (stores && row >= first_y) {
          const Index i = row * pitch + x;
          st::store_row<4>(&u_new[i], u_row, !edge || whole, nx - x);
        }
        slot = slot == ring_depth - 1 ? 0 : slot + 1;
      }
    } else {
      if (n < until) {
        float sum0_local[max_steps][width];
        float sum1_local[max_steps][width];
#pragma unroll
        for (Index k = 0; k < steps; ++k) {
          st::shift<4>(sum0_local[k], sum0[k]);
          st::shift<4>(sum1_local[k], sum1[k]);
        }
        for (; n < until; ++n) {
          prefetch(n + prefetch_distance, slot == 0 ? prefetch_distance : slot - 1);
          st::wait<2>();
          float u_row[width];
          st::load<4>(u_row, &u_ring[warp * ring_depth + slot][lane * width]);
          const Index end_k = n + 2 < steps ? n + 2 : steps;
          const Index first_k = n - ny > 0 ? n - ny : 0;
#pragma unroll 1
          for (Index k = first_k; k < end_k; ++k) {
            const Index y = n - (k + 1);
            if (k > 0 && y + 1 >= 0 && y + 1 < ny) {
              const Index held_row = (warp * max_steps + k) * held + st::imod<Index>(y + 1, held);
              st::store<4>(&u_held[held_row][lane * width], u_row);
            }
            float sum[width];
            if (k > 0) {
              const Index held_row = (warp * max_steps + k) * held + st::imod<Index>(y + 1, held);
              st::fill<4>(
                  u_row, &u_held[held_row][lane * width], y + 1 >= 0 && y + 1 < ny, u_held_at, x,
                  y + 1, k);
            }
            float u_0[6];
            st::shift<4>(&u_0[1], u_row);
            st::exchange_sides<4, 1, 1>(&u_0[1]);
            u_0[0] = x == 0 ? u_0[1] : u_0[0];
            u_0[5] = x + 4 == nx ? u_0[4] : u_0[5];
            if (corner) {
              u_0[2] = x + 1 == nx ? u_0[1] : u_0[2];
              u_0[3] = x + 2 == nx ? u_0[2] : u_0[3];
              u_0[4] = x + 3 == nx ? u_0[3] : u_0[4];
            }
#pragma unroll
            for (Index v = 0; v < width; ++v) {
              sum[v] = __fmaf_rn(a, u_0[v + 1], sum1_local[k][v]);
              sum1_local[k][v] = __fmaf_rn(a, u_0[v], sum0_local[k][v]);
              sum1_local[k][v] = __fmaf_rn(factor, u_0[v + 1], sum1_local[k][v]);
              sum1_local[k][v] = __fmaf_rn(a, u_0[v + 2], sum1_local[k][v]);
              sum0_local[k][v] = __fmul_rn(a, u_0[v + 1]);
            }
#pragma unroll
            for (Index v_2 = 0; v_2 < width; ++v_2) {
              u_row[v_2] = sum[v_2];
            }
          }
          const Index row = n - steps;
          if (stores && row >= first_y) {
            const Index i = row * pitch + x;
            st::store_row<4>(&u_new[i], u_row, whole, nx - x);
          }
          slot = slot == ring_depth - 1 ? 0 : slot + 1;
        }
#pragma unroll
        for (Index k = 0; k < steps; ++k) {
          st::shift<4>(sum0[k], sum0_local[k]);
          st::shift<4>(sum1[k], sum1_local[k]);
        }
      }
    }
  }
}

template <typename Index, int steps>
__global__ void __launch_bounds__(128, 2) advance_steps(
    float* __restrict__ u_new, const float* __restrict__ u, float a, bool aligned, Index nx,
    Index ny, Index pitch, st::Partition chunks) {
  constexpr Index width = 4, warps = 4, margin_cells = 8, stored_cells = 112, row_cells = 128;
  const Index warp = st::of_warp(static_cast<Index>(threadIdx.y));
  // A warp has a tile of 32 vectors, of which it stores 28; the others are its halo.
  Index tile_number, first_y, end_y;
  st::chunk_of<Index>(
      chunks, static_cast<Index>(blockIdx.x) * warps + warp, ny, tile_number, first_y, end_y);
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
        u_new, u, a, vectors, nx, ny, pitch, tile_x, first_y, end_y, warp);
  } else if (interior_x) {
    advance_rows<Index, steps, false, false, true>(
        u_new, u, a, vectors, nx, ny, pitch, tile_x, first_y, end_y, warp);
  } else if (nx - tile_x >= row_cells || st::imod<Index>(nx - tile_x, width) == 0) {
    advance_rows<Index, steps, true, false, true>(
        u_new, u, a, vectors, nx, ny, pitch, tile_x, first_y, end_y, warp);
  } else {
    // Edge blocks: `clamp`, `constant` and `mirror` for u.
    advance_rows<Index, steps, true, true, true>(
        u_new, u, a, vectors, nx, ny, pitch, tile_x, first_y, end_y, warp);
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
      // A cell of u; outside the grid it is a ghost cell.
      const auto u_at = [&](Index cell_x, Index cell_y) {
        if (cell_y < 0) {
          const Index at_x = st::clamp(cell_x, nx);
          const bool has_y = cell_y >= 0;
          const Index i = cell_y * pitch + at_x;
          return has_y ? u[i] : 0.0f;
        }
        const Index at_x = st::clamp(cell_x, nx);
        const Index at_y = st::fold<st::Side::stop, st::Side::mirror>(cell_y, ny);
        const bool has_y = at_y >= 0;
        const Index i = at_y * pitch + at_x;
        return has_y ? u[i] : 0.0f;
      };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      const bool whole_m1 = !edge || (aligned && x >= 4);
      const bool whole_1 = !edge || (aligned && x + 8 <= nx);
      Index i = y0 * pitch + x;
      float u_ym1[4];
      float u_0[12];
      st::fill<4>(u_ym1, &u[i - pitch], whole_0 && (!edge || y0 >= 1), u_at, x, y0 - 1);
      st::fill<4>(&u_0[4], &u[i], whole_0, u_at, x, y0);
#pragma unroll
      for (Index k = 0; k < 2; ++k) {
        const Index y = y0 + k;
        if (!edge || y < ny) {
          float u_yp1[4];
          st::fill<4>(u_0, &u[i - 4], whole_m1, u_at, x - 4, y);
          st::fill<4>(&u_0[8], &u[i + 4], whole_1, u_at, x + 4, y);
          st::fill<4>(u_yp1, &u[i + pitch], whole_0 && (!edge || y + 1 < ny), u_at, x, y + 1);
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
    // Edge blocks: `clamp`, `constant` and `mirror` for u.
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
  const st::Partition chunks = st::chunks_of(
      stencil::blocks(stencil::blocks(shape.nx, 4) * 4, 112), shape.ny, 256);
  const int64_t blocks_x = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const dim3 threads(64, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  int64_t left = steps;
  if (shape.nx >= 2) {
    for (; left >= 8; left -= 8) {
      advance_steps<Index, 8><<<stencil::blocks_of(chunks, 4), dim3(32, 4), 38912, stream>>>(
          u[1], u[0], a, aligned, nx, ny, pitch, chunks);
      stencil::rotate<2>(u);
    }
    for (; left >= 4; left -= 4) {
      advance_steps<Index, 4><<<stencil::blocks_of(chunks, 4), dim3(32, 4), 38912, stream>>>(
          u[1], u[0], a, aligned, nx, ny, pitch, chunks);
      stencil::rotate<2>(u);
    }
    for (; left >= 2; left -= 2) {
      advance_steps<Index, 2><<<stencil::blocks_of(chunks, 4), dim3(32, 4), 38912, stream>>>(
          u[1], u[0], a, aligned, nx, ny, pitch, chunks);
      stencil::rotate<2>(u);
    }
  }
  for (; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(u[1], u[0], a, aligned, nx, ny, pitch);
    stencil::rotate<2>(u);
  }
  return stencil::launched("plate");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("plate", stream);
  auto u = call.levels<2>("u", args.u);
  if (!call.ok()) return call.status();
  const int code = plate_run(u.at, call.nx(), call.ny(), call.pitch(), args.a, steps.count, stream);
  return call.finish(code, u);
}

}  // namespace plate

int plate_run(
    float* u[2], int64_t nx, int64_t ny, int64_t pitch, float a, int64_t steps,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("plate", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? plate::advance<int> : plate::advance<int64_t>;
  const stencil::Status done = advance(u, shape, a, steps, stream);
  return stencil::code_of(done);
}
