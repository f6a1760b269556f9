// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil advection, 1-D
//   f64 q: 3 points of level t, radius 2, boundary periodic; 2 buffers
// Schedule coarsened,threads=256,coarsen=x4
//   four independent cells a thread hide the latency of the loads
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace advection {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256)
    step(double* __restrict__ q_new, const double* __restrict__ q, double c, Index nx) {
  const double value = __dmul_rn(0.5, c);
  const double value_2 = -value;
  const double value_3 = __dmul_rn(0.5, __dmul_rn(c, c));
  const double factor = __dadd_rn(value_2, value_3);
  const double factor_2 = __dadd_rn(__dmul_rn(value, 4.0), __dmul_rn(-value_3, 2.0));
  const double factor_3 = __dadd_rn(__dadd_rn(1.0, __dmul_rn(value_2, 3.0)), value_3);
  const Index block_x = static_cast<Index>(blockIdx.x) * 1024;
  const Index x0 = block_x + static_cast<Index>(threadIdx.x);
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 2 && block_x + 1024 <= nx;
  if (interior_x) {
#pragma unroll
    for (Index k = 0; k < 4; ++k) {
      const Index x = x0 + k * 256;
      const Index i = x;
      double sum = __dmul_rn(factor, q[i - 2]);
      sum = __fma_rn(factor_2, q[i - 1], sum);
      sum = __fma_rn(factor_3, q[i], sum);
      q_new[i] = sum;
    }
  } else {
    // Edge blocks: `periodic` for q.
    for (Index k = 0; k < 4; ++k) {
      const Index x = x0 + k * 256;
      if (x < nx) {
        const Index i = x;
        const Index at_xm2 = st::wrap(x - 2, nx);
        const Index at_xm1 = st::wrap(x - 1, nx);
        double sum = __dmul_rn(factor, q[at_xm2]);
        sum = __fma_rn(factor_2, q[at_xm1], sum);
        sum = __fma_rn(factor_3, q[i], sum);
        q_new[i] = sum;
      }
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    double** q, const stencil::Shape& shape, double c, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const int64_t blocks_x = stencil::blocks(shape.nx, 1024);
  const dim3 threads(256);
  const dim3 blocks = stencil::grid_of(blocks_x);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(q[1], q[0], c, nx);
    stencil::rotate<2>(q);
  }
  return stencil::launched("advection");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<1> call("advection", stream);
  auto q = call.levels<2>("q", args.q);
  if (!call.ok()) return call.status();
  const int code = advection_run(q.at, call.nx(), args.c, steps.count, stream);
  return call.finish(code, q);
}

}  // namespace advection

int advection_run(double* q[2], int64_t nx, double c, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx}, nx);
  stencil::Buffers<2> buffers;
  buffers.written("q[0]", q[0]);
  buffers.written("q[1]", q[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("advection", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(nx);
  const auto advance = narrow ? advection::advance<int> : advection::advance<int64_t>;
  const stencil::Status done = advance(q, shape, c, steps, stream);
  return stencil::code_of(done);
}
