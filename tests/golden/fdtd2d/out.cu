// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil fdtd2d, 2-D
//   f64 ex: 2 points of level t+1, 1 point of level t, radius 1, boundary none; 2 buffers
//   f64 ey: 2 points of level t+1, 1 point of level t, radius 1, boundary none; 2 buffers
//   f64 hz: 3 points of level t, radius 1, boundary none; 2 buffers
// Schedule coarsened,threads=64x4,vector=2,coarsen=y1
//   a thread moves 2 cells at once, and keeps what it has loaded for its next ones
//   `hz` in the same launch: `ex[t+1]`, `ey[t+1]` beside the cell are 2 values recomputed, from 9
//   points in all
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace fdtd2d {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    double* __restrict__ ex_new, double* __restrict__ ey_new, double* __restrict__ hz_new,
    const double* __restrict__ ex, const double* __restrict__ ey, const double* __restrict__ hz,
    double cx, double cy, double ch, int64_t t, bool aligned, Index nx, Index ny, Index pitch) {
  const double factor = static_cast<double>(t);
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 4;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 2;
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 2 && block_x + 130 <= nx;
  const bool interior_y = block_y >= 2 && block_y + 5 <= ny;
  if (interior_x && interior_y && aligned) {
    const Index i = y * pitch + x;
    double ex_0[2];
    st::load<2>(ex_0, &ex[i]);
    double ex_yp1[2];
    st::load<2>(ex_yp1, &ex[i + pitch]);
    double ey_0[4];
    st::load<2, 2>(ey_0, &ey[i]);
    double hz_ym1[2];
    st::load<2>(hz_ym1, &hz[i - pitch]);
    double hz_0[6];
    st::load<2, 3>(hz_0, &hz[i - 2]);
    double hz_yp1[2];
    st::load<2>(hz_yp1, &hz[i + pitch]);
    double ey_out[2];
    double ex_out[2];
    double hz_out[2];
#pragma unroll
    for (Index v = 0; v < 2; ++v) {
      const double value = -cy;
      double ey_next = __dmul_rn(cy, hz_0[v + 1]);
      ey_next = __dadd_rn(ey_next, ey_0[v]);
      ey_next = __fma_rn(value, hz_0[v + 2], ey_next);
      const double value_2 = -cx;
      double ex_next = __dmul_rn(cx, hz_ym1[v]);
      ex_next = __dadd_rn(ex_next, ex_0[v]);
      ex_next = __fma_rn(value_2, hz_0[v + 2], ex_next);
      const double value_3 = -ch;
      double ey_next_xp1 = __dmul_rn(cy, hz_0[v + 2]);
      ey_next_xp1 = __dadd_rn(ey_next_xp1, ey_0[v + 1]);
      ey_next_xp1 = __fma_rn(value, hz_0[v + 3], ey_next_xp1);
      double ex_next_yp1 = __dmul_rn(cx, hz_0[v + 2]);
      ex_next_yp1 = __dadd_rn(ex_next_yp1, ex_yp1[v]);
      ex_next_yp1 = __fma_rn(value_2, hz_yp1[v], ex_next_yp1);
      double sum = hz_0[v + 2];
      sum = __fma_rn(ch, ex_next, sum);
      sum = __fma_rn(ch, ey_next, sum);
      sum = __fma_rn(value_3, ey_next_xp1, sum);
      sum = __fma_rn(value_3, ex_next_yp1, sum);
      ey_out[v] = ey_next;
      ex_out[v] = ex_next;
      hz_out[v] = sum;
    }
    st::store<2>(&ey_new[i], ey_out);
    st::store<2>(&ex_new[i], ex_out);
    st::store<2>(&hz_new[i], hz_out);
  } else {
    // Edge blocks: `none` for ex, `none` for ey, `none` for hz.
    if (x < nx && y < ny) {
      const bool whole_0 = aligned && x + 2 <= nx;
      const Index i = y * pitch + x;
      double ey_out[2];
      double ex_out[2];
      double hz_out[2];
#pragma unroll
      for (Index v = 0; v < 2; ++v) {
        if (x + v < nx) {
          double ey_next = ey[i + v];
          if (x + v < 1) {
            ey_next = factor;
          }
          if (x + v >= 1) {
            const double value = -cy;
            const double hz_0 = hz[i + v];
            double sum = __dmul_rn(cy, hz[i + v - 1]);
            sum = __dadd_rn(sum, ey[i + v]);
            sum = __fma_rn(value, hz_0, sum);
            ey_next = sum;
          }
          double ex_next = ex[i + v];
          if (y >= 1) {
            const double value = -cx;
            const double hz_0 = hz[i + v];
            double sum = __dmul_rn(cx, hz[i + v - pitch]);
            sum = __dadd_rn(sum, ex[i + v]);
            sum = __fma_rn(value, hz_0, sum);
            ex_next = sum;
          }
          double hz_next = hz[i + v];
          if (x + v + 1 < nx && y + 1 < ny) {
            const double hz_0 = hz[i + v];
            const double value = -ch;
            const Index x_there = x + v + 1;
            double ey_next_2 = ey[y * pitch + x_there];
            if (x_there < 1) {
              ey_next_2 = factor;
            }
            if (x_there >= 1) {
              const double value_2 = -cy;
              const double hz_0_2 = hz[y * pitch + x_there];
              double sum = __dmul_rn(cy, hz[y * pitch + x_there - 1]);
              sum = __dadd_rn(sum, ey[y * pitch + x_there]);
              sum = __fma_rn(value_2, hz_0_2, sum);
              ey_next_2 = sum;
            }
            const Index x_there_2 = x + v;
            const Index y_there = y + 1;
            double ex_next_2 = ex[y_there * pitch + x_there_2];
            if (y_there >= 1) {
              const double value_2 = -cx;
              const double hz_0_2 = hz[y_there * pitch + x_there_2];
              double sum = __dmul_rn(cx, hz[y_there * pitch + x_there_2 - pitch]);
              sum = __dadd_rn(sum, ex[y_there * pitch + x_there_2]);
              sum = __fma_rn(value_2, hz_0_2, sum);
              ex_next_2 = sum;
            }
            double sum = hz_0;
            sum = __fma_rn(ch, ex_next, sum);
            sum = __fma_rn(ch, ey_next, sum);
            sum = __fma_rn(value, ey_next_2, sum);
            sum = __fma_rn(value, ex_next_2, sum);
            hz_next = sum;
          }
          ey_out[v] = ey_next;
          ex_out[v] = ex_next;
          hz_out[v] = hz_next;
        }
      }
      st::store_row<2>(&ey_new[i], ey_out, whole_0, nx - x);
      st::store_row<2>(&ex_new[i], ex_out, whole_0, nx - x);
      st::store_row<2>(&hz_new[i], hz_out, whole_0, nx - x);
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    double** ex, double** ey, double** hz, const stencil::Shape& shape, double cx, double cy,
    double ch, int64_t first, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<2>(shape, ex[0], ex[1], ey[0], ey[1], hz[0], hz[1]);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 4);
  const dim3 threads(64, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  int64_t t = first;
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(
        ex[1], ey[1], hz[1], ex[0], ey[0], hz[0], cx, cy, ch, t, aligned, nx, ny, pitch);
    stencil::rotate<2>(ex);
    stencil::rotate<2>(ey);
    stencil::rotate<2>(hz);
    ++t;
  }
  return stencil::launched("fdtd2d");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("fdtd2d", stream);
  auto ex = call.levels<2>("ex", args.ex);
  auto ey = call.levels<2>("ey", args.ey);
  auto hz = call.levels<2>("hz", args.hz);
  if (!call.ok()) return call.status();
  const int code = fdtd2d_run(
      ex.at, ey.at, hz.at, call.nx(), call.ny(), call.pitch(), args.cx, args.cy, args.ch,
      steps.first, steps.count, stream);
  return call.finish(code, ex, ey, hz);
}

}  // namespace fdtd2d

int fdtd2d_run(
    double* ex[2], double* ey[2], double* hz[2], int64_t nx, int64_t ny, int64_t pitch, double cx,
    double cy, double ch, int64_t first, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<6> buffers;
  buffers.written("ex[0]", ex[0]);
  buffers.written("ex[1]", ex[1]);
  buffers.written("ey[0]", ey[0]);
  buffers.written("ey[1]", ey[1]);
  buffers.written("hz[0]", hz[0]);
  buffers.written("hz[1]", hz[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("fdtd2d", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? fdtd2d::advance<int> : fdtd2d::advance<int64_t>;
  const stencil::Status done = advance(ex, ey, hz, shape, cx, cy, ch, first, steps, stream);
  return stencil::code_of(done);
}
