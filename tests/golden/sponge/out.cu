// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil wave_sponge2d, 2-D
//   f32 u: 5 points of level t, 1 point of level t-1, radius 1, boundary constant 0; 2 buffers
//   f32 c: 1 point of level t
// Schedule coarsened,threads=64x4,vector=4,coarsen=y4
//   a thread moves 4 cells at once, and keeps what it has loaded for its next ones
// Numbers canonical, products fused into sums
//   the same bits in every schedule
// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil wave_sponge3d, 3-D
//   f32 u: 25 points of level t, 1 point of level t-1, radius 4, boundary constant 0; 2 buffers
//   f32 c: 1 point of level t
//   f32 sponge: 1 point of level t
// Schedule coarsened,threads=32x8x1,vector=4,rows=1,coarsen=z32,sums=gather,shared=none
//   a thread moves 4 cells at once, and keeps what it has loaded for its next ones
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_523e97b51df441de
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace wave_sponge2d {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) sample_trace(
    const float* __restrict__ u, float* __restrict__ trace,
    const int64_t* __restrict__ receivers_places_x, const int64_t* __restrict__ receivers_places_y,
    const float* __restrict__ receivers_places_weight, Index receivers_points, Index pitch) {
  const Index e = static_cast<Index>(blockIdx.x) * 256 + static_cast<Index>(threadIdx.x);
  if (e < receivers_points) {
    float sum = 0.0f;
    bool any = false;
    for (Index corner = 0; corner < 4; ++corner) {
      const Index n = e * 4 + corner;
      if (static_cast<Index>(receivers_places_x[n]) >= 0) {
        const Index x_cell = static_cast<Index>(receivers_places_x[n]);
        const Index y_cell = static_cast<Index>(receivers_places_y[n]);
        const Index i = y_cell * pitch + x_cell;
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
__global__ void __launch_bounds__(256) step(
    float* __restrict__ u_new, const float* __restrict__ u, const float* __restrict__ c, float dt,
    float brake, int32_t width, bool aligned, Index nx, Index ny, Index pitch) {
  const float factor = __fmul_rn(__fmul_rn(0.5f, dt), brake);
  const int64_t factor_2 = static_cast<int64_t>(nx) - int64_t{1};
  const int64_t factor_3 = static_cast<int64_t>(ny) - int64_t{1};
  const float factor_4 = static_cast<float>(width);
  const Index block_x = static_cast<Index>(blockIdx.x) * 256;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 16;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y0 = block_y + static_cast<Index>(threadIdx.y) * 4;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 260 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 17 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y0 < ny)) {
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them,
      // if any do.
      const auto u_new_row = [&](Index row_y) {
        const bool has = !edge || (row_y >= 0 && row_y < ny);
        return has ? row_y * pitch : -1;
      };
      const auto u_new_in = [&](Index row, Index cell_x) {
        return row >= 0 && cell_x >= 0 && cell_x < nx ? u_new[row + cell_x] : 0.0f;
      };
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them,
      // if any do.
      const auto u_row = [&](Index row_y) {
        const bool has = !edge || (row_y >= 0 && row_y < ny);
        return has ? row_y * pitch : -1;
      };
      const auto u_in = [&](Index row, Index cell_x) {
        return row >= 0 && cell_x >= 0 && cell_x < nx ? u[row + cell_x] : 0.0f;
      };
      // Where a row of c begins, and a cell of a row: near the boundary those that stand for them.
      const auto c_row = [&](Index row_y) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto c_in = [&](Index row, Index cell_x) { return c[row + st::clamp(cell_x, nx)]; };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      Index i = y0 * pitch + x;
      float u_ym1[4];
      float u_0[12];
      st::fill_row<4>(edge, u_ym1, u, u_row(y0 - 1), x, whole_0, u_in);
      st::fill_row<4>(edge, &u_0[4], u, u_row(y0), x, whole_0, u_in);
#pragma unroll
      for (Index k = 0; k < 4; ++k) {
        const Index y = y0 + k;
        if (!edge || y < ny) {
          float u_new_0[4];
          st::fill_row<4>(edge, u_new_0, u_new, u_new_row(y), x, whole_0, u_new_in);
          float u_yp1[4];
          st::fill_row<4, -1>(edge, u_0, u, u_row(y), x, whole_0, u_in);
          st::fill_row<4, 1>(edge, &u_0[8], u, u_row(y), x, whole_0, u_in);
          st::fill_row<4>(edge, u_yp1, u, u_row(y + 1), x, whole_0, u_in);
          float c_0[4];
          st::fill_row<4>(edge, c_0, c, c_row(y), x, whole_0, c_in);
          float u_out[4];
          // Divisions and roots without a branch; if a number is rare, all of it is computed anew.
          st::usually([&](auto& rare) {
#pragma unroll
            for (Index v = 0; v < 4; ++v) {
              const float value = __fmul_rn(dt, c_0[v]);
              float sum = u_ym1[v];
              sum = __fadd_rn(sum, u_0[v + 3]);
              sum = __fmaf_rn(-4.0f, u_0[v + 4], sum);
              sum = __fadd_rn(sum, u_0[v + 5]);
              sum = __fadd_rn(sum, u_yp1[v]);
              const int64_t value_2 = static_cast<int64_t>(x + v);
              const int64_t value_3 = static_cast<int64_t>(y);
              const int64_t part = st::min(value_2, factor_2 - value_2);
              const int64_t part_2 = st::min(part, st::min(value_3, factor_3 - value_3));
              const int32_t part_3 = st::max(st::sub(width, static_cast<int32_t>(part_2)), 0);
              const float part_4 = __fmul_rn(factor, static_cast<float>(part_3));
              const float sponge = st::quotient(part_4, factor_4, rare);
              const float part_5 = __fmul_rn(2.0f, u_0[v + 4]);
              const float part_6 = __fmaf_rn(-__fsub_rn(1.0f, sponge), u_new_0[v], part_5);
              const float part_7 = __fmaf_rn(__fmul_rn(value, value), sum, part_6);
              u_out[v] = st::quotient(part_7, __fadd_rn(1.0f, sponge), rare);
            }
          });
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
    // Edge blocks: `constant` for u.
    cells(st::Constant<true>());
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) inject_u(
    float* __restrict__ u_new, const float* __restrict__ c, const float* __restrict__ pressure,
    const int64_t* __restrict__ sources_places_x, const int64_t* __restrict__ sources_places_y,
    const int64_t* __restrict__ sources_places_next,
    const int64_t* __restrict__ sources_places_head, Index sources_places_count, float dt,
    Index pitch) {
  const Index e = static_cast<Index>(blockIdx.x) * 256 + static_cast<Index>(threadIdx.x);
  if (e < sources_places_count) {
    if (sources_places_head[e] != int64_t{0}) {
      const Index x_cell = static_cast<Index>(sources_places_x[e]);
      const Index y_cell = static_cast<Index>(sources_places_y[e]);
      const Index i = y_cell * pitch + x_cell;
      float sum = u_new[i];
      for (Index n = e; n >= 0; n = static_cast<Index>(sources_places_next[n])) {
        const Index p = n;
        const float value = __fmul_rn(dt, c[i]);
        sum = __fadd_rn(sum, __fmul_rn(__fmul_rn(value, value), pressure[p]));
      }
      u_new[i] = sum;
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, const float* c, const stencil::Shape& shape, float dt, float brake, int32_t width,
    const stencil::Places<float, 2>& receivers_places,
    const stencil::Places<float, 2>& sources_places, const stencil::Series<const float>& pressure,
    const stencil::Series<float>& trace, int64_t first, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const Index receivers_points = static_cast<Index>(receivers_places.points());
  const Index sources_places_count = static_cast<Index>(sources_places.count());
  const bool aligned = stencil::aligned<4>(shape, u[0], u[1], c);
  const int64_t blocks_x = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y = stencil::blocks(shape.ny, 16);
  const dim3 threads(64, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  int64_t t = first;
  for (int64_t left = steps; left > 0; --left) {
    sample_trace<Index><<<stencil::blocks_of(receivers_places.points(), 256), 256, 0, stream>>>(
        u[0], trace.at(t), receivers_places.cell(0), receivers_places.cell(1),
        receivers_places.weight(), receivers_points, pitch);
    step<Index>
        <<<blocks, threads, 0, stream>>>(u[1], u[0], c, dt, brake, width, aligned, nx, ny, pitch);
    inject_u<Index><<<stencil::blocks_of(sources_places.count(), 256), 256, 0, stream>>>(
        u[1], c, pressure.at(t), sources_places.cell(0), sources_places.cell(1),
        sources_places.next(), sources_places.head(), sources_places_count, dt, pitch);
    stencil::rotate<2>(u);
    ++t;
  }
  return stencil::launched("wave_sponge2d");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("wave_sponge2d", stream);
  auto u = call.levels<2>("u", args.u, args.u_prev);
  const float* c = call.input("c", args.c);
  if (!call.ok()) return call.status();
  const int code = wave_sponge2d_run(
      u.at, c, call.nx(), call.ny(), call.pitch(), args.dt, args.brake, args.width, args.sources.at,
      args.sources.count, args.receivers.at, args.receivers.count, args.pressure.data,
      args.pressure.steps, args.trace.data, args.trace.steps, steps.first, steps.count, stream);
  return call.finish(code, u);
}

}  // namespace wave_sponge2d

int wave_sponge2d_run(
    float* u[2], const float* c, int64_t nx, int64_t ny, int64_t pitch, float dt, float brake,
    int32_t width, const int32_t* sources, int64_t sources_points, const double* receivers,
    int64_t receivers_points, const float* pressure, int64_t pressure_steps, float* trace,
    int64_t trace_steps, int64_t first, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<3> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  buffers.read("c", c);
  const stencil::Steps count{steps};
  stencil::Status ready = stencil::check("wave_sponge2d", shape, count, buffers);
  if (ready.ok())
    ready = stencil::check_points("wave_sponge2d", "sources", sources, sources_points);
  if (ready.ok())
    ready = stencil::check_points("wave_sponge2d", "receivers", receivers, receivers_points);
  const stencil::Series<const float> pressure_values{pressure, pressure_steps, sources_points};
  if (ready.ok())
    ready = stencil::check_series(
        "wave_sponge2d", "pressure", pressure, sources_points, pressure_steps, first, count.count);
  const stencil::Series<float> trace_values{trace, trace_steps, receivers_points};
  if (ready.ok())
    ready = stencil::check_series(
        "wave_sponge2d", "trace", trace, receivers_points, trace_steps, first, count.count);
  stencil::Places<float, 2> receivers_places;
  if (ready.ok())
    ready = receivers_places.make(
        "`wave_sponge2d`", stencil::LinearPoints{receivers, receivers_points}, shape, false,
        stream);
  stencil::Places<float, 2> sources_places;
  if (ready.ok())
    ready = sources_places.make(
        "`wave_sponge2d`", stencil::Points{sources, sources_points}, shape, true, stream);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? wave_sponge2d::advance<int> : wave_sponge2d::advance<int64_t>;
  const stencil::Status done = advance(
      u, c, shape, dt, brake, width, receivers_places, sources_places, pressure_values,
      trace_values, first, steps, stream);
  return stencil::code_of(done);
}

namespace wave_sponge3d {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) sample_trace(
    const float* __restrict__ u, float* __restrict__ trace,
    const int64_t* __restrict__ receivers_places_x, const int64_t* __restrict__ receivers_places_y,
    const int64_t* __restrict__ receivers_places_z,
    const float* __restrict__ receivers_places_weight, Index receivers_points, Index pitch,
    Index plane) {
  const Index e = static_cast<Index>(blockIdx.x) * 256 + static_cast<Index>(threadIdx.x);
  if (e < receivers_points) {
    float sum = 0.0f;
    bool any = false;
    for (Index corner = 0; corner < 8; ++corner) {
      const Index n = e * 8 + corner;
      if (static_cast<Index>(receivers_places_x[n]) >= 0) {
        const Index x_cell = static_cast<Index>(receivers_places_x[n]);
        const Index y_cell = static_cast<Index>(receivers_places_y[n]);
        const Index z_cell = static_cast<Index>(receivers_places_z[n]);
        const Index i = z_cell * plane + y_cell * pitch + x_cell;
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
__global__ void __launch_bounds__(256) step(
    float* __restrict__ u_new, const float* __restrict__ u, const float* __restrict__ c,
    const float* __restrict__ sponge, float dt, bool aligned, Index nx, Index ny, Index nz,
    Index pitch, Index plane) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y) * 8;
  const Index block_z = static_cast<Index>(blockIdx.z) * 32;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks need no checks; at the ends of rows what lies beside a cell does (edge_x).
  const bool interior_x = block_x >= 4 && block_x + 132 <= nx;
  const bool interior_y = block_y >= 4 && block_y + 12 <= ny;
  const bool interior_z = block_z >= 4 && block_z + 36 <= nz;
  const auto cells = [&](auto edge, auto edge_x) {
    if (!edge || (x < nx && y < ny && block_z < nz)) {
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them,
      // if any do.
      const auto u_new_row = [&](Index row_y, Index row_z) {
        const bool has = !edge || (row_y >= 0 && row_y < ny && row_z >= 0 && row_z < nz);
        return has ? row_z * plane + row_y * pitch : -1;
      };
      const auto u_new_in = [&](Index row, Index cell_x) {
        return row >= 0 && cell_x >= 0 && cell_x < nx ? u_new[row + cell_x] : 0.0f;
      };
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them,
      // if any do.
      const auto u_row = [&](Index row_y, Index row_z) {
        const bool has = !edge || (row_y >= 0 && row_y < ny && row_z >= 0 && row_z < nz);
        return has ? row_z * plane + row_y * pitch : -1;
      };
      const auto u_in = [&](Index row, Index cell_x) {
        return row >= 0 && cell_x >= 0 && cell_x < nx ? u[row + cell_x] : 0.0f;
      };
      // Where a row of c begins, and a cell of a row: near the boundary those that stand for them.
      const auto c_row = [&](Index row_y, Index row_z) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        const Index at_z = edge ? st::clamp(row_z, nz) : row_z;
        return at_z * plane + at_y * pitch;
      };
      const auto c_in = [&](Index row, Index cell_x) { return c[row + st::clamp(cell_x, nx)]; };
      // Where a row of sponge begins, and a cell of a row: near the boundary those that stand for
      // them.
      const auto sponge_row = [&](Index row_y, Index row_z) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        const Index at_z = edge ? st::clamp(row_z, nz) : row_z;
        return at_z * plane + at_y * pitch;
      };
      const auto sponge_in = [&](Index row, Index cell_x) {
        return sponge[row + st::clamp(cell_x, nx)];
      };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      Index i = block_z * plane + y * pitch + x;
      float u_zm4[4];
      float u_zm3[4];
      float u_zm2[4];
      float u_zm1[4];
      float u_0[12];
      float u_zp1[4];
      float u_zp2[4];
      float u_zp3[4];
      st::fill_row<4>(edge, u_zm4, u, u_row(y, block_z - 4), x, whole_0, u_in);
      st::fill_row<4>(edge, u_zm3, u, u_row(y, block_z - 3), x, whole_0, u_in);
      st::fill_row<4>(edge, u_zm2, u, u_row(y, block_z - 2), x, whole_0, u_in);
      st::fill_row<4>(edge, u_zm1, u, u_row(y, block_z - 1), x, whole_0, u_in);
      st::fill_row<4>(edge, &u_0[4], u, u_row(y, block_z), x, whole_0, u_in);
      st::fill_row<4>(edge, u_zp1, u, u_row(y, block_z + 1), x, whole_0, u_in);
      st::fill_row<4>(edge, u_zp2, u, u_row(y, block_z + 2), x, whole_0, u_in);
      st::fill_row<4>(edge, u_zp3, u, u_row(y, block_z + 3), x, whole_0, u_in);
      for (Index k = 0; k < 32; ++k) {
        const Index z = block_z + k;
        if (!edge || z < nz) {
          float u_new_0[4];
          st::fill_row<4>(edge, u_new_0, u_new, u_new_row(y, z), x, whole_0, u_new_in);
          float u_ym4[4];
          st::fill_row<4>(edge, u_ym4, u, u_row(y - 4, z), x, whole_0, u_in);
          float u_ym3[4];
          st::fill_row<4>(edge, u_ym3, u, u_row(y - 3, z), x, whole_0, u_in);
          float u_ym2[4];
          st::fill_row<4>(edge, u_ym2, u, u_row(y - 2, z), x, whole_0, u_in);
          float u_ym1[4];
          st::fill_row<4>(edge, u_ym1, u, u_row(y - 1, z), x, whole_0, u_in);
          float u_zp4[4];
          st::fill_row<4, -1>(edge_x, u_0, u, u_row(y, z), x, whole_0, u_in);
          st::fill_row<4, 1>(edge_x, &u_0[8], u, u_row(y, z), x, whole_0, u_in);
          st::fill_row<4>(edge, u_zp4, u, u_row(y, z + 4), x, whole_0, u_in);
          float u_yp1[4];
          st::fill_row<4>(edge, u_yp1, u, u_row(y + 1, z), x, whole_0, u_in);
          float u_yp2[4];
          st::fill_row<4>(edge, u_yp2, u, u_row(y + 2, z), x, whole_0, u_in);
          float u_yp3[4];
          st::fill_row<4>(edge, u_yp3, u, u_row(y + 3, z), x, whole_0, u_in);
          float u_yp4[4];
          st::fill_row<4>(edge, u_yp4, u, u_row(y + 4, z), x, whole_0, u_in);
          float c_0[4];
          st::fill_row<4>(edge, c_0, c, c_row(y, z), x, whole_0, c_in);
          float sponge_0[4];
          st::fill_row<4>(edge, sponge_0, sponge, sponge_row(y, z), x, whole_0, sponge_in);
          float u_out[4];
          // Divisions and roots without a branch; if a number is rare, all of it is computed anew.
          st::usually([&](auto& rare) {
#pragma unroll
            for (Index v = 0; v < 4; ++v) {
              const float value = __fmul_rn(dt, c_0[v]);
              float sum = __fmul_rn(-0.0017857143f, u_zm4[v]);
              sum = __fmaf_rn(0.025396826f, u_zm3[v], sum);
              sum = __fmaf_rn(-0.2f, u_zm2[v], sum);
              sum = __fmaf_rn(1.6f, u_zm1[v], sum);
              sum = __fmaf_rn(-0.0017857143f, u_0[v], sum);
              sum = __fmaf_rn(0.025396826f, u_0[v + 1], sum);
              sum = __fmaf_rn(-0.2f, u_0[v + 2], sum);
              sum = __fmaf_rn(1.6f, u_0[v + 3], sum);
              sum = __fmaf_rn(-8.541667f, u_0[v + 4], sum);
              sum = __fmaf_rn(1.6f, u_0[v + 5], sum);
              sum = __fmaf_rn(-0.2f, u_0[v + 6], sum);
              sum = __fmaf_rn(0.025396826f, u_0[v + 7], sum);
              sum = __fmaf_rn(-0.0017857143f, u_0[v + 8], sum);
              sum = __fmaf_rn(-0.0017857143f, u_ym4[v], sum);
              sum = __fmaf_rn(0.025396826f, u_ym3[v], sum);
              sum = __fmaf_rn(-0.2f, u_ym2[v], sum);
              sum = __fmaf_rn(1.6f, u_ym1[v], sum);
              sum = __fmaf_rn(1.6f, u_yp1[v], sum);
              sum = __fmaf_rn(-0.2f, u_yp2[v], sum);
              sum = __fmaf_rn(0.025396826f, u_yp3[v], sum);
              sum = __fmaf_rn(-0.0017857143f, u_yp4[v], sum);
              sum = __fmaf_rn(1.6f, u_zp1[v], sum);
              sum = __fmaf_rn(-0.2f, u_zp2[v], sum);
              sum = __fmaf_rn(0.025396826f, u_zp3[v], sum);
              sum = __fmaf_rn(-0.0017857143f, u_zp4[v], sum);
              const float part = __fmul_rn(2.0f, u_0[v + 4]);
              const float part_2 = __fmaf_rn(-__fsub_rn(1.0f, sponge_0[v]), u_new_0[v], part);
              const float part_3 = __fmaf_rn(__fmul_rn(value, value), sum, part_2);
              u_out[v] = st::quotient(part_3, __fadd_rn(1.0f, sponge_0[v]), rare);
            }
          });
          st::store_row<4>(&u_new[i], u_out, whole_0, nx - x);
          st::shift<4>(u_zm4, u_zm3);
          st::shift<4>(u_zm3, u_zm2);
          st::shift<4>(u_zm2, u_zm1);
          st::shift<4>(u_zm1, &u_0[4]);
          st::shift<4>(&u_0[4], u_zp1);
          st::shift<4>(u_zp1, u_zp2);
          st::shift<4>(u_zp2, u_zp3);
          st::shift<4>(u_zp3, u_zp4);
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
    // Edge blocks: `constant` for u.
    cells(st::Constant<true>(), st::Constant<true>());
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) inject_u(
    float* __restrict__ u_new, const float* __restrict__ c, const float* __restrict__ pressure,
    const int64_t* __restrict__ sources_places_x, const int64_t* __restrict__ sources_places_y,
    const int64_t* __restrict__ sources_places_z, const int64_t* __restrict__ sources_places_next,
    const int64_t* __restrict__ sources_places_head, Index sources_places_count, float dt,
    Index pitch, Index plane) {
  const Index e = static_cast<Index>(blockIdx.x) * 256 + static_cast<Index>(threadIdx.x);
  if (e < sources_places_count) {
    if (sources_places_head[e] != int64_t{0}) {
      const Index x_cell = static_cast<Index>(sources_places_x[e]);
      const Index y_cell = static_cast<Index>(sources_places_y[e]);
      const Index z_cell = static_cast<Index>(sources_places_z[e]);
      const Index i = z_cell * plane + y_cell * pitch + x_cell;
      float sum = u_new[i];
      for (Index n = e; n >= 0; n = static_cast<Index>(sources_places_next[n])) {
        const Index p = n;
        const float value = __fmul_rn(dt, c[i]);
        sum = __fadd_rn(sum, __fmul_rn(__fmul_rn(value, value), pressure[p]));
      }
      u_new[i] = sum;
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, const float* c, const float* sponge, const stencil::Shape& shape, float dt,
    const stencil::Places<float, 3>& receivers_places,
    const stencil::Places<float, 3>& sources_places, const stencil::Series<const float>& pressure,
    const stencil::Series<float>& trace, int64_t first, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index nz = static_cast<Index>(shape.nz);
  const Index pitch = static_cast<Index>(shape.pitch);
  const Index plane = static_cast<Index>(shape.plane);
  const Index receivers_points = static_cast<Index>(receivers_places.points());
  const Index sources_places_count = static_cast<Index>(sources_places.count());
  const bool aligned = stencil::aligned<4>(shape, u[0], u[1], c, sponge);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const int64_t blocks_z = stencil::blocks(shape.nz, 32);
  const dim3 threads(32, 8, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y, blocks_z);
  int64_t t = first;
  for (int64_t left = steps; left > 0; --left) {
    sample_trace<Index><<<stencil::blocks_of(receivers_places.points(), 256), 256, 0, stream>>>(
        u[0], trace.at(t), receivers_places.cell(0), receivers_places.cell(1),
        receivers_places.cell(2), receivers_places.weight(), receivers_points, pitch, plane);
    step<Index><<<blocks, threads, 0, stream>>>(
        u[1], u[0], c, sponge, dt, aligned, nx, ny, nz, pitch, plane);
    inject_u<Index><<<stencil::blocks_of(sources_places.count(), 256), 256, 0, stream>>>(
        u[1], c, pressure.at(t), sources_places.cell(0), sources_places.cell(1),
        sources_places.cell(2), sources_places.next(), sources_places.head(), sources_places_count,
        dt, pitch, plane);
    stencil::rotate<2>(u);
    ++t;
  }
  return stencil::launched("wave_sponge3d");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<3> call("wave_sponge3d", stream);
  auto u = call.levels<2>("u", args.u, args.u_prev);
  const float* c = call.input("c", args.c);
  const float* sponge = call.input("sponge", args.sponge);
  if (!call.ok()) return call.status();
  const int code = wave_sponge3d_run(
      u.at, c, sponge, call.nx(), call.ny(), call.nz(), call.pitch(), call.plane(), args.dt,
      args.sources.at, args.sources.count, args.receivers.at, args.receivers.count,
      args.pressure.data, args.pressure.steps, args.trace.data, args.trace.steps, steps.first,
      steps.count, stream);
  return call.finish(code, u);
}

}  // namespace wave_sponge3d

int wave_sponge3d_run(
    float* u[2], const float* c, const float* sponge, int64_t nx, int64_t ny, int64_t nz,
    int64_t pitch, int64_t plane, float dt, const int32_t* sources, int64_t sources_points,
    const double* receivers, int64_t receivers_points, const float* pressure,
    int64_t pressure_steps, float* trace, int64_t trace_steps, int64_t first, int64_t steps,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny, nz}, pitch, plane);
  stencil::Buffers<4> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  buffers.read("c", c);
  buffers.read("sponge", sponge);
  const stencil::Steps count{steps};
  stencil::Status ready = stencil::check("wave_sponge3d", shape, count, buffers);
  if (ready.ok())
    ready = stencil::check_points("wave_sponge3d", "sources", sources, sources_points);
  if (ready.ok())
    ready = stencil::check_points("wave_sponge3d", "receivers", receivers, receivers_points);
  const stencil::Series<const float> pressure_values{pressure, pressure_steps, sources_points};
  if (ready.ok())
    ready = stencil::check_series(
        "wave_sponge3d", "pressure", pressure, sources_points, pressure_steps, first, count.count);
  const stencil::Series<float> trace_values{trace, trace_steps, receivers_points};
  if (ready.ok())
    ready = stencil::check_series(
        "wave_sponge3d", "trace", trace, receivers_points, trace_steps, first, count.count);
  stencil::Places<float, 3> receivers_places;
  if (ready.ok())
    ready = receivers_places.make(
        "`wave_sponge3d`", stencil::LinearPoints{receivers, receivers_points}, shape, false,
        stream);
  stencil::Places<float, 3> sources_places;
  if (ready.ok())
    ready = sources_places.make(
        "`wave_sponge3d`", stencil::Points{sources, sources_points}, shape, true, stream);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(plane * nz);
  const auto advance = narrow ? wave_sponge3d::advance<int> : wave_sponge3d::advance<int64_t>;
  const stencil::Status done = advance(
      u, c, sponge, shape, dt, receivers_places, sources_places, pressure_values, trace_values,
      first, steps, stream);
  return stencil::code_of(done);
}
