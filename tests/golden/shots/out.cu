// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --arch=sm_90
//   --schedule=coarsened,threads=32x4,vector=4,rows=4,steps=4
//
// Stencil shots, 2-D
//   f32 u: 5 points of level t, 1 point of level t-1, radius 1, boundary constant 0; 4 buffers
// Schedule coarsened,threads=32x4,vector=4,rows=4,coarsen=z1,steps=4
//   asked for by --schedule
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_2dd9f45ca369fe7a
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace shots {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) sample_trace(
    const float* __restrict__ u, float* __restrict__ trace,
    const int64_t* __restrict__ receivers_places_x, const int64_t* __restrict__ receivers_places_z,
    const float* __restrict__ receivers_places_weight, Index receivers_points, Index pitch) {
  const Index e = static_cast<Index>(blockIdx.x) * 256 + static_cast<Index>(threadIdx.x);
  if (e < receivers_points) {
    float sum = 0.0f;
    bool any = false;
    for (Index corner = 0; corner < 4; ++corner) {
      const Index n = e * 4 + corner;
      if (static_cast<Index>(receivers_places_x[n]) >= 0) {
        const Index x_cell = static_cast<Index>(receivers_places_x[n]);
        const Index z_cell = static_cast<Index>(receivers_places_z[n]);
        const Index i = z_cell * pitch + x_cell;
        if (any) {
          sum = __fmaf_rn(receivers_places_weight[n], u[i], sum);
        } else {
          sum = __fmul_rn(receivers_places_weight[n], u[i]);
        }
        any = true;
      }
    }
    trace[e] = sum;
  }
}

template <typename Index>
__global__ void __launch_bounds__(128) resident_tile_steps(
    float* __restrict__ u_new, float* __restrict__ u_new_prev, const float* __restrict__ u,
    const float* __restrict__ u_prev, const float* __restrict__ pulse, const st::Entries sources,
    const st::Entries receivers, float* __restrict__ trace_cells, Index steps, float dt,
    bool aligned, Index nx, Index nz, Index pitch, Index sources_points,
    Index receivers_places_count) {
  constexpr Index margin_cells = 4, stored_cells = 120, stored_rows = 8, tile_rows = 16;
  constexpr Index margin_rows = 4, width = 4, rows = 4, end_storing = 31, halo_buffers = 2;
  constexpr Index step_halo = 8, row_cells = 128, warp_halo = 2, warps = 4;
  const float value_2 = __fmul_rn(dt, dt);
  const float factor_2 = __fadd_rn(2.0f, __fmul_rn(value_2, -4.0f));
  const Index lane = static_cast<Index>(threadIdx.x);
  const Index warp = st::of_warp(static_cast<Index>(threadIdx.y));
  // A warp has a tile of 32 vectors, of which it stores 30; the others are its halo.
  const Index tile_x = static_cast<Index>(blockIdx.x) * stored_cells - margin_cells;
  // A block has a tile of 16 rows, 4 for each warp, of which it stores 8.
  const Index first_z = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * stored_rows;
  const Index end_z = first_z + stored_rows < nz ? first_z + stored_rows : nz;
  const Index low = first_z - margin_rows < nz - tile_rows ? first_z - margin_rows : nz - tile_rows;
  const Index tile_z = low < 0 ? 0 : low;
  const Index x = tile_x + lane * width;
  const Index z = tile_z + warp * rows;
  // Lanes outside the row load any cell: their ghost cells are computed from the row.
  const Index from_x = x >= 0 && x < nx ? x : 0;
  const bool loads = aligned && from_x + width <= nx;
  const bool whole = aligned && x >= 0 && x + width <= nx;
  const bool stores = lane >= 1 && lane < end_storing && x < nx;
  auto& u_halo = st::shared<float[halo_buffers * step_halo][row_cells]>(0);
  // A cell of u; outside the grid it is a ghost cell.
  const auto u_at = [&](Index cell_x, Index cell_z) {
    const bool has_x = cell_x >= 0 && cell_x < nx;
    const bool has_z = cell_z >= 0 && cell_z < nz;
    const Index i = cell_z * pitch + cell_x;
    return has_x && has_z ? u[i] : 0.0f;
  };
  // A cell of u at t-1; outside the grid it is a ghost cell.
  const auto u_prev_at = [&](Index cell_x, Index cell_z) {
    const bool has_x = cell_x >= 0 && cell_x < nx;
    const bool has_z = cell_z >= 0 && cell_z < nz;
    const Index i = cell_z * pitch + cell_x;
    return has_x && has_z ? u_prev[i] : 0.0f;
  };
  // The halo rows next to a warp's own rows; at the boundary they are a constant, in slots that no
  // warp uses.
  const Index row_below = warp == 0 ? 0 : warp * warp_halo - 1;
  const Index row_above = warp == warps - 1 ? step_halo - 1 : warp * warp_halo + 2;
  if (warp == 0) {
    for (Index n = 0; n < 2; ++n) {
#pragma unroll
      for (Index v = 0; v < width; ++v) {
        u_halo[n * 8][lane * width + v] = 0.0f;
      }
    }
  }
  if (warp == 3) {
    for (Index n = 0; n < 2; ++n) {
#pragma unroll
      for (Index v = 0; v < width; ++v) {
        u_halo[n * 8 + 7][lane * width + v] = 0.0f;
      }
    }
  }
  st::follow();
  float u_rows[6][6];
  float u_before[4][4];
  // The rows of a warp.
#pragma unroll
  for (Index r = 0; r < 4; ++r) {
    st::fill<4>(&u_rows[r + 1][1], &u[(z + r) * pitch + from_x], loads, u_at, x, z + r);
    st::fill<4>(u_before[r], &u_prev[(z + r) * pitch + from_x], loads, u_prev_at, x, z + r);
  }
  const bool inside_x = aligned && tile_x >= 1 && tile_x + row_cells + 1 <= nx;
  // Which of a thread's cells, counted row by row, have `sources`.
  int64_t sources_here = int64_t{0};
  const Index tile_end = tile_z + 16 < nz ? tile_z + 16 : nz;
  if (sources.any(tile_z * nx, tile_end * nx)) {
#pragma unroll 1
    for (Index cell = 0; cell < 16; ++cell) {
      const Index x_cell = x + st::imod<Index>(cell, 4);
      const Index z_cell = z + st::idiv<Index>(cell, 4);
      const bool counts = x_cell >= 0 && x_cell < nx && z_cell >= 0 && z_cell < nz;
      const Index key = z_cell * nx + x_cell;
      sources_here = st::with(sources_here, cell, counts && sources.first(key) >= 0);
    }
  }
  // Which of a thread's cells, counted row by row, have `receivers` and are stored.
  int64_t receivers_stored = int64_t{0};
  if (receivers.any(tile_z * nx, tile_end * nx)) {
#pragma unroll 1
    for (Index cell = 0; cell < 16; ++cell) {
      const Index x_cell = x + st::imod<Index>(cell, 4);
      const Index z_cell = z + st::idiv<Index>(cell, 4);
      const bool counts = x_cell >= 0 && x_cell < nx && z_cell >= 0 && z_cell < nz && stores &&
                          z_cell >= first_z && z_cell < end_z;
      const Index key = z_cell * nx + x_cell;
      receivers_stored = st::with(receivers_stored, cell, counts && receivers.first(key) >= 0);
    }
  }
  const auto cells = [&](auto edge, auto corner) {
#pragma unroll 2
    for (Index k = 0; k < steps; ++k) {
      float u_after[4][4];
      // What `receivers` see.
      for (Index cell = st::next_in(receivers_stored, -1); cell >= 0;
           cell = st::next_in(receivers_stored, cell)) {
        const Index x_cell = x + st::imod<Index>(cell, 4);
        const Index z_cell = z + st::idiv<Index>(cell, 4);
        const Index key = z_cell * nx + x_cell;
        float u_rows_here = u_rows[1][1];
#pragma unroll
        for (Index r = 0; r < rows; ++r) {
#pragma unroll
          for (Index v = 0; v < width; ++v) {
            if (r * width + v == cell) {
              u_rows_here = u_rows[r + 1][v + 1];
            }
          }
        }
        for (Index e = receivers.first(key); e >= 0; e = receivers.next(e)) {
          const Index n = receivers.number(e);
          trace_cells[k * receivers_places_count + n] = u_rows_here;
        }
      }
      const Index parity = st::imod<Index>(k, 2);
      if (warp != 0) {
        st::store<4>(&u_halo[parity * step_halo + warp * warp_halo][lane * width], &u_rows[1][1]);
      }
      if (warp != warps - 1) {
        st::store<4>(
            &u_halo[parity * step_halo + (warp * warp_halo + 1)][lane * width], &u_rows[4][1]);
      }
      st::sync();
      st::load<4>(&u_rows[0][1], &u_halo[parity * step_halo + row_below][lane * width]);
      st::load<4>(&u_rows[5][1], &u_halo[parity * step_halo + row_above][lane * width]);
#pragma unroll
      for (Index r = 0; r < 4; ++r) {
        st::exchange_sides<4, 1, 1>(&u_rows[r + 1][1]);
        if (edge) {
          if (x == 0) {
            st::keep_branch();
            u_rows[r + 1][0] = 0.0f;
          }
          if (x + 4 == nx) {
            st::keep_branch();
            u_rows[r + 1][5] = 0.0f;
          }
          if (corner) {
            if (x + 1 == nx) {
              st::keep_branch();
              u_rows[r + 1][2] = 0.0f;
            }
            if (x + 2 == nx) {
              st::keep_branch();
              u_rows[r + 1][3] = 0.0f;
            }
            if (x + 3 == nx) {
              st::keep_branch();
              u_rows[r + 1][4] = 0.0f;
            }
          }
        }
#pragma unroll
        for (Index v = 0; v < width; ++v) {
          float sum = __fmul_rn(value_2, u_rows[r][v + 1]);
          sum = __fmaf_rn(value_2, u_rows[r + 1][v], sum);
          sum = __fsub_rn(sum, u_before[r][v]);
          sum = __fmaf_rn(factor_2, u_rows[r + 1][v + 1], sum);
          sum = __fmaf_rn(value_2, u_rows[r + 1][v + 2], sum);
          sum = __fmaf_rn(value_2, u_rows[r + 2][v + 1], sum);
          u_after[r][v] = sum;
        }
      }
      // What `sources` add.
      for (Index cell = st::next_in(sources_here, -1); cell >= 0;
           cell = st::next_in(sources_here, cell)) {
        const Index x_cell = x + st::imod<Index>(cell, 4);
        const Index z_cell = z + st::idiv<Index>(cell, 4);
        const Index key = z_cell * nx + x_cell;
        float sum = u_after[0][0];
#pragma unroll
        for (Index r = 0; r < rows; ++r) {
#pragma unroll
          for (Index v = 0; v < width; ++v) {
            if (r * width + v == cell) {
              sum = u_after[r][v];
            }
          }
        }
        for (Index e = sources.first(key); e >= 0; e = sources.next(e)) {
          const Index n = sources.number(e);
          const Index p = k * sources_points + n;
          sum = __fadd_rn(sum, __fmul_rn(__fmul_rn(dt, dt), pulse[p]));
        }
#pragma unroll
        for (Index r = 0; r < rows; ++r) {
#pragma unroll
          for (Index v = 0; v < width; ++v) {
            if (r * width + v == cell) {
              u_after[r][v] = sum;
            }
          }
        }
      }
      // The next step.
#pragma unroll
      for (Index r = 0; r < 4; ++r) {
        st::shift<4>(u_before[r], &u_rows[r + 1][1]);
        st::shift<4>(&u_rows[r + 1][1], u_after[r]);
      }
    }
  };
  if (inside_x) {
    cells(st::Constant<false>(), st::Constant<false>());
  } else if (aligned && st::imod<Index>(nx, width) == 0) {
    cells(st::Constant<true>(), st::Constant<false>());
  } else {
    // Edge blocks: `constant` for u.
    cells(st::Constant<true>(), st::Constant<true>());
  }
  // Rows that lack no neighbour.
  if (stores) {
#pragma unroll
    for (Index r = 0; r < 4; ++r) {
      if (z + r >= first_z && z + r < end_z) {
        const Index i = (z + r) * pitch + x;
        st::store_row<4>(&u_new[i], &u_rows[r + 1][1], whole, nx - x);
        st::store_row<4>(&u_new_prev[i], u_before[r], whole, nx - x);
      }
    }
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) gather_trace(
    const float* __restrict__ trace_cells, float* __restrict__ trace,
    const int64_t* __restrict__ receivers_places_x,
    const float* __restrict__ receivers_places_weight, Index steps, Index receivers_places_count,
    Index receivers_points) {
  const Index e = static_cast<Index>(blockIdx.x) * 256 + static_cast<Index>(threadIdx.x);
  if (e < receivers_points) {
    for (Index k = 0; k < steps; ++k) {
      float sum = 0.0f;
      bool any = false;
      for (Index corner = 0; corner < 4; ++corner) {
        const Index n = e * 4 + corner;
        if (static_cast<Index>(receivers_places_x[n]) >= 0) {
          if (any) {
            sum = __fmaf_rn(
                receivers_places_weight[n], trace_cells[k * receivers_places_count + n], sum);
          } else {
            sum = __fmul_rn(
                receivers_places_weight[n], trace_cells[k * receivers_places_count + n]);
          }
          any = true;
        }
      }
      trace[k * receivers_points + e] = sum;
    }
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ u_new, const float* __restrict__ u, const float* __restrict__ u_prev,
    float dt, bool aligned, Index nx, Index nz, Index pitch) {
  const float value = __fmul_rn(dt, dt);
  const float factor = __fadd_rn(2.0f, __fmul_rn(value, -4.0f));
  const Index block_x = static_cast<Index>(blockIdx.x) * 256;
  const Index block_z = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 4;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index z = block_z + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 260 <= nx;
  const bool interior_z = block_z >= 1 && block_z + 5 <= nz;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && z < nz)) {
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them,
      // if any do.
      const auto u_prev_row = [&](Index row_z) {
        const bool has = !edge || (row_z >= 0 && row_z < nz);
        return has ? row_z * pitch : -1;
      };
      const auto u_prev_in = [&](Index row, Index cell_x) {
        return row >= 0 && cell_x >= 0 && cell_x < nx ? u_prev[row + cell_x] : 0.0f;
      };
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them,
      // if any do.
      const auto u_row = [&](Index row_z) {
        const bool has = !edge || (row_z >= 0 && row_z < nz);
        return has ? row_z * pitch : -1;
      };
      const auto u_in = [&](Index row, Index cell_x) {
        return row >= 0 && cell_x >= 0 && cell_x < nx ? u[row + cell_x] : 0.0f;
      };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      const Index i = z * pitch + x;
      float u_prev_0[4];
      st::fill_row<4>(edge, u_prev_0, u_prev, u_prev_row(z), x, whole_0, u_prev_in);
      float u_zm1[4];
      st::fill_row<4>(edge, u_zm1, u, u_row(z - 1), x, whole_0, u_in);
      float u_0[12];
      st::fill_row<4, -1, 3>(edge, u_0, u, u_row(z), x, whole_0, u_in);
      float u_zp1[4];
      st::fill_row<4>(edge, u_zp1, u, u_row(z + 1), x, whole_0, u_in);
      float u_out[4];
#pragma unroll
      for (Index v = 0; v < 4; ++v) {
        float sum = __fmul_rn(value, u_zm1[v]);
        sum = __fmaf_rn(value, u_0[v + 3], sum);
        sum = __fsub_rn(sum, u_prev_0[v]);
        sum = __fmaf_rn(factor, u_0[v + 4], sum);
        sum = __fmaf_rn(value, u_0[v + 5], sum);
        sum = __fmaf_rn(value, u_zp1[v], sum);
        u_out[v] = sum;
      }
      st::store_row<4>(&u_new[i], u_out, whole_0, nx - x);
    }
  };
  if (interior_x && interior_z && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `constant` for u.
    cells(st::Constant<true>());
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) inject_u(
    float* __restrict__ u_new, const float* __restrict__ pulse,
    const int64_t* __restrict__ sources_places_x, const int64_t* __restrict__ sources_places_z,
    const int64_t* __restrict__ sources_places_next,
    const int64_t* __restrict__ sources_places_head, Index sources_places_count, float dt,
    Index pitch) {
  const Index e = static_cast<Index>(blockIdx.x) * 256 + static_cast<Index>(threadIdx.x);
  if (e < sources_places_count) {
    if (sources_places_head[e] != int64_t{0}) {
      const Index x_cell = static_cast<Index>(sources_places_x[e]);
      const Index z_cell = static_cast<Index>(sources_places_z[e]);
      const Index i = z_cell * pitch + x_cell;
      float sum = u_new[i];
      for (Index n = e; n >= 0; n = static_cast<Index>(sources_places_next[n])) {
        const Index p = n;
        sum = __fadd_rn(sum, __fmul_rn(__fmul_rn(dt, dt), pulse[p]));
      }
      u_new[i] = sum;
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, const stencil::Shape& shape, float dt,
    const stencil::Places<float, 2>& receivers_places,
    const stencil::Places<float, 2>& sources_places, const stencil::Series<const float>& pulse,
    const stencil::Series<float>& trace, int64_t first, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index nz = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const Index receivers_points = static_cast<Index>(receivers_places.points());
  const Index receivers_places_count = static_cast<Index>(receivers_places.count());
  const Index sources_points = static_cast<Index>(sources_places.points());
  const Index sources_places_count = static_cast<Index>(sources_places.count());
  const bool aligned = stencil::aligned<4>(shape, u[0], u[1], u[2], u[3]);
  const stencil::Status resident_tile_steps_fits = stencil::allow_shared(
      "shots", resident_tile_steps<Index>, 8192);
  if (!resident_tile_steps_fits.ok()) return resident_tile_steps_fits;
  stencil::Array<float> trace_cells(receivers_places.count() * 4);
  if (!trace_cells.status().ok()) return trace_cells.status();
  const int64_t blocks_x = stencil::blocks(shape.nx, 120);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const dim3 threads(32, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  const int64_t blocks_x_2 = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y_2 = stencil::blocks(shape.ny, 4);
  const dim3 threads_2(64, 4);
  const dim3 blocks_2 = stencil::grid_of(blocks_x_2, blocks_y_2);
  int64_t t = first;
  int64_t left = steps;
  if (shape.nx >= 2 && shape.ny >= 16) {
    while (left > 1) {
      const Index steps = static_cast<Index>(left < 4 ? left : 4);
      stencil::launch_early(
          resident_tile_steps<Index>, blocks, threads, 8192, stream, u[2], u[3], u[0], u[1],
          pulse.at(t), sources_places.entries(), receivers_places.entries(), trace_cells.data(),
          steps, dt, aligned, nx, nz, pitch, sources_points, receivers_places_count);
      gather_trace<Index><<<stencil::blocks_of(receivers_places.points(), 256), 256, 0, stream>>>(
          trace_cells.data(), trace.at(t), receivers_places.cell(0), receivers_places.weight(),
          steps, receivers_places_count, receivers_points);
      stencil::rotate<4>(u);
      stencil::rotate<4>(u);
      t += steps;
      left -= steps;
    }
  }
  for (; left > 0; --left) {
    sample_trace<Index><<<stencil::blocks_of(receivers_places.points(), 256), 256, 0, stream>>>(
        u[0], trace.at(t), receivers_places.cell(0), receivers_places.cell(1),
        receivers_places.weight(), receivers_points, pitch);
    step<Index><<<blocks_2, threads_2, 0, stream>>>(u[2], u[0], u[1], dt, aligned, nx, nz, pitch);
    inject_u<Index><<<stencil::blocks_of(sources_places.count(), 256), 256, 0, stream>>>(
        u[2], pulse.at(t), sources_places.cell(0), sources_places.cell(1), sources_places.next(),
        sources_places.head(), sources_places_count, dt, pitch);
    stencil::rotate<3>(u);
    ++t;
  }
  return stencil::launched("shots");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("shots", stream);
  auto u = call.levels<4>("u", args.u, args.u_prev);
  if (!call.ok()) return call.status();
  const int code = shots_run(
      u.at, call.nx(), call.ny(), call.pitch(), args.dt, args.sources.at, args.sources.count,
      args.receivers.at, args.receivers.count, args.pulse.data, args.pulse.steps, args.trace.data,
      args.trace.steps, steps.first, steps.count, stream);
  return call.finish(code, u);
}

}  // namespace shots

int shots_run(
    float* u[4], int64_t nx, int64_t nz, int64_t pitch, float dt, const int32_t* sources,
    int64_t sources_points, const double* receivers, int64_t receivers_points, const float* pulse,
    int64_t pulse_steps, float* trace, int64_t trace_steps, int64_t first, int64_t steps,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, nz}, pitch);
  stencil::Buffers<4> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  buffers.written("u[2]", u[2]);
  buffers.written("u[3]", u[3]);
  const stencil::Steps count{steps};
  stencil::Status ready = stencil::check("shots", shape, count, buffers);
  if (ready.ok()) ready = stencil::check_points("shots", "sources", sources, sources_points);
  if (ready.ok()) ready = stencil::check_points("shots", "receivers", receivers, receivers_points);
  const stencil::Series<const float> pulse_values{pulse, pulse_steps, sources_points};
  if (ready.ok())
    ready = stencil::check_series(
        "shots", "pulse", pulse, sources_points, pulse_steps, first, count.count);
  const stencil::Series<float> trace_values{trace, trace_steps, receivers_points};
  if (ready.ok())
    ready = stencil::check_series(
        "shots", "trace", trace, receivers_points, trace_steps, first, count.count);
  stencil::Places<float, 2> receivers_places;
  if (ready.ok())
    ready = receivers_places.make(
        "`shots`", stencil::LinearPoints{receivers, receivers_points}, shape, false, stream);
  if (ready.ok()) ready = receivers_places.sort("`shots`", shape, stream);
  stencil::Places<float, 2> sources_places;
  if (ready.ok())
    ready = sources_places.make(
        "`shots`", stencil::Points{sources, sources_points}, shape, true, stream);
  if (ready.ok()) ready = sources_places.sort("`shots`", shape, stream);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * nz);
  const auto advance = narrow ? shots::advance<int> : shots::advance<int64_t>;
  const stencil::Status done = advance(
      u, shape, dt, receivers_places, sources_places, pulse_values, trace_values, first, steps,
      stream);
  return stencil::code_of(done);
}
