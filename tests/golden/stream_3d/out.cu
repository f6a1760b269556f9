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

template <typename Index, int degree, bool edge>
__device__ __noinline__ void leap_planes(
    float* __restrict__ T_new, const float* __restrict__ T, float cc, float cw, float ce, float cn,
    float cs, float cb, float ct, bool aligned, Index nx, Index ny, Index nz, Index pitch,
    Index plane, Index strip, Index first_x, Index behind_x, Index tile, Index first_y,
    Index behind_y, Index first_z, Index behind_z) {
  const Index lane = static_cast<Index>(threadIdx.x);
  const Index warp = st::of_warp(static_cast<Index>(threadIdx.y));
  const Index x = strip + lane * 4;
  const Index y = tile + warp * 4;
  const bool loads = !edge || aligned;
  const bool stores = x + 3 >= first_x && x < behind_x;
  // Planes on their way: 2 are asked for ahead of the one in work, and rows of the one before are
  // still read: a ring of 4.
  auto& T_ahead = st::shared<float[136][128]>(0);
  // The rows at the ends of each warp, for the warps beside it, twice: those of one plane are read
  // while those of the next are written, so that one barrier a plane is enough.
  auto& T_lent = st::shared<float[128][128]>(69632);
  auto& T_held = st::shared<float[128][128]>(135168);
  // The same of a later time step, of which the last 1 plane is held.
  const auto T_held_at = [&](Index cell_x, Index cell_y, Index, Index k) {
    return T_held[(k - 1) * 32 + (cell_y - tile)][cell_x - strip];
  };
  // Which of the rows that warps lend lie beside a warp's own: at the rim its own ones.
  const Index row_below = warp == 0 ? 0 : warp * 2 - 1;
  const Index row_above = warp == 7 ? 15 : warp * 2 + 2;
  const bool beside = warp == 0 || warp == 7;
  const Index beside_row = warp == 0 ? -1 : 32;
  // Each lane copies its vectors of a plane some planes ahead.
  const auto ask = [&](auto near, Index plane_2, Index place) {
    const Index at_z = near ? st::clamp(plane_2, nz) : plane_2;
    st::copy_rows_async<4, 4, 128>(
        &T_ahead[place * 34 + (warp * 4 + 1)][lane * 4], &T[at_z * plane + y * pitch + x], pitch,
        loads);
    if (beside) {
      st::copy_row_async<4>(
          &T_ahead[place * 34 + (beside_row + 1)][lane * 4],
          &T[at_z * plane + st::clamp(tile + beside_row, ny) * pitch + x], loads);
    }
    st::commit();
  };
  // In registers, of each time step: the plane that came last, and what planes to come add up to so
  // far, the next one in its own place.
  float T_rows[24][4] = {};
  float sum0[20][4] = {};
  const Index first_plane = first_z - degree;
  const Index last_plane = behind_z + degree;
  Index place = 0;
  Index before = 3;
  Index turn = 0;
  ask(st::Constant<true>(), first_plane, 0);
  ask(st::Constant<true>(), first_plane + 1, 1);
  Index n = first_plane;
  const auto cells = [&](auto ends) {
#pragma unroll
    for (Index l = 0; l < degree; ++l) {
      const Index k = degree - 1 - l;
      // The plane of t+k that came last is added to sums; the last k first, because each makes way
      // for the one before.
      const Index z_new = n - k - 1;
      float T_0[6][6];
#pragma unroll
      for (Index r = 0; r < 4; ++r) {
        st::shift<4>(&T_0[r + 1][1], T_rows[k * 4 + r]);
      }
      if (k == 0) {
        st::load<4>(&T_0[0][1], &T_ahead[before * 34 + warp * 4][lane * 4]);
        st::load<4>(&T_0[5][1], &T_ahead[before * 34 + (warp * 4 + 5)][lane * 4]);
      } else {
        st::load<4>(&T_0[0][1], &T_lent[((1 - turn) * 4 + (k - 1)) * 16 + row_below][lane * 4]);
        st::load<4>(&T_0[5][1], &T_lent[((1 - turn) * 4 + (k - 1)) * 16 + row_above][lane * 4]);
      }
#pragma unroll
      for (Index r = 0; r < 4; ++r) {
        st::lend_sides<4, 1, 1>(&T_0[r + 1][1]);
      }
      if (edge) {
#pragma unroll
        for (Index r = 0; r < 4; ++r) {
          T_0[r + 1][0] = x == 0 ? T_0[r + 1][1] : T_0[r + 1][0];
          T_0[r + 1][5] = x + 4 == nx ? T_0[r + 1][4] : T_0[r + 1][5];
        }
      }
      if (ends && k > 0 && z_new == 0) {
        st::stay_apart();
        // The first plane, and those that it stands for.
#pragma unroll
        for (Index r = 0; r < 4; ++r) {
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            sum0[k * 4 + r][v] = __fmul_rn(cb, T_0[r + 1][v + 1]);
          }
        }
      }
#pragma unroll
      for (Index r = 0; r < 4; ++r) {
#pragma unroll
        for (Index v = 0; v < 4; ++v) {
          T_rows[(k + 1) * 4 + r][v] = __fmaf_rn(cw, T_0[r + 1][v], sum0[k * 4 + r][v]);
          T_rows[(k + 1) * 4 + r][v] = __fmaf_rn(cc, T_0[r + 1][v + 1], T_rows[(k + 1) * 4 + r][v]);
          T_rows[(k + 1) * 4 + r][v] = __fmaf_rn(ce, T_0[r + 1][v + 2], T_rows[(k + 1) * 4 + r][v]);
          T_rows[(k + 1) * 4 + r][v] = __fmaf_rn(cn, T_0[r][v + 1], T_rows[(k + 1) * 4 + r][v]);
          T_rows[(k + 1) * 4 + r][v] = __fmaf_rn(cs, T_0[r + 2][v + 1], T_rows[(k + 1) * 4 + r][v]);
          sum0[k * 4 + r][v] = __fmul_rn(cb, T_0[r + 1][v + 1]);
        }
      }
    }
    // The next plane of t.
    st::wait<2>();
#pragma unroll
    for (Index r = 0; r < 4; ++r) {
      st::load<4>(T_rows[r], &T_ahead[place * 34 + (warp * 4 + r + 1)][lane * 4]);
    }
    // It completes one of t+1, which completes one of t+2, ...
#pragma unroll
    for (Index k = 0; k < degree; ++k) {
      const Index z = n - (k + 1);
#pragma unroll
      for (Index r = 0; r < 4; ++r) {
        float sum[4];
#pragma unroll
        for (Index v = 0; v < 4; ++v) {
          sum[v] = __fmaf_rn(ct, T_rows[k * 4 + r][v], T_rows[(k + 1) * 4 + r][v]);
          T_rows[(k + 1) * 4 + r][v] = sum[v];
        }
      }
      if (k + 1 < degree) {
        if (ends) {
#pragma unroll
          for (Index r = 0; r < 4; ++r) {
            if (z >= 0 && z < nz) {
              st::store<4>(&T_held[k * 32 + (warp * 4 + r)][lane * 4], T_rows[(k + 1) * 4 + r]);
            } else {
              st::fill<4>(
                  T_rows[(k + 1) * 4 + r], &T_held[k * 32 + (warp * 4 + r)][lane * 4],
                  z >= 0 && z < nz, T_held_at, x, y + r, z, k + 1);
            }
          }
        }
        st::store<4>(&T_lent[(turn * 4 + k) * 16 + warp * 2][lane * 4], T_rows[(k + 1) * 4]);
        st::store<4>(
            &T_lent[(turn * 4 + k) * 16 + (warp * 2 + 1)][lane * 4], T_rows[(k + 1) * 4 + 3]);
      }
    }
    const Index stored_z = n - degree;
    if (stores && stored_z >= first_z) {
#pragma unroll
      for (Index r = 0; r < 4; ++r) {
        if (y + r >= first_y && y + r < behind_y) {
          const Index i = stored_z * plane + (y + r) * pitch + x;
          st::store_row<4>(&T_new[i], T_rows[degree * 4 + r], !edge || aligned, nx - x);
        }
      }
    }
  };
  const Index first_inside = degree + 2 < last_plane ? degree + 2 : last_plane;
  const Index behind_inside = nz - 2 < last_plane ? nz - 2 : last_plane;
  // Planes before those that read planes inside, these, and the rest.
  for (Index part = 0; part < 3; ++part) {
    if (part == 1) {
      for (; n < behind_inside; ++n) {
        ask(st::Constant<false>(), n + 2, place >= 2 ? place - 2 : place + 2);
        cells(st::Constant<false>());
        before = place;
        place = place == 3 ? 0 : place + 1;
        turn = 1 - turn;
        st::sync();
      }
    } else {
      const Index until = part == 0 ? first_inside : last_plane;
      for (; n < until; ++n) {
        ask(st::Constant<true>(), n + 2, place >= 2 ? place - 2 : place + 2);
        cells(st::Constant<true>());
        before = place;
        place = place == 3 ? 0 : place + 1;
        turn = 1 - turn;
        st::sync();
      }
    }
  }
}

template <typename Index, int degree>
__global__ void __launch_bounds__(256) leap(
    float* __restrict__ T_new, const float* __restrict__ T, float cc, float cw, float ce, float cn,
    float cs, float cb, float ct, bool aligned, Index nx, Index ny, Index nz, Index pitch,
    Index plane, st::Columns columns) {
  // A block has a column of tiles of 128 cells and 32 rows, 4 for each warp, of which it stores 112
  // and 24: those at the ends lack neighbours, but for the ends of the grid, where tiles end, too.
  Index column_x, column_y, first_z, behind_z;
  st::column_of<Index>(
      columns, static_cast<Index>(blockIdx.x), column_x, column_y, first_z, behind_z);
  const Index strip_at = column_x * 112;
  const Index last_strip = nx - 128;
  const Index strip = strip_at < last_strip ? strip_at : last_strip;
  const Index first_x = strip_at == 0 ? 0 : strip_at + 8;
  const Index behind_x = strip_at < last_strip ? strip_at + 120 : nx;
  const bool vectors = aligned && st::imod<Index>(strip, 4) == 0;
  const Index tile_at = column_y * 24;
  const Index last_tile = ny - 32;
  const Index tile = tile_at < last_tile ? tile_at : last_tile;
  const Index first_y = tile_at == 0 ? 0 : tile_at + 4;
  const Index behind_y = tile_at < last_tile ? tile_at + 28 : ny;
  // Blocks that read nothing outside of the grid run a variant without checks.
  const bool inside_x = vectors && strip >= 1 && strip + 129 <= nx;
  if (inside_x) {
    leap_planes<Index, degree, false>(
        T_new, T, cc, cw, ce, cn, cs, cb, ct, vectors, nx, ny, nz, pitch, plane, strip, first_x,
        behind_x, tile, first_y, behind_y, first_z, behind_z);
  } else {
    // Edge blocks: `clamp` for T.
    leap_planes<Index, degree, true>(
        T_new, T, cc, cw, ce, cn, cs, cb, ct, vectors, nx, ny, nz, pitch, plane, strip, first_x,
        behind_x, tile, first_y, behind_y, first_z, behind_z);
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
      // Where a row of T begins, and a cell of a row: near the rim those that stand for them.
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
  const stencil::Status leap_5_fits = stencil::allow_shared("diffusion3d", leap<Index, 5>, 200704);
  if (!leap_5_fits.ok()) return leap_5_fits;
  const stencil::Status leap_2_fits = stencil::allow_shared("diffusion3d", leap<Index, 2>, 200704);
  if (!leap_2_fits.ok()) return leap_2_fits;
  // Columns, and pieces of them, that fill the card: what takes longer is shorter.
  const st::ColumnCost cost = aligned && shape.nx % 4 == 0 ? st::ColumnCost{10, 114, 114}
                                                           : st::ColumnCost{10, 114, 162};
  const st::Columns columns = stencil::columns_of(
      leap<Index, 5>, 256, 200704, stencil::tiles(shape.nx, 112, 16),
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
      leap<Index, 5><<<stencil::grid_of(columns.blocks()), dim3(32, 8), 200704, stream>>>(
          T[1], T[0], cc, cw, ce, cn, cs, cb, ct, aligned, nx, ny, nz, pitch, plane, columns);
      stencil::rotate<2>(T);
    }
    for (; left >= 2; left -= 2) {
      leap<Index, 2><<<stencil::grid_of(columns.blocks()), dim3(32, 8), 200704, stream>>>(
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
