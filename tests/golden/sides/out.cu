// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil duct, 2-D
//   f32 temp: 9 points of level t, radius 2, boundary x.lo expr fma(0.1, f32(y), 1), x.hi clamp,
//   y.lo neumann 0.2, y.hi antireflect; 2 buffers
// Schedule coarsened,threads=128x1,coarsen=y8
//   a thread keeps what it has loaded for its next cells, and its loads are independent
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace duct {
namespace {

template <typename Index>
__global__ void __launch_bounds__(128) step(
    float* __restrict__ temp_new, const float* __restrict__ temp, float speed, float k, Index nx,
    Index ny, Index pitch) {
  const bool factor = speed > 0.0f;
  const float value = __fmul_rn(k, -0.083333336f);
  const float value_2 = __fmul_rn(k, 1.3333334f);
  const float factor_2 = __fmul_rn(k, -5.0f);
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 2 && block_x + 130 <= nx;
  const bool interior_y = block_y >= 2 && block_y + 10 <= ny;
  if (interior_x && interior_y) {
    Index i = block_y * pitch + x;
    float temp_ym2 = temp[i - 2 * pitch];
    float temp_ym1 = temp[i - pitch];
    float temp_0 = temp[i];
    float temp_yp1 = temp[i + pitch];
#pragma unroll
    for (Index k_2 = 0; k_2 < 8; ++k_2) {
      const float temp_yp2 = temp[i + 2 * pitch];
      const float temp_xm1 = temp[i - 1];
      float sum = -temp_xm1;
      sum = __fadd_rn(sum, temp_0);
      const float temp_xp1 = temp[i + 1];
      float sum_2 = -temp_0;
      sum_2 = __fadd_rn(sum_2, temp_xp1);
      float sum_3 = __fmul_rn(value, temp_ym2);
      sum_3 = __fmaf_rn(value_2, temp_ym1, sum_3);
      sum_3 = __fmaf_rn(value, temp[i - 2], sum_3);
      sum_3 = __fmaf_rn(value_2, temp_xm1, sum_3);
      sum_3 = __fmaf_rn(factor_2, temp_0, sum_3);
      sum_3 = __fmaf_rn(value_2, temp_xp1, sum_3);
      sum_3 = __fmaf_rn(value, temp[i + 2], sum_3);
      sum_3 = __fmaf_rn(value_2, temp_yp1, sum_3);
      sum_3 = __fmaf_rn(value, temp_yp2, sum_3);
      const float part = __fmaf_rn(-speed, factor ? sum : sum_2, temp_0);
      temp_new[i] = __fadd_rn(part, sum_3);
      temp_ym2 = temp_ym1;
      temp_ym1 = temp_0;
      temp_0 = temp_yp1;
      temp_yp1 = temp_yp2;
      i += pitch;
    }
  } else {
    // Edge blocks: `expr`, `clamp`, `neumann` and `antireflect` for temp.
    for (Index k_2 = 0; k_2 < 8; ++k_2) {
      const Index y = block_y + k_2;
      if (x < nx && y < ny) {
        const Index i = y * pitch + x;
        const bool has_xm1 = x >= 1;
        const float beyond_xm1 = __fmaf_rn(0.1f, static_cast<float>(y), 1.0f);
        const float temp_xm1 = has_xm1 ? temp[i - 1] : beyond_xm1;
        const float temp_0 = temp[i];
        float sum = -temp_xm1;
        sum = __fadd_rn(sum, temp_0);
        const Index at_xp1 = st::clamp(x + 1, nx);
        const float temp_xp1 = temp[y * pitch + at_xp1];
        float sum_2 = -temp_0;
        sum_2 = __fadd_rn(sum_2, temp_xp1);
        const bool has_ym2 = y >= 2;
        const Index at_ym2 = st::clamp(y - 2, ny);
        const float temp_ym2 = temp[at_ym2 * pitch + x];
        const float cells_ym2 = static_cast<float>(2 - y);
        const float risen_ym2 = __fmaf_rn(0.2f, cells_ym2, temp_ym2);
        const bool has_ym1 = y >= 1;
        const Index at_ym1 = st::clamp(y - 1, ny);
        const float temp_ym1 = temp[at_ym1 * pitch + x];
        const float cells_ym1 = static_cast<float>(1 - y);
        const float risen_ym1 = __fmaf_rn(0.2f, cells_ym1, temp_ym1);
        const bool has_xm2 = x >= 2;
        const float beyond_xm2 = __fmaf_rn(0.1f, static_cast<float>(y), 1.0f);
        const Index at_xp2 = st::clamp(x + 2, nx);
        const Index at_yp1 = st::fold<st::Side::stop, st::Side::reflect>(y + 1, ny);
        const bool flips_yp1 = st::flips<st::Side::stop, st::Side::antireflect>(y + 1, ny);
        const bool has_yp1 = at_yp1 >= 0;
        const Index rim_yp1 = st::clamp(at_yp1, ny);
        const float temp_yp1 = temp[rim_yp1 * pitch + x];
        const float cells_yp1 = static_cast<float>(-at_yp1);
        const float risen_yp1 = __fmaf_rn(0.2f, cells_yp1, temp_yp1);
        const float temp_yp1_2 = has_yp1 ? temp_yp1 : risen_yp1;
        const Index at_yp2 = st::fold<st::Side::stop, st::Side::reflect>(y + 2, ny);
        const bool flips_yp2 = st::flips<st::Side::stop, st::Side::antireflect>(y + 2, ny);
        const bool has_yp2 = at_yp2 >= 0;
        const Index rim_yp2 = st::clamp(at_yp2, ny);
        const float temp_yp2 = temp[rim_yp2 * pitch + x];
        const float cells_yp2 = static_cast<float>(-at_yp2);
        const float risen_yp2 = __fmaf_rn(0.2f, cells_yp2, temp_yp2);
        const float temp_yp2_2 = has_yp2 ? temp_yp2 : risen_yp2;
        float sum_3 = __fmul_rn(value, has_ym2 ? temp_ym2 : risen_ym2);
        sum_3 = __fmaf_rn(value_2, has_ym1 ? temp_ym1 : risen_ym1, sum_3);
        sum_3 = __fmaf_rn(value, has_xm2 ? temp[i - 2] : beyond_xm2, sum_3);
        sum_3 = __fmaf_rn(value_2, temp_xm1, sum_3);
        sum_3 = __fmaf_rn(factor_2, temp_0, sum_3);
        sum_3 = __fmaf_rn(value_2, temp_xp1, sum_3);
        sum_3 = __fmaf_rn(value, temp[y * pitch + at_xp2], sum_3);
        sum_3 = __fmaf_rn(value_2, flips_yp1 ? -temp_yp1_2 : temp_yp1_2, sum_3);
        sum_3 = __fmaf_rn(value, flips_yp2 ? -temp_yp2_2 : temp_yp2_2, sum_3);
        const float part = __fmaf_rn(-speed, factor ? sum : sum_2, temp_0);
        temp_new[i] = __fadd_rn(part, sum_3);
      }
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** temp, const stencil::Shape& shape, float speed, float k, int64_t steps,
    stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const dim3 threads(128, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(temp[1], temp[0], speed, k, nx, ny, pitch);
    stencil::rotate<2>(temp);
  }
  return stencil::launched("duct");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("duct", stream);
  auto temp = call.levels<2>("temp", args.temp);
  if (!call.ok()) return call.status();
  const int code = duct_run(
      temp.at, call.nx(), call.ny(), call.pitch(), args.speed, args.k, steps.count, stream);
  return call.finish(code, temp);
}

}  // namespace duct

int duct_run(
    float* temp[2], int64_t nx, int64_t ny, int64_t pitch, float speed, float k, int64_t steps,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("temp[0]", temp[0]);
  buffers.written("temp[1]", temp[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("duct", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? duct::advance<int> : duct::advance<int64_t>;
  const stencil::Status done = advance(temp, shape, speed, k, steps, stream);
  return stencil::code_of(done);
}
