// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --schedule=coarsened,stages=split
//
// Stencil fdtd2d, 2-D
//   f64 ex: 2 points of level t+1, 1 point of level t, radius 1, boundary none; 1 buffer
//   f64 ey: 2 points of level t+1, 1 point of level t, radius 1, boundary none; 1 buffer
//   f64 hz: 3 points of level t, radius 1, boundary none; 1 buffer
// Schedule coarsened,threads=128x1,coarsen=y8,stages=split
//   asked for by --schedule
//   `hz` in a launch of its own: it reads `ex[t+1]`, `ey[t+1]` beside the cell
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace fdtd2d {
namespace {

template <typename Index>
__global__ void __launch_bounds__(128) update_ey_ex(
    double* __restrict__ ex, double* __restrict__ ey, const double* __restrict__ hz, double cx,
    double cy, int64_t t, Index nx, Index ny, Index pitch) {
  const double factor = static_cast<double>(t);
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 1 && block_x + 128 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 8 <= ny;
  if (interior_x && interior_y) {
    Index i = block_y * pitch + x;
    double hz_ym1 = hz[i - pitch];
#pragma unroll
    for (Index k = 0; k < 8; ++k) {
      const double hz_0 = hz[i];
      double sum = __dmul_rn(cy, hz[i - 1]);
      sum = __dadd_rn(sum, ey[i]);
      sum = __fma_rn(-cy, hz_0, sum);
      double sum_2 = __dmul_rn(cx, hz_ym1);
      sum_2 = __dadd_rn(sum_2, ex[i]);
      sum_2 = __fma_rn(-cx, hz_0, sum_2);
      ey[i] = sum;
      ex[i] = sum_2;
      hz_ym1 = hz_0;
      i += pitch;
    }
  } else {
    // Edge blocks: `none` for ex, `none` for ey, `none` for hz.
    for (Index k = 0; k < 8; ++k) {
      const Index y = block_y + k;
      if (x < nx && y < ny) {
        const Index i = y * pitch + x;
        double ey_next = ey[i];
        if (x < 1) {
          ey_next = factor;
        }
        if (x >= 1) {
          const double hz_0 = hz[i];
          double sum = __dmul_rn(cy, hz[i - 1]);
          sum = __dadd_rn(sum, ey[i]);
          sum = __fma_rn(-cy, hz_0, sum);
          ey_next = sum;
        }
        double ex_next = ex[i];
        if (y >= 1) {
          const double hz_0 = hz[i];
          double sum = __dmul_rn(cx, hz[i - pitch]);
          sum = __dadd_rn(sum, ex[i]);
          sum = __fma_rn(-cx, hz_0, sum);
          ex_next = sum;
        }
        ey[i] = ey_next;
        ex[i] = ex_next;
      }
    }
  }
}

template <typename Index>
__global__ void __launch_bounds__(128) update_hz(
    double* __restrict__ hz, const double* __restrict__ ex, const double* __restrict__ ey,
    double ch, Index nx, Index ny, Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x + 129 <= nx;
  const bool interior_y = block_y + 9 <= ny;
  if (interior_x && interior_y) {
    Index i = block_y * pitch + x;
    double ex_0 = ex[i];
#pragma unroll
    for (Index k = 0; k < 8; ++k) {
      const double ex_yp1 = ex[i + pitch];
      const double value = -ch;
      double sum = hz[i];
      sum = __fma_rn(ch, ex_0, sum);
      sum = __fma_rn(ch, ey[i], sum);
      sum = __fma_rn(value, ey[i + 1], sum);
      sum = __fma_rn(value, ex_yp1, sum);
      hz[i] = sum;
      ex_0 = ex_yp1;
      i += pitch;
    }
  } else {
    // Edge blocks: `none` for ex, `none` for ey, `none` for hz.
    for (Index k = 0; k < 8; ++k) {
      const Index y = block_y + k;
      if (x < nx && y < ny) {
        const Index i = y * pitch + x;
        double hz_next = hz[i];
        if (x + 1 < nx && y + 1 < ny) {
          const double value = -ch;
          double sum = hz[i];
          sum = __fma_rn(ch, ex[i], sum);
          sum = __fma_rn(ch, ey[i], sum);
          sum = __fma_rn(value, ey[i + 1], sum);
          sum = __fma_rn(value, ex[i + pitch], sum);
          hz_next = sum;
        }
        hz[i] = hz_next;
      }
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
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const dim3 threads(128, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  int64_t t = first;
  for (int64_t left = steps; left > 0; --left) {
    update_ey_ex<Index><<<blocks, threads, 0, stream>>>(ex, ey, hz, cx, cy, t, nx, ny, pitch);
    update_hz<Index><<<blocks, threads, 0, stream>>>(hz, ex, ey, ch, nx, ny, pitch);
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
