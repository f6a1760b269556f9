// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil conv, 2-D
//   f32 a: 15 points of level t, radius 2, boundary mirror
//   f32 b: written
//   f32 s: 1 point of level t, radius 1, boundary x not given, y clamp
// Schedule coarsened,threads=128x1,coarsen=y8
//   a thread keeps what it has loaded for its next cells, and its loads are independent
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace conv {
namespace {

template <typename Index>
__global__ void __launch_bounds__(128) step(
    float* __restrict__ b, const float* __restrict__ a, const float* __restrict__ s,
    const stencil::Weights<float, 15> w, int64_t t, Index nx, Index ny, Index pitch) {
  const float factor = sinf(__fmul_rn(0.1f, static_cast<float>(t)));
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 2 && block_x + 130 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 9 <= ny;
  if (interior_x && interior_y) {
    Index i = block_y * pitch + x;
    float a_xm2_ym1 = a[i - pitch - 2];
    float a_xm2 = a[i - 2];
    float a_xm1_ym1 = a[i - pitch - 1];
    float a_xm1 = a[i - 1];
    float a_ym1 = a[i - pitch];
    float a_0 = a[i];
    float a_xp1_ym1 = a[i - pitch + 1];
    float a_xp1 = a[i + 1];
    float a_xp2_ym1 = a[i - pitch + 2];
    float a_xp2 = a[i + 2];
#pragma unroll
    for (Index k = 0; k < 8; ++k) {
      const Index y = block_y + k;
      const float a_xm2_yp1 = a[i + pitch - 2];
      const float a_xm1_yp1 = a[i + pitch - 1];
      const float a_yp1 = a[i + pitch];
      const float a_xp1_yp1 = a[i + pitch + 1];
      const float a_xp2_yp1 = a[i + pitch + 2];
      float sum = __fmul_rn(w[0], a_xm2_ym1);
      sum = __fmaf_rn(w[3], a_xm1_ym1, sum);
      sum = __fmaf_rn(w[6], a_ym1, sum);
      sum = __fmaf_rn(w[9], a_xp1_ym1, sum);
      sum = __fmaf_rn(w[12], a_xp2_ym1, sum);
      sum = __fmaf_rn(w[1], a_xm2, sum);
      sum = __fmaf_rn(w[4], a_xm1, sum);
      sum = __fmaf_rn(w[7], a_0, sum);
      sum = __fmaf_rn(w[10], a_xp1, sum);
      sum = __fmaf_rn(w[13], a_xp2, sum);
      sum = __fmaf_rn(w[2], a_xm2_yp1, sum);
      sum = __fmaf_rn(w[5], a_xm1_yp1, sum);
      sum = __fmaf_rn(w[8], a_yp1, sum);
      sum = __fmaf_rn(w[11], a_xp1_yp1, sum);
      sum = __fmaf_rn(w[14], a_xp2_yp1, sum);
      b[i] = __fmaf_rn(sum, s[y + 1], factor);
      a_xm2_ym1 = a_xm2;
      a_xm2 = a_xm2_yp1;
      a_xm1_ym1 = a_xm1;
      a_xm1 = a_xm1_yp1;
      a_ym1 = a_0;
      a_0 = a_yp1;
      a_xp1_ym1 = a_xp1;
      a_xp1 = a_xp1_yp1;
      a_xp2_ym1 = a_xp2;
      a_xp2 = a_xp2_yp1;
      i += pitch;
    }
  } else {
    // Edge blocks: `mirror` for a, `clamp` for s.
    for (Index k = 0; k < 8; ++k) {
      const Index y = block_y + k;
      if (x < nx && y < ny) {
        const Index i = y * pitch + x;
        const Index at_xm2 = st::mirror(x - 2, nx);
        const Index at_ym1 = st::mirror(y - 1, ny);
        const Index at_xm1 = st::mirror(x - 1, nx);
        const Index at_xp1 = st::mirror(x + 1, nx);
        const Index at_xp2 = st::mirror(x + 2, nx);
        const Index at_yp1 = st::mirror(y + 1, ny);
        float sum = __fmul_rn(w[0], a[at_ym1 * pitch + at_xm2]);
        sum = __fmaf_rn(w[3], a[at_ym1 * pitch + at_xm1], sum);
        sum = __fmaf_rn(w[6], a[at_ym1 * pitch + x], sum);
        sum = __fmaf_rn(w[9], a[at_ym1 * pitch + at_xp1], sum);
        sum = __fmaf_rn(w[12], a[at_ym1 * pitch + at_xp2], sum);
        sum = __fmaf_rn(w[1], a[y * pitch + at_xm2], sum);
        sum = __fmaf_rn(w[4], a[y * pitch + at_xm1], sum);
        sum = __fmaf_rn(w[7], a[i], sum);
        sum = __fmaf_rn(w[10], a[y * pitch + at_xp1], sum);
        sum = __fmaf_rn(w[13], a[y * pitch + at_xp2], sum);
        sum = __fmaf_rn(w[2], a[at_yp1 * pitch + at_xm2], sum);
        sum = __fmaf_rn(w[5], a[at_yp1 * pitch + at_xm1], sum);
        sum = __fmaf_rn(w[8], a[at_yp1 * pitch + x], sum);
        sum = __fmaf_rn(w[11], a[at_yp1 * pitch + at_xp1], sum);
        sum = __fmaf_rn(w[14], a[at_yp1 * pitch + at_xp2], sum);
        const Index at_yp1_2 = st::clamp(y + 1, ny);
        b[i] = __fmaf_rn(sum, s[at_yp1_2], factor);
      }
    }
  }
}

// One launch computes everything.
template <typename Index>
stencil::Status advance(
    const float* a, float* b, const float* s, const stencil::Shape& shape,
    const stencil::Weights<float, 15>& w, int64_t first, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const dim3 threads(128, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  int64_t t = first;
  step<Index><<<blocks, threads, 0, stream>>>(b, a, s, w, t, nx, ny, pitch);
  return stencil::launched("conv");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("conv", stream);
  const float* a = call.input("a", args.a);
  float* b = call.output("b", args.b);
  const float* s = call.part("s", args.s, {1});
  if (!call.ok()) return call.status();
  const int code = conv_run(
      a, b, s, call.nx(), call.ny(), call.pitch(), args.w, steps.first, stream);
  return call.finish(code);
}

}  // namespace conv

int conv_run(
    const float* a, float* b, const float* s, int64_t nx, int64_t ny, int64_t pitch, const float* w,
    int64_t first, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<3> buffers;
  buffers.read("a", a);
  buffers.written("b", b);
  buffers.read("s", s, ny);
  const stencil::Steps count{1};
  stencil::Status ready = stencil::check("conv", shape, count, buffers);
  stencil::Weights<float, 15> w_values;
  if (ready.ok()) ready = stencil::take("conv", "w", w, w_values);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? conv::advance<int> : conv::advance<int64_t>;
  const stencil::Status done = advance(a, b, s, shape, w_values, first, stream);
  return stencil::code_of(done);
}
