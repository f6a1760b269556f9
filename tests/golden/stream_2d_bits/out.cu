// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --arch=sm_90
//   --schedule=coarsened,threads=32x1,vector=32,coarsen=y128,steps=8
//
// Stencil brain, 2-D
//   u8 a: 9 points of level t, radius 1, boundary constant 0; 2 buffers
// Schedule coarsened,threads=32x1,vector=32,coarsen=y128,steps=8
//   asked for by --schedule
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_e053d104124cb5e1
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace brain {
namespace {

template <typename Index, int steps>
__global__ void __launch_bounds__(32, 8) advance_steps(
    uint8_t* __restrict__ a_new, const uint8_t* __restrict__ a, bool aligned, Index nx, Index ny,
    Index pitch, st::Partition chunks) {
  constexpr Index margin_cells = 32, stored_cells = 960, row_cells = 1024, width = 32;
  constexpr Index end_storing = 31, ring_depth = 3, prefetch_distance = 2;
  // A warp has a tile of 32 vectors, of which it stores 30; the others are its halo.
  Index tile_number, first_y, end_y;
  st::chunk_of<Index>(chunks, static_cast<Index>(blockIdx.x), ny, tile_number, first_y, end_y);
  const Index tile_x = tile_number * stored_cells - margin_cells;
  // A tile whose reads all stay in the grid needs no checks.
  const bool interior_x = aligned && tile_x >= 1 && tile_x + row_cells + 1 <= nx;
  const Index lane = static_cast<Index>(threadIdx.x);
  const Index x = tile_x + lane * width;
  // Lanes outside the row load any cell: their ghost cells are computed from the row.
  const Index from_x = x >= 0 && x < nx ? x : 0;
  const bool loads = aligned && from_x + width <= nx;
  const bool whole = aligned && x >= 0 && x + width <= nx;
  const bool stores = lane >= 1 && lane < end_storing;
  // Prefetch ring of rows, one for each warp. The prefetch distance is 2 rows. A lane reads only
  // what it copied itself, so no barrier is needed.
  auto& a_ring = st::shared<uint8_t[ring_depth][row_cells]>(0);
  // Where a cell of a is in memory, or -1 for a constant ghost cell.
  const auto a_index = [&](Index cell_x, Index cell_y) {
    const bool has_x = cell_x >= 0 && cell_x < nx;
    const bool has_y = cell_y >= 0 && cell_y < ny;
    const Index i = cell_y * pitch + cell_x;
    return has_x && has_y ? i : -1;
  };
  // Each lane prefetches its own vector of a row.
  const auto prefetch = [&](auto at_boundary, Index row, Index slot) {
    st::fill_async<32>(
        &a_ring[slot][lane * width], a, row * pitch + (at_boundary ? from_x : x),
        (!at_boundary || loads) && (!at_boundary || (row >= 0 && row < ny)), a_index, uint8_t{0}, x,
        row);
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
  uint32_t a_ym1_bits[8][2] = {};
  uint32_t a_bits[8][2] = {};
  const uint32_t in_row = st::cells_in(x, nx);
  // Rows near the low boundary, interior rows, and rows near the high boundary.
  for (Index section = 0; section < 3; ++section) {
    const bool inside_y = section == 1;
    const Index until = section == 0 ? first_inside : (section == 1 ? end_inside : last_row);
    const auto cells = [&](auto edge) {
      for (; n < until; ++n) {
        prefetch(edge, n + prefetch_distance, slot == 0 ? prefetch_distance : slot - 1);
        st::wait<2>();
        uint8_t a_row[width];
        st::load<32>(a_row, &a_ring[slot][lane * width]);
        uint32_t a_bits_2[2];
        st::bits_of<2>(a_bits_2, a_row);
        const uint32_t in_grid = n >= 0 && n < ny ? in_row : uint32_t{0};
        const uint32_t inside = edge ? in_grid : ~uint32_t{0};
        a_bits_2[0] = a_bits_2[0] & inside;
        a_bits_2[1] = a_bits_2[1] & inside;
#pragma unroll
        for (Index k = 0; k < steps; ++k) {
          const uint32_t part = ~a_bits[k][0] & ~a_bits[k][1];
          const uint32_t part_2 = st::moved(a_bits_2[0], 1);
          const uint32_t part_3 = st::moved(a_bits[k][0], 1);
          const uint32_t part_4 = st::moved(a_ym1_bits[k][0], 1);
          const uint32_t part_5 = st::moved(a_bits_2[0], -1);
          const uint32_t part_6 = st::moved(a_bits[k][0], -1);
          const uint32_t part_7 = st::moved(a_ym1_bits[k][0], -1);
          const uint32_t part_8 = part_6 ^ part_7;
          const uint32_t part_9 = part_5 ^ part_8;
          const uint32_t part_10 = st::majority(part_5, part_6, part_7);
          const uint32_t part_11 = a_bits[k][0] ^ a_ym1_bits[k][0];
          const uint32_t part_12 = a_bits_2[0] ^ part_11;
          const uint32_t part_13 = st::majority(a_bits[k][0], a_bits_2[0], a_ym1_bits[k][0]);
          const uint32_t part_14 = part_3 ^ part_4;
          const uint32_t part_15 = part_2 ^ part_14;
          const uint32_t part_16 = st::majority(part_2, part_3, part_4);
          const uint32_t part_17 = part_9 ^ part_12;
          const uint32_t part_18 = part_15 ^ part_17;
          const uint32_t part_19 = st::majority(part_9, part_12, part_15);
          const uint32_t part_20 = part_10 ^ part_13;
          const uint32_t part_21 = part_16 ^ part_20;
          const uint32_t part_22 = st::majority(part_10, part_13, part_16);
          const uint32_t part_23 = part_19 & part_21;
          const uint32_t part_24 = part_19 ^ part_21;
          const uint32_t part_25 = part_22 ^ part_23;
          const uint32_t part_26 = part_24 & ~part_18;
          const uint32_t part_27 = part_26 & ~part_25;
          const uint32_t part_28 = part & part_27;
          const uint32_t part_29 = ~a_bits[k][0] & part_28;
          const uint32_t in_grid_2 = n - (k + 1) >= 0 && n - (k + 1) < ny ? in_row : uint32_t{0};
          const uint32_t inside_2 = edge ? in_grid_2 : ~uint32_t{0};
          const uint32_t made = part_29 & inside_2;
          const uint32_t made_2 = a_bits[k][0] & inside_2;
          st::shift<2>(a_ym1_bits[k], a_bits[k]);
          st::shift<2>(a_bits[k], a_bits_2);
          a_bits_2[0] = made;
          a_bits_2[1] = made_2;
        }
        st::cells_of<2>(a_row, a_bits_2);
        const Index row = n - steps;
        if (stores && row >= first_y) {
          const Index i = row * pitch + x;
          st::store_row<32>(&a_new[i], a_row, !edge || whole, nx - x);
        }
        slot = slot == ring_depth - 1 ? 0 : slot + 1;
      }
    };
    if (interior_x && inside_y) {
      cells(st::Constant<false>());
    } else {
      // Edge blocks: `constant` for a.
      cells(st::Constant<true>());
    }
  }
}

template <typename Index>
__global__ void __launch_bounds__(128) step(
    uint8_t* __restrict__ a_new, const uint8_t* __restrict__ a, bool aligned, Index nx, Index ny,
    Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 256;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 32;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 8;
  const Index y0 = block_y + static_cast<Index>(threadIdx.y) * 8;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 8 && block_x + 264 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 33 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y0 < ny)) {
      // Where a row of a begins, and a cell of a row: near the boundary those that stand for them,
      // if any do.
      const auto a_row = [&](Index row_y) {
        const bool has = !edge || (row_y >= 0 && row_y < ny);
        return has ? row_y * pitch : -1;
      };
      const auto a_in = [&](Index row, Index cell_x) {
        return row >= 0 && cell_x >= 0 && cell_x < nx ? a[row + cell_x] : uint8_t{0};
      };
      const bool whole_0 = !edge || (aligned && x + 8 <= nx);
      Index i = y0 * pitch + x;
      uint8_t a_ym1[24];
      uint8_t a_0[24];
      st::fill_row<8, -1, 3>(edge, a_ym1, a, a_row(y0 - 1), x, whole_0, a_in);
      st::fill_row<8, -1, 3>(edge, a_0, a, a_row(y0), x, whole_0, a_in);
#pragma unroll
      for (Index k = 0; k < 8; ++k) {
        const Index y = y0 + k;
        if (!edge || y < ny) {
          uint8_t a_yp1[24];
          st::fill_row<8, -1, 3>(edge, a_yp1, a, a_row(y + 1), x, whole_0, a_in);
          uint8_t a_out[8];
#pragma unroll
          for (Index v = 0; v < 8; ++v) {
            const bool value = a_0[v + 8] == 1;
            const int32_t part = a_ym1[v + 7] == 1 ? 1 : 0;
            const int32_t part_2 = part + (a_0[v + 7] == 1 ? 1 : 0);
            const int32_t part_3 = part_2 + (a_yp1[v + 7] == 1 ? 1 : 0);
            const int32_t part_4 = part_3 + (a_ym1[v + 8] == 1 ? 1 : 0);
            const int32_t part_5 = a_yp1[v + 8] == 1 ? 1 : 0;
            const int32_t part_6 = part_4 + (value ? 1 : 0) + part_5;
            const int32_t part_7 = part_6 + (a_ym1[v + 9] == 1 ? 1 : 0);
            const int32_t part_8 = part_7 + (a_0[v + 9] == 1 ? 1 : 0);
            const int32_t part_9 = part_8 + (a_yp1[v + 9] == 1 ? 1 : 0);
            const bool part_10 = a_0[v + 8] == 0 && part_9 == 2;
            const int32_t part_11 = value ? 2 : (part_10 ? 1 : 0);
            a_out[v] = static_cast<uint8_t>(part_11);
          }
          st::store_row<8>(&a_new[i], a_out, whole_0, nx - x);
          st::shift<24>(a_ym1, a_0);
          st::shift<24>(a_0, a_yp1);
          i += pitch;
        }
      }
    }
  };
  if (interior_x && interior_y && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `constant` for a.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    uint8_t** a, const stencil::Shape& shape, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<32>(shape, a[0], a[1]);
  const st::Partition chunks = st::chunks_of(stencil::blocks(shape.nx, 960), shape.ny, 128);
  const int64_t blocks_x = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y = stencil::blocks(shape.ny, 32);
  const dim3 threads(32, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  int64_t left = steps;
  for (; left > 0; --left) {
    // What the first step has made has few values, which further ones count on.
    if (left < steps) {
      if (shape.nx >= 2) {
        for (; left >= 8; left -= 8) {
          advance_steps<Index, 8><<<stencil::blocks_of(chunks, 1), dim3(32, 1), 3072, stream>>>(
              a[1], a[0], aligned, nx, ny, pitch, chunks);
          stencil::rotate<2>(a);
        }
        for (; left >= 4; left -= 4) {
          advance_steps<Index, 4><<<stencil::blocks_of(chunks, 1), dim3(32, 1), 3072, stream>>>(
              a[1], a[0], aligned, nx, ny, pitch, chunks);
          stencil::rotate<2>(a);
        }
        for (; left >= 2; left -= 2) {
          advance_steps<Index, 2><<<stencil::blocks_of(chunks, 1), dim3(32, 1), 3072, stream>>>(
              a[1], a[0], aligned, nx, ny, pitch, chunks);
          stencil::rotate<2>(a);
        }
      }
      if (left == 0) break;
    }
    step<Index><<<blocks, threads, 0, stream>>>(a[1], a[0], aligned, nx, ny, pitch);
    stencil::rotate<2>(a);
  }
  return stencil::launched("brain");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("brain", stream);
  auto a = call.levels<2>("a", args.a);
  if (!call.ok()) return call.status();
  const int code = brain_run(a.at, call.nx(), call.ny(), call.pitch(), steps.count, stream);
  return call.finish(code, a);
}

}  // namespace brain

int brain_run(
    uint8_t* a[2], int64_t nx, int64_t ny, int64_t pitch, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("a[0]", a[0]);
  buffers.written("a[1]", a[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("brain", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? brain::advance<int> : brain::advance<int64_t>;
  const stencil::Status done = advance(a, shape, steps, stream);
  return stencil::code_of(done);
}
