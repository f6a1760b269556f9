// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --schedule=coarsened,stages=split
//
// Stencil fdtd2d, 2-D
//   f64 ex: 2 points of level t+1, 1 point of level t, radius 1, boundary none; 1 buffer
//   f64 ey: 2 points of level t+1, 1 point of level t, radius 1, boundary none; 1 buffer
//   f64 hz: 3 points of level t, radius 1, boundary none; 1 buffer
// Schedule coarsened,threads=64x4,vector=2,coarsen=y1,stages=split
//   asked for by --schedule
//   `hz` in a launch of its own: it reads `ex[t+1]`, `ey[t+1]` beside the cell
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_1b3ba85db7670362
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace fdtd2d {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) update_ey_ex(
    double* __restrict__ ex, double* __restrict__ ey, const double* __restrict__ hz, double cx,
    double cy, int64_t t, bool aligned, Index nx, Index ny, Index pitch) {
  const double factor = static_cast<double>(t);
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 4;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 2;
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 2 && block_x + 128 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 4 <= ny;
  if (interior_x && interior_y && aligned) {
    const Index i = y * pitch + x;
    double ex_0[2];
    st::load<2>(ex_0, &ex[i]);
    double ey_0[2];
    st::load<2>(ey_0, &ey[i]);
    double hz_ym1[2];
    st::load<2>(hz_ym1, &hz[i - pitch]);
    double hz_0[4];
    st::load<2, 2>(hz_0, &hz[i - 2]);
    double ey_out[2];
    double ex_out[2];
#pragma unroll
    for (Index v = 0; v < 2; ++v) {
      double sum = __dmul_rn(cy, hz_0[v + 1]);
      sum = __dadd_rn(sum, ey_0[v]);
      sum = __fma_rn(-cy, hz_0[v + 2], sum);
      double sum_2 = __dmul_rn(cx, hz_ym1[v]);
      sum_2 = __dadd_rn(sum_2, ex_0[v]);
      sum_2 = __fma_rn(-cx, hz_0[v + 2], sum_2);
      ey_out[v] = sum;
      ex_out[v] = sum_2;
    }
    st::store<2>(&ey[i], ey_out);
    st::store<2>(&ex[i], ex_out);
  } else {
    // Edge blocks: `none` for ex, `none` for ey, `none` for hz.
    if (x < nx && y < ny) {
      // Where a row of ex begins, and a cell of a row: near the boundary those that stand for them.
      const auto ex_row = [&](Index row_y) {
        const Index at_y = st::clamp(row_y, ny);
        return at_y * pitch;
      };
      const auto ex_in = [&](Index row, Index cell_x) { return ex[row + st::clamp(cell_x, nx)]; };
      // Where a row of ey begins, and a cell of a row: near the boundary those that stand for them.
      const auto ey_row = [&](Index row_y) {
        const Index at_y = st::clamp(row_y, ny);
        return at_y * pitch;
      };
      const auto ey_in = [&](Index row, Index cell_x) { return ey[row + st::clamp(cell_x, nx)]; };
      // Where a row of hz begins, and a cell of a row: near the boundary those that stand for them.
      const auto hz_row = [&](Index row_y) {
        const Index at_y = st::clamp(row_y, ny);
        return at_y * pitch;
      };
      const auto hz_in = [&](Index row, Index cell_x) { return hz[row + st::clamp(cell_x, nx)]; };
      const bool whole_0 = aligned && x + 2 <= nx;
      const Index i = y * pitch + x;
      double ex_0[2];
      st::fill_row<2>(ex_0, ex, ex_row(y), x, whole_0, ex_in);
      double ey_0[2];
      st::fill_row<2>(ey_0, ey, ey_row(y), x, whole_0, ey_in);
      double hz_ym1[2];
      st::fill_row<2>(hz_ym1, hz, hz_row(y - 1), x, whole_0, hz_in);
      double hz_0[4];
      st::fill_row<2, -1, 2>(hz_0, hz, hz_row(y), x, whole_0, hz_in);
      double ey_out[2];
      double ex_out[2];
#pragma unroll
      for (Index v = 0; v < 2; ++v) {
        double ey_next = ey_0[v];
        if (x + v < 1) {
          ey_next = factor;
        }
        if (x + v >= 1) {
          double sum = __dmul_rn(cy, hz_0[v + 1]);
          sum = __dadd_rn(sum, ey_0[v]);
          sum = __fma_rn(-cy, hz_0[v + 2], sum);
          ey_next = sum;
        }
        double ex_next = ex_0[v];
        if (y >= 1) {
          double sum = __dmul_rn(cx, hz_ym1[v]);
          sum = __dadd_rn(sum, ex_0[v]);
          sum = __fma_rn(-cx, hz_0[v + 2], sum);
          ex_next = sum;
        }
        ey_out[v] = ey_next;
        ex_out[v] = ex_next;
      }
      st::store_row<2>(&ey[i], ey_out, whole_0, nx - x);
      st::store_row<2>(&ex[i], ex_out, whole_0, nx - x);
    }
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) update_hz(
    double* __restrict__ hz, const double* __restrict__ ex, const double* __restrict__ ey,
    double ch, bool aligned, Index nx, Index ny, Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 4;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 2;
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x + 130 <= nx;
  const bool interior_y = block_y + 5 <= ny;
  if (interior_x && interior_y && aligned) {
    const Index i = y * pitch + x;
    double ex_0[2];
    st::load<2>(ex_0, &ex[i]);
    double ex_yp1[2];
    st::load<2>(ex_yp1, &ex[i + pitch]);
    double ey_0[4];
    st::load<2, 2>(ey_0, &ey[i]);
    double hz_0[2];
    st::load<2>(hz_0, &hz[i]);
    double hz_out[2];
#pragma unroll
    for (Index v = 0; v < 2; ++v) {
      const double value = -ch;
      double sum = hz_0[v];
      sum = __fma_rn(ch, ex_0[v], sum);
      sum = __fma_rn(ch, ey_0[v], sum);
      sum = __fma_rn(value, ey_0[v + 1], sum);
      sum = __fma_rn(value, ex_yp1[v], sum);
      hz_out[v] = sum;
    }
    st::store<2>(&hz[i], hz_out);
  } else {
    // Edge blocks: `none` for ex, `none` for ey, `none` for hz.
    if (x < nx && y < ny) {
      // Where a row of ex begins, and a cell of a row: near the boundary those that stand for them.
      const auto ex_row = [&](Index row_y) {
        const Index at_y = st::clamp(row_y, ny);
        return at_y * pitch;
      };
      const auto ex_in = [&](Index row, Index cell_x) { return ex[row + st::clamp(cell_x, nx)]; };
      // Where a row of ey begins, and a cell of a row: near the boundary those that stand for them.
      const auto ey_row = [&](Index row_y) {
        const Index at_y = st::clamp(row_y, ny);
        return at_y * pitch;
      };
      const auto ey_in = [&](Index row, Index cell_x) { return ey[row + st::clamp(cell_x, nx)]; };
      // Where a row of hz begins, and a cell of a row: near the boundary those that stand for them.
      const auto hz_row = [&](Index row_y) {
        const Index at_y = st::clamp(row_y, ny);
        return at_y * pitch;
      };
      const auto hz_in = [&](Index row, Index cell_x) { return hz[row + st::clamp(cell_x, nx)]; };
      const bool whole_0 = aligned && x + 2 <= nx;
      const Index i = y * pitch + x;
      double ex_0[2];
      st::fill_row<2>(ex_0, ex, ex_row(y), x, whole_0, ex_in);
      double ex_yp1[2];
      st::fill_row<2>(ex_yp1, ex, ex_row(y + 1), x, whole_0, ex_in);
      double ey_0[4];
      st::fill_row<2, 0, 2>(ey_0, ey, ey_row(y), x, whole_0, ey_in);
      double hz_0[2];
      st::fill_row<2>(hz_0, hz, hz_row(y), x, whole_0, hz_in);
      double hz_out[2];
#pragma unroll
      for (Index v = 0; v < 2; ++v) {
        double hz_next = hz_0[v];
        if (x + v + 1 < nx && y + 1 < ny) {
          const double value = -ch;
          double sum = hz_0[v];
          sum = __fma_rn(ch, ex_0[v], sum);
          sum = __fma_rn(ch, ey_0[v], sum);
          sum = __fma_rn(value, ey_0[v + 1], sum);
          sum = __fma_rn(value, ex_yp1[v], sum);
          hz_next = sum;
        }
        hz_out[v] = hz_next;
      }
      st::store_row<2>(&hz[i], hz_out, whole_0, nx - x);
    }
  }
}

// The time loop.
template <typename Index>
stencil::Status advance(
    double* ex, double* ey, double* hz, const stencil::Shape& shape, double cx, double cy,
    double ch, int64_t first, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<2>(shape, ex, ey, hz);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 4);
  const dim3 threads(64, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  int64_t t = first;
  for (int64_t left = steps; left > 0; --left) {
    update_ey_ex<Index>
        <<<blocks, threads, 0, stream>>>(ex, ey, hz, cx, cy, t, aligned, nx, ny, pitch);
    update_hz<Index><<<blocks, threads, 0, stream>>>(hz, ex, ey, ch, aligned, nx, ny, pitch);
    ++t;
  }
  return stencil::launched("fdtd2d");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("fdtd2d", stream);
  double* ex = call.output("ex", args.ex);
  double* ey = call.output("ey", args.ey);
  double* hz = call.output("hz", args.hz);
  if (!call.ok()) return call.status();
  const int code = fdtd2d_run(
      ex, ey, hz, call.nx(), call.ny(), call.pitch(), args.cx, args.cy, args.ch, steps.first,
      steps.count, stream);
  return call.finish(code);
}

}  // namespace fdtd2d

int fdtd2d_run(
    double* ex, double* ey, double* hz, int64_t nx, int64_t ny, int64_t pitch, double cx, double cy,
    double ch, int64_t first, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<3> buffers;
  buffers.written("ex", ex);
  buffers.written("ey", ey);
  buffers.written("hz", hz);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("fdtd2d", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? fdtd2d::advance<int> : fdtd2d::advance<int64_t>;
  const stencil::Status done = advance(ex, ey, hz, shape, cx, cy, ch, first, steps, stream);
  return stencil::code_of(done);
}
