// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --arch=sm_90
//
// Stencil diffusion3d, 3-D
//   f32 T: 7 points of level t, radius 1, boundary clamp; 2 buffers
// Schedule coarsened,threads=32x8x1,vector=4,rows=4,chunks=full,sums=scatter,shared=none,steps=5
//   5 steps a launch: a block marches along `z`, and each step keeps in registers the plane that
//   came last and the sums that planes are added to
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_bc0820888f6f5e64
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace diffusion3d {
namespace {

template <typename Index, int steps, bool edge>
__device__ __noinline__ void advance_planes(
    float* __restrict__ T_new, const float* __restrict__ T, float cc, float cw, float ce, float cn,
    float cs, float cb, float ct, bool aligned, Index nx, Index ny, Index nz, Index pitch,
    Index plane, Index tile_x, Index first_x, Index end_x, Index tile_y, Index first_y, Index end_y,
    Index first_z, Index end_z) {
  constexpr Index row_cells = 128, width = 4, tile_rows = 32, rows = 4, max_steps = 5;
  constexpr Index ring_rows = 34, ring_depth = 4, halo_buffers = 2, halo_steps = 4, step_halo = 16;
  constexpr Index T_halo_offset = 69632, T_held_offset = 135168, warp_halo = 2, warps = 8;
  constexpr Index prefetch_distance = 2, wrap_slot = 2;
  const Index lane = static_cast<Index>(threadIdx.x);
  const Index warp = st::of_warp(static_cast<Index>(threadIdx.y));
  const Index x = tile_x + lane * width;
  const Index y = tile_y + warp * rows;
  const bool loads = !edge || aligned;
  const bool stores = x + width - 1 >= first_x && x < end_x;
  // Prefetch ring of planes. The prefetch distance is 2 planes; the slot of the plane before is
  // still read.
  auto& T_ring = st::shared<float[ring_rows * ring_depth][row_cells]>(0);
  // Halo rows that warps exchange, double buffered: one barrier a plane is enough.
  auto& T_halo = st::shared<float[halo_buffers * halo_steps * step_halo][row_cells]>(T_halo_offset);
  auto& T_held = st::shared<float[tile_rows * halo_steps][row_cells]>(T_held_offset);
  // A cell of T at a later time step. The last plane is held.
  const auto T_held_at = [&](Index cell_x, Index cell_y, Index, Index k) {
    return T_held[(k - 1) * tile_rows + (cell_y - tile_y)][cell_x - tile_x];
  };
  // The halo rows next to a warp's own rows; at the boundary they are its own rows.
  const Index row_below = warp == 0 ? 0 : warp * warp_halo - 1;
  const Index row_above = warp == warps - 1 ? step_halo - 1 : warp * warp_halo + 2;
  const bool beside = warp == 0 || warp == warps - 1;
  const Index beside_row = warp == 0 ? -1 : tile_rows;
  // Each lane prefetches its own vectors of a plane.
  const auto prefetch = [&](auto at_boundary, Index plane_2, Index slot) {
    const Index at_z = at_boundary ? st::clamp(plane_2, nz) : plane_2;
    st::copy_rows_async<4, 4, 128>(
        &T_ring[slot * ring_rows + (warp * rows + 1)][lane * width],
        &T[at_z * plane + y * pitch + x], pitch, loads);
    if (beside) {
      st::copy_row_async<4>(
          &T_ring[slot * ring_rows + (beside_row + 1)][lane * width],
          &T[at_z * plane + st::clamp(tile_y + beside_row, ny) * pitch + x], loads);
    }
    st::commit();
  };
  // Registers of each time step: its newest plane, and partial sums of later planes, the next one
  // in place.
  float T_rows[(max_steps + 1) * rows][width] = {};
  float sum0[max_steps * rows][width] = {};
  const Index first_plane = first_z - steps;
  const Index last_plane = end_z + steps;
  Index slot = 0;
  Index previous_slot = ring_depth - 1;
  Index parity = 0;
  prefetch(st::Constant<true>(), first_plane, 0);
  prefetch(st::Constant<true>(), first_plane + 1, 1);
  Index n = first_plane;
  const auto advance_plane = [&](auto ends) {
#pragma unroll
    for (Index l = 0; l < steps; ++l) {
      const Index k = steps - 1 - l;
      // The newest plane of t+k is added to the sums of t+k+1. The last step goes first: it frees
      // registers for the step before.
      const Index z_new = n - k - 1;
      float T_0[6][6];
#pragma unroll
      for (Index r = 0; r < rows; ++r) {
        st::shift<4>(&T_0[r + 1][1], T_rows[k * rows + r]);
      }
      if (k == 0) {
        st::load<4>(&T_0[0][1], &T_ring[previous_slot * ring_rows + warp * rows][lane * width]);
        st::load<4>(
            &T_0[5][1], &T_ring[previous_slot * ring_rows + (warp * rows + 5)][lane * width]);
      } else {
        st::load<4>(
            &T_0[0][1],
            &T_halo[((1 - parity) * halo_steps + (k - 1)) * step_halo + row_below][lane * width]);
        st::load<4>(
            &T_0[5][1],
            &T_halo[((1 - parity) * halo_steps + (k - 1)) * step_halo + row_above][lane * width]);
      }
#pragma unroll
      for (Index r = 0; r < 4; ++r) {
        st::exchange_sides<4, 1, 1>(&T_0[r + 1][1]);
      }
      if (edge) {
#pragma unroll
        for (Index r = 0; r < 4; ++r) {
          T_0[r + 1][0] = x == 0 ? T_0[r + 1][1] : T_0[r + 1][0];
          T_0[r + 1][5] = x + 4 == nx ? T_0[r + 1][4] : T_0[r + 1][5];
        }
      }
      if (ends && k > 0 && z_new == 0) {
        st::keep_branch();
        // The first plane also fills the ghost planes below it.
#pragma unroll
        for (Index r = 0; r < rows; ++r) {
#pragma unroll
          for (Index v = 0; v < width; ++v) {
            sum0[k * rows + r][v] = __fmul_rn(cb, T_0[r + 1][v + 1]);
          }
        }
      }
#pragma unroll
      for (Index r = 0; r < rows; ++r) {
#pragma unroll
        for (Index v = 0; v < width; ++v) {
          T_rows[(k + 1) * rows + r][v] = __fmaf_rn(cw, T_0[r + 1][v], sum0[k * rows + r][v]);
          T_rows[(k + 1) * rows + r][v] = __fmaf_rn(
              cc, T_0[r + 1][v + 1], T_rows[(k + 1) * rows + r][v]);
          T_rows[(k + 1) * rows + r][v] = __fmaf_rn(
              ce, T_0[r + 1][v + 2], T_rows[(k + 1) * rows + r][v]);
          T_rows[(k + 1) * rows + r][v] = __fmaf_rn(
              cn, T_0[r][v + 1], T_rows[(k + 1) * rows + r][v]);
          T_rows[(k + 1) * rows + r][v] = __fmaf_rn(
              cs, T_0[r + 2][v + 1], T_rows[(k + 1) * rows + r][v]);
          sum0[k * rows + r][v] = __fmul_rn(cb, T_0[r + 1][v + 1]);
        }
      }
    }
    // Load the next plane of t.
    st::wait<2>();
#pragma unroll
    for (Index r = 0; r < rows; ++r) {
      st::load<4>(T_rows[r], &T_ring[slot * ring_rows + (warp * rows + r + 1)][lane * width]);
    }
    // The new plane of t completes a plane of t+1, that one a plane of t+2, and so on.
#pragma unroll
    for (Index k = 0; k < steps; ++k) {
      const Index z = n - (k + 1);
#pragma unroll
      for (Index r = 0; r < rows; ++r) {
        float sum[width];
#pragma unroll
        for (Index v = 0; v < width; ++v) {
          sum[v] = __fmaf_rn(ct, T_rows[k * rows + r][v], T_rows[(k + 1) * rows + r][v]);
          T_rows[(k + 1) * rows + r][v] = sum[v];
        }
      }
      if (k + 1 < steps) {
        if (ends) {
#pragma unroll
          for (Index r = 0; r < rows; ++r) {
            if (z >= 0 && z < nz) {
              st::store<4>(
                  &T_held[k * tile_rows + (warp * rows + r)][lane * width],
                  T_rows[(k + 1) * rows + r]);
            } else {
              st::fill<4>(
                  T_rows[(k + 1) * rows + r],
                  &T_held[k * tile_rows + (warp * rows + r)][lane * width], z >= 0 && z < nz,
                  T_held_at, x, y + r, z, k + 1);
            }
          }
        }
        st::store<4>(
            &T_halo[(parity * halo_steps + k) * step_halo + warp * warp_halo][lane * width],
            T_rows[(k + 1) * rows]);
        st::store<4>(
            &T_halo[(parity * halo_steps + k) * step_halo + (warp * warp_halo + 1)][lane * width],
            T_rows[(k + 1) * rows + 3]);
      }
    }
    const Index stored_z = n - steps;
    if (stores && stored_z >= first_z) {
#pragma unroll
      for (Index r = 0; r < rows; ++r) {
        if (y + r >= first_y && y + r < end_y) {
          const Index i = stored_z * plane + (y + r) * pitch + x;
          st::store_row<4>(&T_new[i], T_rows[steps * rows + r], !edge || aligned, nx - x);
        }
      }
    }
  };
  const Index first_inside = steps + 2 < last_plane ? steps + 2 : last_plane;
  const Index end_inside = nz - 2 < last_plane ? nz - 2 : last_plane;
  // Planes near the low boundary, interior planes, and planes near the high boundary.
  for (Index section = 0; section < 3; ++section) {
    if (section == 1) {
      for (; n < end_inside; ++n) {
        prefetch(
            st::Constant<false>(), n + prefetch_distance,
            slot >= wrap_slot ? slot - wrap_slot : slot + prefetch_distance);
        advance_plane(st::Constant<false>());
        previous_slot = slot;
        slot = slot == ring_depth - 1 ? 0 : slot + 1;
        parity = 1 - parity;
        st::sync();
      }
    } else {
      const Index until = section == 0 ? first_inside : last_plane;
      for (; n < until; ++n) {
        prefetch(
            st::Constant<true>(), n + prefetch_distance,
            slot >= wrap_slot ? slot - wrap_slot : slot + prefetch_distance);
        advance_plane(st::Constant<true>());
        previous_slot = slot;
        slot = slot == ring_depth - 1 ? 0 : slot + 1;
        parity = 1 - parity;
        st::sync();
      }
    }
  }
}

template <typename Index, int steps>
__global__ void __launch_bounds__(256) advance_steps(
    float* __restrict__ T_new, const float* __restrict__ T, float cc, float cw, float ce, float cn,
    float cs, float cb, float ct, bool aligned, Index nx, Index ny, Index nz, Index pitch,
    Index plane, st::Columns columns) {
  constexpr Index row_cells = 128, margin_cells = 8, stored_cells = 112, width = 4, tile_rows = 32;
  constexpr Index margin_rows = 4, stored_rows = 24;
  // A block has a column of tiles of 128 cells and 32 rows, 4 for each warp, of which it stores 112
  // and 24; the others are its halo. Tiles at the boundary have none there.
  Index column_x, column_y, first_z, end_z;
  st::column_of<Index>(columns, static_cast<Index>(blockIdx.x), column_x, column_y, first_z, end_z);
  const Index regular_x = column_x * stored_cells;
  const Index last_tile_x = nx - row_cells;
  const Index tile_x = regular_x < last_tile_x ? regular_x : last_tile_x;
  const Index first_x = regular_x == 0 ? 0 : regular_x + margin_cells;
  const Index end_x = regular_x < last_tile_x ? regular_x + margin_cells + stored_cells : nx;
  const bool vectors = aligned && st::imod<Index>(tile_x, width) == 0;
  const Index regular_y = column_y * stored_rows;
  const Index last_tile_y = ny - tile_rows;
  const Index tile_y = regular_y < last_tile_y ? regular_y : last_tile_y;
  const Index first_y = regular_y == 0 ? 0 : regular_y + margin_rows;
  const Index end_y = regular_y < last_tile_y ? regular_y + margin_rows + stored_rows : ny;
  // Blocks that read nothing outside of the grid run a variant without checks.
  const bool inside_x = vectors && tile_x >= 1 && tile_x + row_cells + 1 <= nx;
  if (inside_x) {
    advance_planes<Index, steps, false>(
        T_new, T, cc, cw, ce, cn, cs, cb, ct, vectors, nx, ny, nz, pitch, plane, tile_x, first_x,
        end_x, tile_y, first_y, end_y, first_z, end_z);
  } else {
    // Edge blocks: `clamp` for T.
    advance_planes<Index, steps, true>(
        T_new, T, cc, cw, ce, cn, cs, cb, ct, vectors, nx, ny, nz, pitch, plane, tile_x, first_x,
        end_x, tile_y, first_y, end_y, first_z, end_z);
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ T_new, const float* __restrict__ T, float cc, float cw, float ce, float cn,
    float cs, float cb, float ct, bool aligned, Index nx, Index ny, Index nz, Index pitch,
    Index plane) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y) * 8;
  const Index block_z = static_cast<Index>(blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks need no checks; at the ends of rows what lies beside a cell does (edge_x).
  const bool interior_x = block_x >= 4 && block_x + 132 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 9 <= ny;
  const bool interior_z = block_z >= 1 && block_z + 9 <= nz;
  const auto cells = [&](auto edge, auto edge_x) {
    if (!edge || (x < nx && y < ny && block_z < nz)) {
      // Where a row of T begins, and a cell of a row: near the boundary those that stand for them.
      const auto T_row = [&](Index row_y, Index row_z) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        const Index at_z = edge ? st::clamp(row_z, nz) : row_z;
        return at_z * plane + at_y * pitch;
      };
      const auto T_in = [&](Index row, Index cell_x) { return T[row + st::clamp(cell_x, nx)]; };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      Index i = block_z * plane + y * pitch + x;
      float T_zm1[4];
      float T_0[12];
      st::fill_row<4>(edge, T_zm1, T, T_row(y, block_z - 1), x, whole_0, T_in);
      st::fill_row<4>(edge, &T_0[4], T, T_row(y, block_z), x, whole_0, T_in);
#pragma unroll
      for (Index k = 0; k < 8; ++k) {
        const Index z = block_z + k;
        if (!edge || z < nz) {
          float T_ym1[4];
          st::fill_row<4>(edge, T_ym1, T, T_row(y - 1, z), x, whole_0, T_in);
          float T_zp1[4];
          st::fill_row<4, -1>(edge_x, T_0, T, T_row(y, z), x, whole_0, T_in);
          st::fill_row<4, 1>(edge_x, &T_0[8], T, T_row(y, z), x, whole_0, T_in);
          st::fill_row<4>(edge, T_zp1, T, T_row(y, z + 1), x, whole_0, T_in);
          float T_yp1[4];
          st::fill_row<4>(edge, T_yp1, T, T_row(y + 1, z), x, whole_0, T_in);
          float T_out[4];
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            float sum = __fmul_rn(cb, T_zm1[v]);
            sum = __fmaf_rn(cw, T_0[v + 3], sum);
            sum = __fmaf_rn(cc, T_0[v + 4], sum);
            sum = __fmaf_rn(ce, T_0[v + 5], sum);
            sum = __fmaf_rn(cn, T_ym1[v], sum);
            sum = __fmaf_rn(cs, T_yp1[v], sum);
            sum = __fmaf_rn(ct, T_zp1[v], sum);
            T_out[v] = sum;
          }
          st::store_row<4>(&T_new[i], T_out, whole_0, nx - x);
          st::shift<4>(T_zm1, &T_0[4]);
          st::shift<4>(&T_0[4], T_zp1);
          i += plane;
        }
      }
    }
  };
  if (interior_x && interior_y && interior_z && aligned) {
    cells(st::Constant<false>(), st::Constant<false>());
  } else if (interior_y && interior_z && aligned && block_x + 128 <= nx) {
    cells(st::Constant<false>(), st::Constant<true>());
  } else {
    // Edge blocks: `clamp` for T.
    cells(st::Constant<true>(), st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** T, const stencil::Shape& shape, float cc, float cw, float ce, float cn, float cs,
    float cb, float ct, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index nz = static_cast<Index>(shape.nz);
  const Index pitch = static_cast<Index>(shape.pitch);
  const Index plane = static_cast<Index>(shape.plane);
  const bool aligned = stencil::aligned<4>(shape, T[0], T[1]);
  const stencil::Status advance_steps_5_fits = stencil::allow_shared(
      "diffusion3d", advance_steps<Index, 5>, 200704);
  if (!advance_steps_5_fits.ok()) return advance_steps_5_fits;
  const stencil::Status advance_steps_2_fits = stencil::allow_shared(
      "diffusion3d", advance_steps<Index, 2>, 200704);
  if (!advance_steps_2_fits.ok()) return advance_steps_2_fits;
  // Columns, and pieces of them, that fill the card: what takes longer is shorter.
  const st::ColumnCost cost = aligned && shape.nx % 4 == 0 ? st::ColumnCost{10, 114, 114}
                                                           : st::ColumnCost{10, 114, 162};
  const st::Columns columns = stencil::columns_of(
      advance_steps<Index, 5>, 256, 200704, stencil::tiles(shape.nx, 112, 16),
      stencil::tiles(shape.ny, 24, 8), shape.nz, cost);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const int64_t blocks_z = stencil::blocks(shape.nz, 8);
  const dim3 threads(32, 8, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y, blocks_z);
  int64_t left = steps;
  // Smaller grids are mostly computed twice: steps are taken one by one then.
  if (shape.nx >= 128 && shape.ny >= 32 && shape.nx * shape.ny * shape.nz >= 2097152) {
    for (; left >= 5; left -= 5) {
      advance_steps<Index, 5><<<stencil::grid_of(columns.blocks()), dim3(32, 8), 200704, stream>>>(
          T[1], T[0], cc, cw, ce, cn, cs, cb, ct, aligned, nx, ny, nz, pitch, plane, columns);
      stencil::rotate<2>(T);
    }
    for (; left >= 2; left -= 2) {
      advance_steps<Index, 2><<<stencil::grid_of(columns.blocks()), dim3(32, 8), 200704, stream>>>(
          T[1], T[0], cc, cw, ce, cn, cs, cb, ct, aligned, nx, ny, nz, pitch, plane, columns);
      stencil::rotate<2>(T);
    }
  }
  for (; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(
        T[1], T[0], cc, cw, ce, cn, cs, cb, ct, aligned, nx, ny, nz, pitch, plane);
    stencil::rotate<2>(T);
  }
  return stencil::launched("diffusion3d");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<3> call("diffusion3d", stream);
  auto T = call.levels<2>("T", args.T);
  if (!call.ok()) return call.status();
  const int code = diffusion3d_run(
      T.at, call.nx(), call.ny(), call.nz(), call.pitch(), call.plane(), args.cc, args.cw, args.ce,
      args.cn, args.cs, args.cb, args.ct, steps.count, stream);
  return call.finish(code, T);
}

}  // namespace diffusion3d

int diffusion3d_run(
    float* T[2], int64_t nx, int64_t ny, int64_t nz, int64_t pitch, int64_t plane, float cc,
    float cw, float ce, float cn, float cs, float cb, float ct, int64_t steps,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny, nz}, pitch, plane);
  stencil::Buffers<2> buffers;
  buffers.written("T[0]", T[0]);
  buffers.written("T[1]", T[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("diffusion3d", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(plane * nz);
  const auto advance = narrow ? diffusion3d::advance<int> : diffusion3d::advance<int64_t>;
  const stencil::Status done = advance(T, shape, cc, cw, ce, cn, cs, cb, ct, steps, stream);
  return stencil::code_of(done);
}
