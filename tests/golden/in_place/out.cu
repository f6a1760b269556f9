// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil in_place, 2-D
//   f32 u: 1 point of level t; 1 buffer
//   f32 v: 1 point of level t; 1 buffer
// Schedule coarsened,threads=128x1,coarsen=y8
//   a thread keeps what it has loaded for its next cells, and its loads are independent
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace in_place {
namespace {

template <typename Index>
__global__ void __launch_bounds__(128)
    step(float* __restrict__ u, float* __restrict__ v, float k, Index nx, Index ny, Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
#pragma unroll
  for (Index k_2 = 0; k_2 < 8; ++k_2) {
    const Index y = block_y + k_2;
    if (x < nx && y < ny) {
      const Index i = y * pitch + x;
      const float u_0 = u[i];
      const float v_0 = v[i];
      float sum = u_0;
      sum = __fmaf_rn(k, v_0, sum);
      float sum_2 = __fmul_rn(-k, u_0);
      sum_2 = __fadd_rn(sum_2, v_0);
      u[i] = sum;
      v[i] = sum_2;
    }
  }
}

// The time loop.
template <typename Index>
stencil::Status advance(
    float* u, float* v, const stencil::Shape& shape, float k, int64_t steps,
    stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const dim3 threads(128, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(u, v, k, nx, ny, pitch);
  }
  return stencil::launched("in_place");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("in_place", stream);
  float* u = call.output("u", args.u);
  float* v = call.output("v", args.v);
  if (!call.ok()) return call.status();
  const int code = in_place_run(
      u, v, call.nx(), call.ny(), call.pitch(), args.k, steps.count, stream);
  return call.finish(code);
}

}  // namespace in_place

int in_place_run(
    float* u, float* v, int64_t nx, int64_t ny, int64_t pitch, float k, int64_t steps,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("u", u);
  buffers.written("v", v);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("in_place", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? in_place::advance<int> : in_place::advance<int64_t>;
  const stencil::Status done = advance(u, v, shape, k, steps, stream);
  return stencil::code_of(done);
}
