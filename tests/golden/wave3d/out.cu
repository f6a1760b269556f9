// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil wave3d, 3-D
//   f32 u: 25 points of level t, 1 point of level t-1, radius 4, boundary constant 0; 2 buffers
//   f32 c: 1 point of level t
// Schedule coarsened,threads=32x8x1,coarsen=z2
//   a thread keeps what it has loaded for its next cells, and its loads are independent
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace wave3d {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ u_new, const float* __restrict__ u, const float* __restrict__ c, float dt,
    float h, Index nx, Index ny, Index nz, Index pitch, Index plane) {
  const float value = __fdiv_rn(1.0f, __fmul_rn(h, h));
  const float value_2 = __fmul_rn(value, -0.0017857143f);
  const float value_3 = __fmul_rn(value, 0.025396826f);
  const float value_4 = __fmul_rn(value, -0.2f);
  const float value_5 = __fmul_rn(value, 1.6f);
  const float factor = __fmul_rn(value, -8.541667f);
  const Index block_x = static_cast<Index>(blockIdx.x) * 32;
  const Index block_y = static_cast<Index>(blockIdx.y) * 8;
  const Index block_z = static_cast<Index>(blockIdx.z) * 2;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 36 <= nx;
  const bool interior_y = block_y >= 4 && block_y + 12 <= ny;
  const bool interior_z = block_z >= 4 && block_z + 6 <= nz;
  if (interior_x && interior_y && interior_z) {
    Index i = block_z * plane + y * pitch + x;
    float u_zm4 = u[i - 4 * plane];
    float u_zm3 = u[i - 3 * plane];
    float u_zm2 = u[i - 2 * plane];
    float u_zm1 = u[i - plane];
    float u_0 = u[i];
    float u_zp1 = u[i + plane];
    float u_zp2 = u[i + 2 * plane];
    float u_zp3 = u[i + 3 * plane];
#pragma unroll
    for (Index k = 0; k < 2; ++k) {
      const float u_zp4 = u[i + 4 * plane];
      const float value_6 = __fmul_rn(dt, c[i]);
      float sum = __fmul_rn(value_2, u_zm4);
      sum = __fmaf_rn(value_3, u_zm3, sum);
      sum = __fmaf_rn(value_4, u_zm2, sum);
      sum = __fmaf_rn(value_5, u_zm1, sum);
      sum = __fmaf_rn(value_2, u[i - 4], sum);
      sum = __fmaf_rn(value_3, u[i - 3], sum);
      sum = __fmaf_rn(value_4, u[i - 2], sum);
      sum = __fmaf_rn(value_5, u[i - 1], sum);
      sum = __fmaf_rn(factor, u_0, sum);
      sum = __fmaf_rn(value_5, u[i + 1], sum);
      sum = __fmaf_rn(value_4, u[i + 2], sum);
      sum = __fmaf_rn(value_3, u[i + 3], sum);
      sum = __fmaf_rn(value_2, u[i + 4], sum);
      sum = __fmaf_rn(value_2, u[i - 4 * pitch], sum);
      sum = __fmaf_rn(value_3, u[i - 3 * pitch], sum);
      sum = __fmaf_rn(value_4, u[i - 2 * pitch], sum);
      sum = __fmaf_rn(value_5, u[i - pitch], sum);
      sum = __fmaf_rn(value_5, u[i + pitch], sum);
      sum = __fmaf_rn(value_4, u[i + 2 * pitch], sum);
      sum = __fmaf_rn(value_3, u[i + 3 * pitch], sum);
      sum = __fmaf_rn(value_2, u[i + 4 * pitch], sum);
      sum = __fmaf_rn(value_5, u_zp1, sum);
      sum = __fmaf_rn(value_4, u_zp2, sum);
      sum = __fmaf_rn(value_3, u_zp3, sum);
      sum = __fmaf_rn(value_2, u_zp4, sum);
      float sum_2 = -u_new[i];
      sum_2 = __fmaf_rn(2.0f, u_0, sum_2);
      u_new[i] = __fmaf_rn(__fmul_rn(value_6, value_6), sum, sum_2);
      u_zm4 = u_zm3;
      u_zm3 = u_zm2;
      u_zm2 = u_zm1;
      u_zm1 = u_0;
      u_0 = u_zp1;
      u_zp1 = u_zp2;
      u_zp2 = u_zp3;
      u_zp3 = u_zp4;
      i += plane;
    }
  } else {
    // Edge blocks: `constant` for u.
    for (Index k = 0; k < 2; ++k) {
      const Index z = block_z + k;
      if (x < nx && y < ny && z < nz) {
        const Index i = z * plane + y * pitch + x;
        const float value_6 = __fmul_rn(dt, c[i]);
        const bool has_zm4 = z >= 4;
        const bool has_zm3 = z >= 3;
        const bool has_zm2 = z >= 2;
        const bool has_zm1 = z >= 1;
        const bool has_xm4 = x >= 4;
        const bool has_xm3 = x >= 3;
        const bool has_xm2 = x >= 2;
        const bool has_xm1 = x >= 1;
        const float u_0 = u[i];
        const bool has_xp1 = x + 1 < nx;
        const bool has_xp2 = x + 2 < nx;
        const bool has_xp3 = x + 3 < nx;
        const bool has_xp4 = x + 4 < nx;
        const bool has_ym4 = y >= 4;
        const bool has_ym3 = y >= 3;
        const bool has_ym2 = y >= 2;
        const bool has_ym1 = y >= 1;
        const bool has_yp1 = y + 1 < ny;
        const bool has_yp2 = y + 2 < ny;
        const bool has_yp3 = y + 3 < ny;
        const bool has_yp4 = y + 4 < ny;
        const bool has_zp1 = z + 1 < nz;
        const bool has_zp2 = z + 2 < nz;
        const bool has_zp3 = z + 3 < nz;
        const bool has_zp4 = z + 4 < nz;
        float sum = __fmul_rn(value_2, has_zm4 ? u[i - 4 * plane] : 0.0f);
        sum = __fmaf_rn(value_3, has_zm3 ? u[i - 3 * plane] : 0.0f, sum);
        sum = __fmaf_rn(value_4, has_zm2 ? u[i - 2 * plane] : 0.0f, sum);
        sum = __fmaf_rn(value_5, has_zm1 ? u[i - plane] : 0.0f, sum);
        sum = __fmaf_rn(value_2, has_xm4 ? u[i - 4] : 0.0f, sum);
        sum = __fmaf_rn(value_3, has_xm3 ? u[i - 3] : 0.0f, sum);
        sum = __fmaf_rn(value_4, has_xm2 ? u[i - 2] : 0.0f, sum);
        sum = __fmaf_rn(value_5, has_xm1 ? u[i - 1] : 0.0f, sum);
        sum = __fmaf_rn(factor, u_0, sum);
        sum = __fmaf_rn(value_5, has_xp1 ? u[i + 1] : 0.0f, sum);
        sum = __fmaf_rn(value_4, has_xp2 ? u[i + 2] : 0.0f, sum);
        sum = __fmaf_rn(value_3, has_xp3 ? u[i + 3] : 0.0f, sum);
        sum = __fmaf_rn(value_2, has_xp4 ? u[i + 4] : 0.0f, sum);
        sum = __fmaf_rn(value_2, has_ym4 ? u[i - 4 * pitch] : 0.0f, sum);
        sum = __fmaf_rn(value_3, has_ym3 ? u[i - 3 * pitch] : 0.0f, sum);
        sum = __fmaf_rn(value_4, has_ym2 ? u[i - 2 * pitch] : 0.0f, sum);
        sum = __fmaf_rn(value_5, has_ym1 ? u[i - pitch] : 0.0f, sum);
        sum = __fmaf_rn(value_5, has_yp1 ? u[i + pitch] : 0.0f, sum);
        sum = __fmaf_rn(value_4, has_yp2 ? u[i + 2 * pitch] : 0.0f, sum);
        sum = __fmaf_rn(value_3, has_yp3 ? u[i + 3 * pitch] : 0.0f, sum);
        sum = __fmaf_rn(value_2, has_yp4 ? u[i + 4 * pitch] : 0.0f, sum);
        sum = __fmaf_rn(value_5, has_zp1 ? u[i + plane] : 0.0f, sum);
        sum = __fmaf_rn(value_4, has_zp2 ? u[i + 2 * plane] : 0.0f, sum);
        sum = __fmaf_rn(value_3, has_zp3 ? u[i + 3 * plane] : 0.0f, sum);
        sum = __fmaf_rn(value_2, has_zp4 ? u[i + 4 * plane] : 0.0f, sum);
        float sum_2 = -u_new[i];
        sum_2 = __fmaf_rn(2.0f, u_0, sum_2);
        u_new[i] = __fmaf_rn(__fmul_rn(value_6, value_6), sum, sum_2);
      }
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, const float* c, const stencil::Shape& shape, float dt, float h, int64_t steps,
    stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index nz = static_cast<Index>(shape.nz);
  const Index pitch = static_cast<Index>(shape.pitch);
  const Index plane = static_cast<Index>(shape.plane);
  const int64_t blocks_x = stencil::blocks(shape.nx, 32);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const int64_t blocks_z = stencil::blocks(shape.nz, 2);
  const dim3 threads(32, 8, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y, blocks_z);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(u[1], u[0], c, dt, h, nx, ny, nz, pitch, plane);
    stencil::rotate<2>(u);
  }
  return stencil::launched("wave3d");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<3> call("wave3d", stream);
  auto u = call.levels<2>("u", args.u, args.u_prev);
  const float* c = call.input("c", args.c);
  if (!call.ok()) return call.status();
  const int code = wave3d_run(
      u.at, c, call.nx(), call.ny(), call.nz(), call.pitch(), call.plane(), args.dt, args.h,
      steps.count, stream);
  return call.finish(code, u);
}

}  // namespace wave3d

int wave3d_run(
    float* u[2], const float* c, int64_t nx, int64_t ny, int64_t nz, int64_t pitch, int64_t plane,
    float dt, float h, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny, nz}, pitch, plane);
  stencil::Buffers<3> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  buffers.read("c", c);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("wave3d", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(plane * nz);
  const auto advance = narrow ? wave3d::advance<int> : wave3d::advance<int64_t>;
  const stencil::Status done = advance(u, c, shape, dt, h, steps, stream);
  return stencil::code_of(done);
}
