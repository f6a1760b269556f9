// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil conv5x5, 2-D
//   u8 img: 25 points of level t, radius 2, boundary mirror
//   u8 dst: written
// Schedule coarsened,threads=128x1,coarsen=y8
//   a thread keeps what it has loaded for its next cells, and its loads are independent
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace conv5x5 {
namespace {

template <typename Index>
__global__ void __launch_bounds__(128) step(
    uint8_t* __restrict__ dst, const uint8_t* __restrict__ img, Index nx, Index ny, Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 2 && block_x + 130 <= nx;
  const bool interior_y = block_y >= 2 && block_y + 10 <= ny;
  if (interior_x && interior_y) {
    Index i = block_y * pitch + x;
    uint8_t img_xm2_ym2 = img[i - 2 * pitch - 2];
    uint8_t img_xm2_ym1 = img[i - pitch - 2];
    uint8_t img_xm2 = img[i - 2];
    uint8_t img_xm2_yp1 = img[i + pitch - 2];
    uint8_t img_xm1_ym2 = img[i - 2 * pitch - 1];
    uint8_t img_xm1_ym1 = img[i - pitch - 1];
    uint8_t img_xm1 = img[i - 1];
    uint8_t img_xm1_yp1 = img[i + pitch - 1];
    uint8_t img_ym2 = img[i - 2 * pitch];
    uint8_t img_ym1 = img[i - pitch];
    uint8_t img_0 = img[i];
    uint8_t img_yp1 = img[i + pitch];
    uint8_t img_xp1_ym2 = img[i - 2 * pitch + 1];
    uint8_t img_xp1_ym1 = img[i - pitch + 1];
    uint8_t img_xp1 = img[i + 1];
    uint8_t img_xp1_yp1 = img[i + pitch + 1];
    uint8_t img_xp2_ym2 = img[i - 2 * pitch + 2];
    uint8_t img_xp2_ym1 = img[i - pitch + 2];
    uint8_t img_xp2 = img[i + 2];
    uint8_t img_xp2_yp1 = img[i + pitch + 2];
#pragma unroll
    for (Index k = 0; k < 8; ++k) {
      const uint8_t img_xm2_yp2 = img[i + 2 * pitch - 2];
      const uint8_t img_xm1_yp2 = img[i + 2 * pitch - 1];
      const uint8_t img_yp2 = img[i + 2 * pitch];
      const uint8_t img_xp1_yp2 = img[i + 2 * pitch + 1];
      const uint8_t img_xp2_yp2 = img[i + 2 * pitch + 2];
      float sum = __fmul_rn(0.0036630037f, static_cast<float>(img_xm2_ym2));
      sum = __fmaf_rn(0.014652015f, static_cast<float>(img_xm1_ym2), sum);
      sum = __fmaf_rn(0.025641026f, static_cast<float>(img_ym2), sum);
      sum = __fmaf_rn(0.014652015f, static_cast<float>(img_xp1_ym2), sum);
      sum = __fmaf_rn(0.0036630037f, static_cast<float>(img_xp2_ym2), sum);
      sum = __fmaf_rn(0.014652015f, static_cast<float>(img_xm2_ym1), sum);
      sum = __fmaf_rn(0.05860806f, static_cast<float>(img_xm1_ym1), sum);
      sum = __fmaf_rn(0.0952381f, static_cast<float>(img_ym1), sum);
      sum = __fmaf_rn(0.05860806f, static_cast<float>(img_xp1_ym1), sum);
      sum = __fmaf_rn(0.014652015f, static_cast<float>(img_xp2_ym1), sum);
      sum = __fmaf_rn(0.025641026f, static_cast<float>(img_xm2), sum);
      sum = __fmaf_rn(0.0952381f, static_cast<float>(img_xm1), sum);
      sum = __fmaf_rn(0.15018316f, static_cast<float>(img_0), sum);
      sum = __fmaf_rn(0.0952381f, static_cast<float>(img_xp1), sum);
      sum = __fmaf_rn(0.025641026f, static_cast<float>(img_xp2), sum);
      sum = __fmaf_rn(0.014652015f, static_cast<float>(img_xm2_yp1), sum);
      sum = __fmaf_rn(0.05860806f, static_cast<float>(img_xm1_yp1), sum);
      sum = __fmaf_rn(0.0952381f, static_cast<float>(img_yp1), sum);
      sum = __fmaf_rn(0.05860806f, static_cast<float>(img_xp1_yp1), sum);
      sum = __fmaf_rn(0.014652015f, static_cast<float>(img_xp2_yp1), sum);
      sum = __fmaf_rn(0.0036630037f, static_cast<float>(img_xm2_yp2), sum);
      sum = __fmaf_rn(0.014652015f, static_cast<float>(img_xm1_yp2), sum);
      sum = __fmaf_rn(0.025641026f, static_cast<float>(img_yp2), sum);
      sum = __fmaf_rn(0.014652015f, static_cast<float>(img_xp1_yp2), sum);
      sum = __fmaf_rn(0.0036630037f, static_cast<float>(img_xp2_yp2), sum);
      dst[i] = st::saturate<uint8_t>(sum);
      img_xm2_ym2 = img_xm2_ym1;
      img_xm2_ym1 = img_xm2;
      img_xm2 = img_xm2_yp1;
      img_xm2_yp1 = img_xm2_yp2;
      img_xm1_ym2 = img_xm1_ym1;
      img_xm1_ym1 = img_xm1;
      img_xm1 = img_xm1_yp1;
      img_xm1_yp1 = img_xm1_yp2;
      img_ym2 = img_ym1;
      img_ym1 = img_0;
      img_0 = img_yp1;
      img_yp1 = img_yp2;
      img_xp1_ym2 = img_xp1_ym1;
      img_xp1_ym1 = img_xp1;
      img_xp1 = img_xp1_yp1;
      img_xp1_yp1 = img_xp1_yp2;
      img_xp2_ym2 = img_xp2_ym1;
      img_xp2_ym1 = img_xp2;
      img_xp2 = img_xp2_yp1;
      img_xp2_yp1 = img_xp2_yp2;
      i += pitch;
    }
  } else {
    // Edge blocks: `mirror` for img.
    for (Index k = 0; k < 8; ++k) {
      const Index y = block_y + k;
      if (x < nx && y < ny) {
        const Index i = y * pitch + x;
        const Index at_xm2 = st::mirror(x - 2, nx);
        const Index at_ym2 = st::mirror(y - 2, ny);
        const float part = static_cast<float>(img[at_ym2 * pitch + at_xm2]);
        const Index at_xm1 = st::mirror(x - 1, nx);
        const float part_2 = static_cast<float>(img[at_ym2 * pitch + at_xm1]);
        const float part_3 = static_cast<float>(img[at_ym2 * pitch + x]);
        const Index at_xp1 = st::mirror(x + 1, nx);
        const float part_4 = static_cast<float>(img[at_ym2 * pitch + at_xp1]);
        const Index at_xp2 = st::mirror(x + 2, nx);
        const float part_5 = static_cast<float>(img[at_ym2 * pitch + at_xp2]);
        const Index at_ym1 = st::mirror(y - 1, ny);
        const float part_6 = static_cast<float>(img[at_ym1 * pitch + at_xm2]);
        const float part_7 = static_cast<float>(img[at_ym1 * pitch + at_xm1]);
        const float part_8 = static_cast<float>(img[at_ym1 * pitch + x]);
        const float part_9 = static_cast<float>(img[at_ym1 * pitch + at_xp1]);
        const float part_10 = static_cast<float>(img[at_ym1 * pitch + at_xp2]);
        const float part_11 = static_cast<float>(img[y * pitch + at_xm2]);
        const float part_12 = static_cast<float>(img[y * pitch + at_xm1]);
        const float part_13 = static_cast<float>(img[y * pitch + at_xp1]);
        const float part_14 = static_cast<float>(img[y * pitch + at_xp2]);
        const Index at_yp1 = st::mirror(y + 1, ny);
        const float part_15 = static_cast<float>(img[at_yp1 * pitch + at_xm2]);
        const float part_16 = static_cast<float>(img[at_yp1 * pitch + at_xm1]);
        const float part_17 = static_cast<float>(img[at_yp1 * pitch + x]);
        const float part_18 = static_cast<float>(img[at_yp1 * pitch + at_xp1]);
        const float part_19 = static_cast<float>(img[at_yp1 * pitch + at_xp2]);
        const Index at_yp2 = st::mirror(y + 2, ny);
        const float part_20 = static_cast<float>(img[at_yp2 * pitch + at_xm2]);
        const float part_21 = static_cast<float>(img[at_yp2 * pitch + at_xm1]);
        const float part_22 = static_cast<float>(img[at_yp2 * pitch + x]);
        const float part_23 = static_cast<float>(img[at_yp2 * pitch + at_xp1]);
        const float part_24 = static_cast<float>(img[at_yp2 * pitch + at_xp2]);
        float sum = __fmul_rn(0.0036630037f, part);
        sum = __fmaf_rn(0.014652015f, part_2, sum);
        sum = __fmaf_rn(0.025641026f, part_3, sum);
        sum = __fmaf_rn(0.014652015f, part_4, sum);
        sum = __fmaf_rn(0.0036630037f, part_5, sum);
        sum = __fmaf_rn(0.014652015f, part_6, sum);
        sum = __fmaf_rn(0.05860806f, part_7, sum);
        sum = __fmaf_rn(0.0952381f, part_8, sum);
        sum = __fmaf_rn(0.05860806f, part_9, sum);
        sum = __fmaf_rn(0.014652015f, part_10, sum);
        sum = __fmaf_rn(0.025641026f, part_11, sum);
        sum = __fmaf_rn(0.0952381f, part_12, sum);
        sum = __fmaf_rn(0.15018316f, static_cast<float>(img[i]), sum);
        sum = __fmaf_rn(0.0952381f, part_13, sum);
        sum = __fmaf_rn(0.025641026f, part_14, sum);
        sum = __fmaf_rn(0.014652015f, part_15, sum);
        sum = __fmaf_rn(0.05860806f, part_16, sum);
        sum = __fmaf_rn(0.0952381f, part_17, sum);
        sum = __fmaf_rn(0.05860806f, part_18, sum);
        sum = __fmaf_rn(0.014652015f, part_19, sum);
        sum = __fmaf_rn(0.0036630037f, part_20, sum);
        sum = __fmaf_rn(0.014652015f, part_21, sum);
        sum = __fmaf_rn(0.025641026f, part_22, sum);
        sum = __fmaf_rn(0.014652015f, part_23, sum);
        sum = __fmaf_rn(0.0036630037f, part_24, sum);
        dst[i] = st::saturate<uint8_t>(sum);
      }
    }
  }
}

// One launch computes everything.
template <typename Index>
stencil::Status advance(
    const uint8_t* img, uint8_t* dst, const stencil::Shape& shape, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const dim3 threads(128, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  step<Index><<<blocks, threads, 0, stream>>>(dst, img, nx, ny, pitch);
  return stencil::launched("conv5x5");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Stream stream) {
  stencil::Call<2> call("conv5x5", stream);
  const uint8_t* img = call.input("img", args.img);
  uint8_t* dst = call.output("dst", args.dst);
  if (!call.ok()) return call.status();
  const int code = conv5x5_run(img, dst, call.nx(), call.ny(), call.pitch(), stream);
  return call.finish(code);
}

}  // namespace conv5x5

int conv5x5_run(
    const uint8_t* img, uint8_t* dst, int64_t nx, int64_t ny, int64_t pitch, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.read("img", img);
  buffers.written("dst", dst);
  const stencil::Steps count{1};
  const stencil::Status ready = stencil::check("conv5x5", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? conv5x5::advance<int> : conv5x5::advance<int64_t>;
  const stencil::Status done = advance(img, dst, shape, stream);
  return stencil::code_of(done);
}
