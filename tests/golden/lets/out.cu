// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil lets, 2-D
//   f32 phi: 11 points of level t, radius 2, boundary mirror; 2 buffers
// Schedule coarsened,threads=32x16,vector=4,rows=6,coarsen=y1,taps=terms,steps=4
//   4 steps a launch: a block holds a tile in registers and takes all steps of it
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_65ac8f015736f4c5
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace lets {
namespace {

template <typename Index>
__global__ void __launch_bounds__(512) resident_tile_steps(
    float* __restrict__ phi_new, const float* __restrict__ phi, Index steps, bool aligned, Index nx,
    Index ny, Index pitch) {
  constexpr Index margin_cells = 8, stored_cells = 112, stored_rows = 88, tile_rows = 96;
  constexpr Index margin_rows = 4, width = 4, rows = 6, first_storing = 2, end_storing = 30;
  constexpr Index halo_buffers = 2, step_halo = 32, row_cells = 128, warp_halo = 2, warps = 16;
  const float factor_2 = static_cast<float>(nx);
  const Index lane = static_cast<Index>(threadIdx.x);
  const Index warp = st::of_warp(static_cast<Index>(threadIdx.y));
  // A warp has a tile of 32 vectors, of which it stores 28; the others are its halo.
  const Index tile_x = static_cast<Index>(blockIdx.x) * stored_cells - margin_cells;
  // A block has a tile of 96 rows, 6 for each warp, of which it stores 88.
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
  auto& phi_halo = st::shared<float[halo_buffers * step_halo][row_cells]>(0);
  // A cell of phi; outside the grid it is a ghost cell.
  const auto phi_at = [&](Index cell_x, Index cell_y) {
    const Index at_x = st::mirror(cell_x, nx);
    const Index at_y = st::mirror(cell_y, ny);
    return phi[at_y * pitch + at_x];
  };
  // The halo rows next to a warp's own rows.
  const Index row_below = warp == 0 ? 0 : warp * warp_halo - 1;
  const Index row_above = warp == warps - 1 ? step_halo - 1 : warp * warp_halo + 2;
  st::follow();
  float phi_rows[8][8];
  // The rows of a warp.
#pragma unroll
  for (Index r = 0; r < 6; ++r) {
    st::fill<4>(&phi_rows[r + 1][2], &phi[(y + r) * pitch + from_x], loads, phi_at, x, y + r);
  }
  const bool inside_x = aligned && tile_x >= 2 && tile_x + row_cells + 2 <= nx;
  const bool inside_y = tile_y >= 1 && tile_y + tile_rows + 1 <= ny;
  const auto cells = [&](auto edge, auto corner) {
#pragma unroll 2
    for (Index k = 0; k < steps; ++k) {
      float phi_after[6][4];
      const Index parity = st::imod<Index>(k, 2);
      st::store<4>(&phi_halo[parity * step_halo + warp * warp_halo][lane * width], &phi_rows[1][2]);
      st::store<4>(
          &phi_halo[parity * step_halo + (warp * warp_halo + 1)][lane * width], &phi_rows[6][2]);
      st::sync();
      st::load<4>(&phi_rows[0][2], &phi_halo[parity * step_halo + row_below][lane * width]);
      st::load<4>(&phi_rows[7][2], &phi_halo[parity * step_halo + row_above][lane * width]);
      if (corner) {
        if (y == 0) {
#pragma unroll
          for (Index v = 0; v < width; ++v) {
            phi_rows[0][v + 2] = phi_rows[2][v + 2];
          }
        }
        if (y + 6 == ny) {
#pragma unroll
          for (Index v = 0; v < width; ++v) {
            phi_rows[7][v + 2] = phi_rows[5][v + 2];
          }
        }
      }
#pragma unroll
      for (Index r = -1; r < 1; ++r) {
        st::exchange_sides<4, 2, 2>(&phi_rows[r + 1][2]);
        if (edge) {
          if (x == 0) {
            st::keep_branch();
            phi_rows[r + 1][1] = phi_rows[r + 1][3];
            phi_rows[r + 1][0] = phi_rows[r + 1][4];
          }
          if (x + 4 == nx) {
            st::keep_branch();
            phi_rows[r + 1][6] = phi_rows[r + 1][4];
            phi_rows[r + 1][7] = phi_rows[r + 1][3];
          }
          if (corner) {
            if (x + 1 == nx) {
              st::keep_branch();
              phi_rows[r + 1][3] = phi_rows[r + 1][1];
              phi_rows[r + 1][4] = phi_rows[r + 1][0];
            }
            if (x + 2 == nx) {
              st::keep_branch();
              phi_rows[r + 1][4] = phi_rows[r + 1][2];
              phi_rows[r + 1][5] = phi_rows[r + 1][1];
            }
            if (x + 3 == nx) {
              st::keep_branch();
              phi_rows[r + 1][5] = phi_rows[r + 1][3];
              phi_rows[r + 1][6] = phi_rows[r + 1][2];
            }
            if (x + 5 == nx) {
              st::keep_branch();
              phi_rows[r + 1][7] = phi_rows[r + 1][5];
            }
          }
        }
      }
#pragma unroll
      for (Index r = 0; r < 6; ++r) {
        st::exchange_sides<4, 2, 2>(&phi_rows[r + 2][2]);
        if (edge) {
          if (x == 0) {
            st::keep_branch();
            phi_rows[r + 2][1] = phi_rows[r + 2][3];
            phi_rows[r + 2][0] = phi_rows[r + 2][4];
          }
          if (x + 4 == nx) {
            st::keep_branch();
            phi_rows[r + 2][6] = phi_rows[r + 2][4];
            phi_rows[r + 2][7] = phi_rows[r + 2][3];
          }
          if (corner) {
            if (x + 1 == nx) {
              st::keep_branch();
              phi_rows[r + 2][3] = phi_rows[r + 2][1];
              phi_rows[r + 2][4] = phi_rows[r + 2][0];
            }
            if (x + 2 == nx) {
              st::keep_branch();
              phi_rows[r + 2][4] = phi_rows[r + 2][2];
              phi_rows[r + 2][5] = phi_rows[r + 2][1];
            }
            if (x + 3 == nx) {
              st::keep_branch();
              phi_rows[r + 2][5] = phi_rows[r + 2][3];
              phi_rows[r + 2][6] = phi_rows[r + 2][2];
            }
            if (x + 5 == nx) {
              st::keep_branch();
              phi_rows[r + 2][7] = phi_rows[r + 2][5];
            }
          }
        }
        // Divisions and roots without a branch; if a number is rare, all of it is computed anew.
        st::usually([&](auto& rare) {
#pragma unroll
          for (Index v = 0; v < width; ++v) {
            float lap_xp1 = -phi_rows[r][v + 3];
            lap_xp1 = __fsub_rn(lap_xp1, phi_rows[r + 1][v + 2]);
            lap_xp1 = __fmaf_rn(4.0f, phi_rows[r + 1][v + 3], lap_xp1);
            lap_xp1 = __fsub_rn(lap_xp1, phi_rows[r + 1][v + 4]);
            lap_xp1 = __fsub_rn(lap_xp1, phi_rows[r + 2][v + 3]);
            float lap = -phi_rows[r][v + 2];
            lap = __fsub_rn(lap, phi_rows[r + 1][v + 1]);
            lap = __fmaf_rn(4.0f, phi_rows[r + 1][v + 2], lap);
            lap = __fsub_rn(lap, phi_rows[r + 1][v + 3]);
            lap = __fsub_rn(lap, phi_rows[r + 2][v + 2]);
            const float value = __fsub_rn(lap_xp1, lap);
            float sum = -phi_rows[r + 1][v + 2];
            sum = __fadd_rn(sum, phi_rows[r + 1][v + 3]);
            const float flux = __fmul_rn(value, sum) > 0.0f ? 0.0f : value;
            float lap_xm1 = -phi_rows[r][v + 1];
            lap_xm1 = __fsub_rn(lap_xm1, phi_rows[r + 1][v]);
            lap_xm1 = __fmaf_rn(4.0f, phi_rows[r + 1][v + 1], lap_xm1);
            lap_xm1 = __fsub_rn(lap_xm1, phi_rows[r + 1][v + 2]);
            lap_xm1 = __fsub_rn(lap_xm1, phi_rows[r + 2][v + 1]);
            const float value_2 = __fsub_rn(lap, lap_xm1);
            float sum_2 = -phi_rows[r + 1][v + 1];
            sum_2 = __fadd_rn(sum_2, phi_rows[r + 1][v + 2]);
            const bool part = __fmul_rn(value_2, sum_2) > 0.0f;
            const float flux_xm1 = part ? 0.0f : value_2;
            float sum_3 = __fmul_rn(0.125f, phi_rows[r][v + 1]);
            sum_3 = __fmaf_rn(0.125f, phi_rows[r][v + 3], sum_3);
            sum_3 = __fmaf_rn(0.25f, phi_rows[r + 1][v + 1], sum_3);
            sum_3 = __fmaf_rn(0.25f, phi_rows[r + 1][v + 3], sum_3);
            sum_3 = __fmaf_rn(0.125f, phi_rows[r + 2][v + 1], sum_3);
            sum_3 = __fmaf_rn(0.125f, phi_rows[r + 2][v + 3], sum_3);
            const float part_2 = __fmul_rn(0.001f, static_cast<float>(x + v));
            const float part_3 = __fmaf_rn(-0.1f, __fsub_rn(flux, flux_xm1), sum_3);
            phi_after[r][v] = __fadd_rn(part_3, st::quotient(part_2, factor_2, rare));
          }
        });
      }
      // The next step.
#pragma unroll
      for (Index r = 0; r < 6; ++r) {
        st::shift<4>(&phi_rows[r + 1][2], phi_after[r]);
      }
    }
  };
  if (inside_x && inside_y) {
    cells(st::Constant<false>(), st::Constant<false>());
  } else if (aligned && st::imod<Index>(nx, width) == 0 && inside_y) {
    cells(st::Constant<true>(), st::Constant<false>());
  } else {
    // Edge blocks: `mirror` for phi.
    cells(st::Constant<true>(), st::Constant<true>());
  }
  // Rows that lack no neighbour.
  if (stores) {
#pragma unroll
    for (Index r = 0; r < 6; ++r) {
      if (y + r >= first_y && y + r < end_y) {
        const Index i = (y + r) * pitch + x;
        st::store_row<4>(&phi_new[i], &phi_rows[r + 1][2], whole, nx - x);
      }
    }
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ phi_new, const float* __restrict__ phi, bool aligned, Index nx, Index ny,
    Index pitch) {
  const float factor = static_cast<float>(nx);
  const Index block_x = static_cast<Index>(blockIdx.x) * 256;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 24;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y0 = block_y + static_cast<Index>(threadIdx.y) * 6;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 260 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 25 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y0 < ny)) {
      // Where a row of phi begins, and a cell of a row: near the boundary those that stand for
      // them.
      const auto phi_row = [&](Index row_y) {
        const Index at_y = edge ? st::mirror(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto phi_in = [&](Index row, Index cell_x) {
        return phi[row + st::mirror(cell_x, nx)];
      };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      Index i = y0 * pitch + x;
      float phi_ym1[12];
      float phi_0[12];
      st::fill_row<4, -1, 3>(edge, phi_ym1, phi, phi_row(y0 - 1), x, whole_0, phi_in);
      st::fill_row<4, -1, 3>(edge, phi_0, phi, phi_row(y0), x, whole_0, phi_in);
#pragma unroll
      for (Index k = 0; k < 6; ++k) {
        const Index y = y0 + k;
        if (!edge || y < ny) {
          float phi_yp1[12];
          st::fill_row<4, -1, 3>(edge, phi_yp1, phi, phi_row(y + 1), x, whole_0, phi_in);
          float phi_out[4];
          // Divisions and roots without a branch; if a number is rare, all of it is computed anew.
          st::usually([&](auto& rare) {
#pragma unroll
            for (Index v = 0; v < 4; ++v) {
              float lap_xp1 = -phi_ym1[v + 5];
              lap_xp1 = __fsub_rn(lap_xp1, phi_0[v + 4]);
              lap_xp1 = __fmaf_rn(4.0f, phi_0[v + 5], lap_xp1);
              lap_xp1 = __fsub_rn(lap_xp1, phi_0[v + 6]);
              lap_xp1 = __fsub_rn(lap_xp1, phi_yp1[v + 5]);
              float lap = -phi_ym1[v + 4];
              lap = __fsub_rn(lap, phi_0[v + 3]);
              lap = __fmaf_rn(4.0f, phi_0[v + 4], lap);
              lap = __fsub_rn(lap, phi_0[v + 5]);
              lap = __fsub_rn(lap, phi_yp1[v + 4]);
              const float value = __fsub_rn(lap_xp1, lap);
              float sum = -phi_0[v + 4];
              sum = __fadd_rn(sum, phi_0[v + 5]);
              const float flux = __fmul_rn(value, sum) > 0.0f ? 0.0f : value;
              float lap_xm1 = -phi_ym1[v + 3];
              lap_xm1 = __fsub_rn(lap_xm1, phi_0[v + 2]);
              lap_xm1 = __fmaf_rn(4.0f, phi_0[v + 3], lap_xm1);
              lap_xm1 = __fsub_rn(lap_xm1, phi_0[v + 4]);
              lap_xm1 = __fsub_rn(lap_xm1, phi_yp1[v + 3]);
              const float value_2 = __fsub_rn(lap, lap_xm1);
              float sum_2 = -phi_0[v + 3];
              sum_2 = __fadd_rn(sum_2, phi_0[v + 4]);
              const bool part = __fmul_rn(value_2, sum_2) > 0.0f;
              const float flux_xm1 = part ? 0.0f : value_2;
              float sum_3 = __fmul_rn(0.125f, phi_ym1[v + 3]);
              sum_3 = __fmaf_rn(0.125f, phi_ym1[v + 5], sum_3);
              sum_3 = __fmaf_rn(0.25f, phi_0[v + 3], sum_3);
              sum_3 = __fmaf_rn(0.25f, phi_0[v + 5], sum_3);
              sum_3 = __fmaf_rn(0.125f, phi_yp1[v + 3], sum_3);
              sum_3 = __fmaf_rn(0.125f, phi_yp1[v + 5], sum_3);
              const float part_2 = __fmul_rn(0.001f, static_cast<float>(x + v));
              const float part_3 = __fmaf_rn(-0.1f, __fsub_rn(flux, flux_xm1), sum_3);
              phi_out[v] = __fadd_rn(part_3, st::quotient(part_2, factor, rare));
            }
          });
          st::store_row<4>(&phi_new[i], phi_out, whole_0, nx - x);
          st::shift<12>(phi_ym1, phi_0);
          st::shift<12>(phi_0, phi_yp1);
          i += pitch;
        }
      }
    }
  };
  if (interior_x && interior_y && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `mirror` for phi.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** phi, const stencil::Shape& shape, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<4>(shape, phi[0], phi[1]);
  const stencil::Status resident_tile_steps_fits = stencil::allow_shared(
      "lets", resident_tile_steps<Index>, 32768);
  if (!resident_tile_steps_fits.ok()) return resident_tile_steps_fits;
  const int64_t blocks_x = stencil::blocks(shape.nx, 112);
  const int64_t blocks_y = stencil::blocks(shape.ny, 88);
  const dim3 threads(32, 16);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  const int64_t blocks_x_2 = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y_2 = stencil::blocks(shape.ny, 24);
  const dim3 threads_2(64, 4);
  const dim3 blocks_2 = stencil::grid_of(blocks_x_2, blocks_y_2);
  int64_t left = steps;
  if (shape.nx >= 3 && shape.ny >= 96) {
    // Many short launches are recorded, and replayed faster than the host launches them.
    const auto resident_tile_steps_on = [&](Index steps, auto on) {
      stencil::launch_early(
          resident_tile_steps<Index>, blocks, threads, 32768, on, phi[1], phi[0], steps, aligned,
          nx, ny, pitch);
      stencil::rotate<2>(phi);
    };
    stencil::replay(left, 0, 4, 2, blocks, stream, resident_tile_steps_on);
    while (left > 1) {
      const Index steps = static_cast<Index>(left < 4 ? left : 4);
      resident_tile_steps_on(steps, stream);
      left -= steps;
    }
  }
  for (; left > 0; --left) {
    step<Index><<<blocks_2, threads_2, 0, stream>>>(phi[1], phi[0], aligned, nx, ny, pitch);
    stencil::rotate<2>(phi);
  }
  return stencil::launched("lets");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("lets", stream);
  auto phi = call.levels<2>("phi", args.phi);
  if (!call.ok()) return call.status();
  const int code = lets_run(phi.at, call.nx(), call.ny(), call.pitch(), steps.count, stream);
  return call.finish(code, phi);
}

}  // namespace lets

int lets_run(
    float* phi[2], int64_t nx, int64_t ny, int64_t pitch, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("phi[0]", phi[0]);
  buffers.written("phi[1]", phi[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("lets", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? lets::advance<int> : lets::advance<int64_t>;
  const stencil::Status done = advance(phi, shape, steps, stream);
  return stencil::code_of(done);
}
