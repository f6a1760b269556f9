// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --arch=sm_90
//   --schedule=coarsened,threads=128,vector=1,coarsen=x1,sides=lanes
//
// Stencil smooth, 1-D
//   f32 u: 5 points of level t, radius 2, boundary clamp; 2 buffers
// Schedule coarsened,threads=128,vector=1,coarsen=x1,sides=lanes
//   asked for by --schedule
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_73b08fa3e66a20ea
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace smooth {
namespace {

template <typename Index>
__global__ void __launch_bounds__(128)
    step(float* __restrict__ u_new, const float* __restrict__ u, float c, Index nx) {
  const float value = __fmul_rn(c, 16.0f);
  const float value_2 = -c;
  const float factor = __fadd_rn(1.0f, __fmul_rn(value_2, 30.0f));
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 2 && block_x + 130 <= nx;
  if (interior_x) {
    const Index i = x;
    const float u_0 = u[i];
    const float u_xm2 = st::beside<-2>(u_0, &u[i]);
    const float u_xm1 = st::beside<-1>(u_0, &u[i]);
    const float u_xp1 = st::beside<1>(u_0, &u[i]);
    const float u_xp2 = st::beside<2>(u_0, &u[i]);
    const float value_3 = -c;
    float sum = __fmul_rn(value_3, u_xm2);
    sum = __fmaf_rn(value, u_xm1, sum);
    sum = __fmaf_rn(factor, u_0, sum);
    sum = __fmaf_rn(value, u_xp1, sum);
    sum = __fmaf_rn(value_3, u_xp2, sum);
    u_new[i] = sum;
  } else {
    // Edge blocks: `clamp` for u.
    if (x < nx) {
      const Index i = x;
      const float value_3 = -c;
      const Index at_xm2 = st::clamp(x - 2, nx);
      const Index at_xm1 = st::clamp(x - 1, nx);
      const Index at_xp1 = st::clamp(x + 1, nx);
      const Index at_xp2 = st::clamp(x + 2, nx);
      float sum = __fmul_rn(value_3, u[at_xm2]);
      sum = __fmaf_rn(value, u[at_xm1], sum);
      sum = __fmaf_rn(factor, u[i], sum);
      sum = __fmaf_rn(value, u[at_xp1], sum);
      sum = __fmaf_rn(value_3, u[at_xp2], sum);
      u_new[i] = sum;
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, const stencil::Shape& shape, float c, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const dim3 threads(128);
  const dim3 blocks = stencil::grid_of(blocks_x);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(u[1], u[0], c, nx);
    stencil::rotate<2>(u);
  }
  return stencil::launched("smooth");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<1> call("smooth", stream);
  auto u = call.levels<2>("u", args.u);
  if (!call.ok()) return call.status();
  const int code = smooth_run(u.at, call.nx(), args.c, steps.count, stream);
  return call.finish(code, u);
}

}  // namespace smooth

int smooth_run(float* u[2], int64_t nx, float c, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx}, nx);
  stencil::Buffers<2> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("smooth", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(nx);
  const auto advance = narrow ? smooth::advance<int> : smooth::advance<int64_t>;
  const stencil::Status done = advance(u, shape, c, steps, stream);
  return stencil::code_of(done);
}
