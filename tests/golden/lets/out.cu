// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil lets, 2-D
//   f32 phi: 11 points of level t, radius 2, boundary mirror; 2 buffers
// Schedule coarsened,threads=128x1,coarsen=y8
//   a thread keeps what it has loaded for its next cells, and its loads are independent
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace lets {
namespace {

template <typename Index>
__global__ void __launch_bounds__(128) step(
    float* __restrict__ phi_new, const float* __restrict__ phi, Index nx, Index ny, Index pitch) {
  const float factor = static_cast<float>(nx);
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 2 && block_x + 130 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 9 <= ny;
  if (interior_x && interior_y) {
    Index i = block_y * pitch + x;
    float phi_xm1_ym1 = phi[i - pitch - 1];
    float phi_xm1 = phi[i - 1];
    float phi_ym1 = phi[i - pitch];
    float phi_0 = phi[i];
    float phi_xp1_ym1 = phi[i - pitch + 1];
    float phi_xp1 = phi[i + 1];
#pragma unroll
    for (Index k = 0; k < 8; ++k) {
      const float phi_xm1_yp1 = phi[i + pitch - 1];
      const float phi_yp1 = phi[i + pitch];
      const float phi_xp1_yp1 = phi[i + pitch + 1];
      float lap_xp1 = -phi_xp1_ym1;
      lap_xp1 = __fsub_rn(lap_xp1, phi_0);
      lap_xp1 = __fmaf_rn(4.0f, phi_xp1, lap_xp1);
      lap_xp1 = __fsub_rn(lap_xp1, phi[i + 2]);
      lap_xp1 = __fsub_rn(lap_xp1, phi_xp1_yp1);
      float lap = -phi_ym1;
      lap = __fsub_rn(lap, phi_xm1);
      lap = __fmaf_rn(4.0f, phi_0, lap);
      lap = __fsub_rn(lap, phi_xp1);
      lap = __fsub_rn(lap, phi_yp1);
      const float value = __fsub_rn(lap_xp1, lap);
      float sum = -phi_0;
      sum = __fadd_rn(sum, phi_xp1);
      const float flux = __fmul_rn(value, sum) > 0.0f ? 0.0f : value;
      float lap_xm1 = -phi_xm1_ym1;
      lap_xm1 = __fsub_rn(lap_xm1, phi[i - 2]);
      lap_xm1 = __fmaf_rn(4.0f, phi_xm1, lap_xm1);
      lap_xm1 = __fsub_rn(lap_xm1, phi_0);
      lap_xm1 = __fsub_rn(lap_xm1, phi_xm1_yp1);
      const float value_2 = __fsub_rn(lap, lap_xm1);
      float sum_2 = -phi_xm1;
      sum_2 = __fadd_rn(sum_2, phi_0);
      const bool part = __fmul_rn(value_2, sum_2) > 0.0f;
      const float flux_xm1 = part ? 0.0f : value_2;
      float sum_3 = __fmul_rn(0.125f, phi_xm1_ym1);
      sum_3 = __fmaf_rn(0.125f, phi_xp1_ym1, sum_3);
      sum_3 = __fmaf_rn(0.25f, phi_xm1, sum_3);
      sum_3 = __fmaf_rn(0.25f, phi_xp1, sum_3);
      sum_3 = __fmaf_rn(0.125f, phi_xm1_yp1, sum_3);
      sum_3 = __fmaf_rn(0.125f, phi_xp1_yp1, sum_3);
      const float part_2 = __fdiv_rn(__fmul_rn(0.001f, static_cast<float>(x)), factor);
      const float part_3 = __fmaf_rn(-0.1f, __fsub_rn(flux, flux_xm1), sum_3);
      phi_new[i] = __fadd_rn(part_3, part_2);
      phi_xm1_ym1 = phi_xm1;
      phi_xm1 = phi_xm1_yp1;
      phi_ym1 = phi_0;
      phi_0 = phi_yp1;
      phi_xp1_ym1 = phi_xp1;
      phi_xp1 = phi_xp1_yp1;
      i += pitch;
    }
  } else {
    // Edge blocks: `mirror` for phi.
    for (Index k = 0; k < 8; ++k) {
      const Index y = block_y + k;
      if (x < nx && y < ny) {
        const Index i = y * pitch + x;
        const Index at_xp1 = st::mirror(x + 1, nx);
        const Index at_ym1 = st::mirror(y - 1, ny);
        const float phi_xp1_ym1 = phi[at_ym1 * pitch + at_xp1];
        const float phi_0 = phi[i];
        const float phi_xp1 = phi[y * pitch + at_xp1];
        const Index at_xp2 = st::mirror(x + 2, nx);
        const Index at_yp1 = st::mirror(y + 1, ny);
        const float phi_xp1_yp1 = phi[at_yp1 * pitch + at_xp1];
        float lap_xp1 = -phi_xp1_ym1;
        lap_xp1 = __fsub_rn(lap_xp1, phi_0);
        lap_xp1 = __fmaf_rn(4.0f, phi_xp1, lap_xp1);
        lap_xp1 = __fsub_rn(lap_xp1, phi[y * pitch + at_xp2]);
        lap_xp1 = __fsub_rn(lap_xp1, phi_xp1_yp1);
        const Index at_xm1 = st::mirror(x - 1, nx);
        const float phi_xm1 = phi[y * pitch + at_xm1];
        float lap = -phi[at_ym1 * pitch + x];
        lap = __fsub_rn(lap, phi_xm1);
        lap = __fmaf_rn(4.0f, phi_0, lap);
        lap = __fsub_rn(lap, phi_xp1);
        lap = __fsub_rn(lap, phi[at_yp1 * pitch + x]);
        const float value = __fsub_rn(lap_xp1, lap);
        float sum = -phi_0;
        sum = __fadd_rn(sum, phi_xp1);
        const float flux = __fmul_rn(value, sum) > 0.0f ? 0.0f : value;
        const float phi_xm1_ym1 = phi[at_ym1 * pitch + at_xm1];
        const Index at_xm2 = st::mirror(x - 2, nx);
        const float phi_xm1_yp1 = phi[at_yp1 * pitch + at_xm1];
        float lap_xm1 = -phi_xm1_ym1;
        lap_xm1 = __fsub_rn(lap_xm1, phi[y * pitch + at_xm2]);
        lap_xm1 = __fmaf_rn(4.0f, phi_xm1, lap_xm1);
        lap_xm1 = __fsub_rn(lap_xm1, phi_0);
        lap_xm1 = __fsub_rn(lap_xm1, phi_xm1_yp1);
        const float value_2 = __fsub_rn(lap, lap_xm1);
        float sum_2 = -phi_xm1;
        sum_2 = __fadd_rn(sum_2, phi_0);
        const bool part = __fmul_rn(value_2, sum_2) > 0.0f;
        const float flux_xm1 = part ? 0.0f : value_2;
        float sum_3 = __fmul_rn(0.125f, phi_xm1_ym1);
        sum_3 = __fmaf_rn(0.125f, phi_xp1_ym1, sum_3);
        sum_3 = __fmaf_rn(0.25f, phi_xm1, sum_3);
        sum_3 = __fmaf_rn(0.25f, phi_xp1, sum_3);
        sum_3 = __fmaf_rn(0.125f, phi_xm1_yp1, sum_3);
        sum_3 = __fmaf_rn(0.125f, phi_xp1_yp1, sum_3);
        const float part_2 = __fdiv_rn(__fmul_rn(0.001f, static_cast<float>(x)), factor);
        const float part_3 = __fmaf_rn(-0.1f, __fsub_rn(flux, flux_xm1), sum_3);
        phi_new[i] = __fadd_rn(part_3, part_2);
      }
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** phi, const stencil::Shape& shape, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const dim3 threads(128, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(phi[1], phi[0], nx, ny, pitch);
    stencil::rotate<2>(phi);
  }
  return stencil::launched("lets");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("lets", stream);
  auto phi = call.levels<2>("phi", args.phi);
  if (!call.ok()) return call.status();
  const int code = lets_run(phi.at, call.nx(), call.ny(), call.pitch(), steps.count, stream);
  return call.finish(code, phi);
}

}  // namespace lets

int lets_run(
    float* phi[2], int64_t nx, int64_t ny, int64_t pitch, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("phi[0]", phi[0]);
  buffers.written("phi[1]", phi[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("lets", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? lets::advance<int> : lets::advance<int64_t>;
  const stencil::Status done = advance(phi, shape, steps, stream);
  return stencil::code_of(done);
}
