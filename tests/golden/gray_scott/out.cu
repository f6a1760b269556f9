// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil gray_scott, 2-D
//   f32 u: 5 points of level t, radius 1, boundary periodic; 2 buffers
//   f32 v: 5 points of level t, radius 1, boundary periodic; 2 buffers
// Schedule coarsened,threads=128x1,coarsen=y8
//   a thread keeps what it has loaded for its next cells, and its loads are independent
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace gray_scott {
namespace {

template <typename Index>
__global__ void __launch_bounds__(128) step(
    float* __restrict__ u_new, float* __restrict__ v_new, const float* __restrict__ u,
    const float* __restrict__ v, float Du, float Dv, float F, float k, float dt, Index nx, Index ny,
    Index pitch) {
  const float factor = __fmul_rn(Du, -4.0f);
  const float factor_2 = -__fadd_rn(F, k);
  const float factor_3 = __fmul_rn(Dv, -4.0f);
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 1 && block_x + 129 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 9 <= ny;
  if (interior_x && interior_y) {
    Index i = block_y * pitch + x;
    float u_ym1 = u[i - pitch];
    float u_0 = u[i];
    float v_ym1 = v[i - pitch];
    float v_0 = v[i];
#pragma unroll
    for (Index k_2 = 0; k_2 < 8; ++k_2) {
      const float u_yp1 = u[i + pitch];
      const float v_yp1 = v[i + pitch];
      float sum = __fmul_rn(Du, u_ym1);
      sum = __fmaf_rn(Du, u[i - 1], sum);
      sum = __fmaf_rn(factor, u_0, sum);
      sum = __fmaf_rn(Du, u[i + 1], sum);
      sum = __fmaf_rn(Du, u_yp1, sum);
      const float uvv = __fmul_rn(__fmul_rn(u_0, v_0), v_0);
      const float part = __fadd_rn(__fsub_rn(sum, uvv), __fmaf_rn(-F, u_0, F));
      const float u_next = __fmaf_rn(dt, part, u_0);
      float sum_2 = __fmul_rn(Dv, v_ym1);
      sum_2 = __fmaf_rn(Dv, v[i - 1], sum_2);
      sum_2 = __fmaf_rn(factor_3, v_0, sum_2);
      sum_2 = __fmaf_rn(Dv, v[i + 1], sum_2);
      sum_2 = __fmaf_rn(Dv, v_yp1, sum_2);
      const float part_2 = __fmaf_rn(factor_2, v_0, __fadd_rn(sum_2, uvv));
      const float v_next = __fmaf_rn(dt, part_2, v_0);
      u_new[i] = u_next;
      v_new[i] = v_next;
      u_ym1 = u_0;
      u_0 = u_yp1;
      v_ym1 = v_0;
      v_0 = v_yp1;
      i += pitch;
    }
  } else {
    // Edge blocks: `periodic` for u, `periodic` for v.
    for (Index k_2 = 0; k_2 < 8; ++k_2) {
      const Index y = block_y + k_2;
      if (x < nx && y < ny) {
        const Index i = y * pitch + x;
        const Index at_ym1 = st::wrap(y - 1, ny);
        const Index at_xm1 = st::wrap(x - 1, nx);
        const float u_0 = u[i];
        const Index at_xp1 = st::wrap(x + 1, nx);
        const Index at_yp1 = st::wrap(y + 1, ny);
        float sum = __fmul_rn(Du, u[at_ym1 * pitch + x]);
        sum = __fmaf_rn(Du, u[y * pitch + at_xm1], sum);
        sum = __fmaf_rn(factor, u_0, sum);
        sum = __fmaf_rn(Du, u[y * pitch + at_xp1], sum);
        sum = __fmaf_rn(Du, u[at_yp1 * pitch + x], sum);
        const float v_0 = v[i];
        const float uvv = __fmul_rn(__fmul_rn(u_0, v_0), v_0);
        const float part = __fadd_rn(__fsub_rn(sum, uvv), __fmaf_rn(-F, u_0, F));
        const float u_next = __fmaf_rn(dt, part, u_0);
        float sum_2 = __fmul_rn(Dv, v[at_ym1 * pitch + x]);
        sum_2 = __fmaf_rn(Dv, v[y * pitch + at_xm1], sum_2);
        sum_2 = __fmaf_rn(factor_3, v_0, sum_2);
        sum_2 = __fmaf_rn(Dv, v[y * pitch + at_xp1], sum_2);
        sum_2 = __fmaf_rn(Dv, v[at_yp1 * pitch + x], sum_2);
        const float part_2 = __fmaf_rn(factor_2, v_0, __fadd_rn(sum_2, uvv));
        const float v_next = __fmaf_rn(dt, part_2, v_0);
        u_new[i] = u_next;
        v_new[i] = v_next;
      }
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, float** v, const stencil::Shape& shape, float Du, float Dv, float F, float k,
    float dt, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const dim3 threads(128, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index>
        <<<blocks, threads, 0, stream>>>(u[1], v[1], u[0], v[0], Du, Dv, F, k, dt, nx, ny, pitch);
    stencil::rotate<2>(u);
    stencil::rotate<2>(v);
  }
  return stencil::launched("gray_scott");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("gray_scott", stream);
  auto u = call.levels<2>("u", args.u);
  auto v = call.levels<2>("v", args.v);
  if (!call.ok()) return call.status();
  const int code = gray_scott_run(
      u.at, v.at, call.nx(), call.ny(), call.pitch(), args.Du, args.Dv, args.F, args.k, args.dt,
      steps.count, stream);
  return call.finish(code, u, v);
}

}  // namespace gray_scott

int gray_scott_run(
    float* u[2], float* v[2], int64_t nx, int64_t ny, int64_t pitch, float Du, float Dv, float F,
    float k, float dt, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<4> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  buffers.written("v[0]", v[0]);
  buffers.written("v[1]", v[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("gray_scott", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? gray_scott::advance<int> : gray_scott::advance<int64_t>;
  const stencil::Status done = advance(u, v, shape, Du, Dv, F, k, dt, steps, stream);
  return stencil::code_of(done);
}
