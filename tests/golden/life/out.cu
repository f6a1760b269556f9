// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil life, 2-D
//   u8 a: 9 points of level t, radius 1, boundary periodic; 2 buffers
// Schedule coarsened,threads=32x1,vector=32,chunks=full,steps=16
//   16 steps a launch: a warp marches along `y`, and each step keeps in registers the rows that it
//   reads again, 32 cells a word
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_44fb1988f19ab67b
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace life {
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
  // Lanes outside the row load the cells that wrap around.
  const Index from_x = x < 0 ? x + nx : (x >= nx ? x - nx : x);
  const bool fits = aligned && from_x + width <= nx;
  const bool loads = fits && from_x >= 0 && st::imod<Index>(from_x, width) == 0;
  const bool whole = aligned && x >= 0 && x + width <= nx;
  const bool stores = lane >= 1 && lane < end_storing;
  // Prefetch ring of rows, one for each warp. The prefetch distance is 2 rows. A lane reads only
  // what it copied itself, so no barrier is needed.
  auto& a_ring = st::shared<uint8_t[ring_depth][row_cells]>(0);
  // Where a cell of a is in memory, or -1 for a constant ghost cell.
  const auto a_index = [&](Index cell_x, Index cell_y) {
    const Index at_x = st::wrap(cell_x, nx);
    const Index at_y = st::wrap(cell_y, ny);
    return at_y * pitch + at_x;
  };
  // Each lane prefetches its own vector of a row.
  const auto prefetch = [&](auto at_boundary, Index row, Index slot) {
    st::fill_async<32>(
        &a_ring[slot][lane * width], a,
        (at_boundary ? st::wrap(row, ny) : row) * pitch + (at_boundary ? from_x : x),
        !at_boundary || loads, a_index, uint8_t{0}, x, row);
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
  uint32_t a_ym1_bits[16][1] = {};
  uint32_t a_bits[16][1] = {};
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
        uint32_t a_bits_2[1];
        st::bits_of<1>(a_bits_2, a_row);
#pragma unroll
        for (Index k = 0; k < steps; ++k) {
          const uint32_t part = a_ym1_bits[k][0] ^ a_bits[k][0];
          const uint32_t part_2 = a_bits_2[0] ^ part;
          const uint32_t part_3 = st::majority(a_ym1_bits[k][0], a_bits[k][0], a_bits_2[0]);
          const uint32_t part_4 = st::moved(part_2, -1);
          const uint32_t part_5 = st::moved(part_3, -1);
          const uint32_t part_6 = a_ym1_bits[k][0] & a_bits_2[0];
          const uint32_t part_7 = a_ym1_bits[k][0] ^ a_bits_2[0];
          const uint32_t part_8 = st::moved(part_2, 1);
          const uint32_t part_9 = st::moved(part_3, 1);
          const uint32_t part_10 = part_4 ^ part_7;
          const uint32_t part_11 = part_8 ^ part_10;
          const uint32_t part_12 = st::majority(part_4, part_7, part_8);
          const uint32_t part_13 = part_5 ^ part_6;
          const uint32_t part_14 = part_9 ^ part_13;
          const uint32_t part_15 = st::majority(part_5, part_6, part_9);
          const uint32_t part_16 = part_12 & part_14;
          const uint32_t part_17 = part_12 ^ part_14;
          const uint32_t part_18 = part_15 ^ part_16;
          const uint32_t part_19 = part_11 & part_17;
          const uint32_t part_20 = part_19 & ~part_18;
          const uint32_t part_21 = part_17 & ~part_11;
          const uint32_t part_22 = ~part_18 & part_21;
          const uint32_t part_23 = a_bits[k][0] & part_22;
          const uint32_t part_24 = part_20 | part_23;
          st::shift<1>(a_ym1_bits[k], a_bits[k]);
          st::shift<1>(a_bits[k], a_bits_2);
          a_bits_2[0] = part_24;
        }
        st::cells_of<1>(a_row, a_bits_2);
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
      // Edge blocks: `periodic` for a.
      cells(st::Constant<true>());
    }
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) step(
    uint8_t* __restrict__ a_new, const uint8_t* __restrict__ a, bool aligned, Index nx, Index ny,
    Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 512;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 32;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 8;
  const Index y0 = block_y + static_cast<Index>(threadIdx.y) * 8;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 8 && block_x + 520 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 33 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y0 < ny)) {
      // Where a row of a begins, and a cell of a row: near the boundary those that stand for them.
      const auto a_row = [&](Index row_y) {
        const Index at_y = edge ? st::wrap(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto a_in = [&](Index row, Index cell_x) { return a[row + st::wrap(cell_x, nx)]; };
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
            const int32_t part = a_ym1[v + 7] + a_0[v + 7];
            const int32_t part_2 = part + a_yp1[v + 7] + a_ym1[v + 8];
            const int32_t part_3 = part_2 + a_0[v + 8] + a_yp1[v + 8];
            const int32_t part_4 = part_3 + a_ym1[v + 9] + a_0[v + 9];
            const int32_t n = part_4 + a_yp1[v + 9] - a_0[v + 8];
            const bool part_5 = n == 3 || (a_0[v + 8] == 1 && n == 2);
            a_out[v] = part_5 ? uint8_t{1} : uint8_t{0};
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
    // Edge blocks: `periodic` for a.
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
  // Chunks of rows that fill the card: what takes longer has fewer.
  const st::PartitionCost cost = st::PartitionCost{32, 0, 100};
  const st::Partition chunks = stencil::partition_of(
      advance_steps<Index, 16>, 32, 3072, stencil::blocks(shape.nx, 960), shape.ny, cost);
  const int64_t blocks_x = stencil::blocks(shape.nx, 512);
  const int64_t blocks_y = stencil::blocks(shape.ny, 32);
  const dim3 threads(64, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  int64_t left = steps;
  for (; left > 0; --left) {
    // What the first step has made has few values, which further ones count on.
    if (left < steps) {
      // Smaller grids are mostly computed twice: steps are taken one by one then.
      if (shape.nx >= 2 && shape.nx * shape.ny >= 2199289) {
        for (; left >= 16; left -= 16) {
          advance_steps<Index, 16><<<stencil::blocks_of(chunks, 1), dim3(32, 1), 3072, stream>>>(
              a[1], a[0], aligned, nx, ny, pitch, chunks);
          stencil::rotate<2>(a);
        }
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
  return stencil::launched("life");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("life", stream);
  auto a = call.levels<2>("a", args.a);
  if (!call.ok()) return call.status();
  const int code = life_run(a.at, call.nx(), call.ny(), call.pitch(), steps.count, stream);
  return call.finish(code, a);
}

}  // namespace life

int life_run(
    uint8_t* a[2], int64_t nx, int64_t ny, int64_t pitch, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("a[0]", a[0]);
  buffers.written("a[1]", a[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("life", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? life::advance<int> : life::advance<int64_t>;
  const stencil::Status done = advance(a, shape, steps, stream);
  return stencil::code_of(done);
}
