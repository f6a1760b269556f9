// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil conv5x5, 2-D
//   u8 img: 25 points of level t, radius 2, boundary mirror
//   u8 dst: written
// Schedule coarsened,threads=64x4,vector=8,coarsen=y8
//   a thread moves 8 cells at once, and keeps what it has loaded for its next ones
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_0499280227accac1
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace conv5x5 {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    uint8_t* __restrict__ dst, const uint8_t* __restrict__ img, bool aligned, Index nx, Index ny,
    Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 512;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 32;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 8;
  const Index y0 = block_y + static_cast<Index>(threadIdx.y) * 8;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 8 && block_x + 520 <= nx;
  const bool interior_y = block_y >= 2 && block_y + 34 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y0 < ny)) {
      // Where a row of img begins, and a cell of a row: near the boundary those that stand for
      // them.
      const auto img_row = [&](Index row_y) {
        const Index at_y = edge ? st::mirror(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto img_in = [&](Index row, Index cell_x) {
        return img[row + st::mirror(cell_x, nx)];
      };
      const bool whole_0 = !edge || (aligned && x + 8 <= nx);
      Index i = y0 * pitch + x;
      uint8_t img_ym2[24];
      uint8_t img_ym1[24];
      uint8_t img_0[24];
      uint8_t img_yp1[24];
      st::fill_row<8, -1, 3>(edge, img_ym2, img, img_row(y0 - 2), x, whole_0, img_in);
      st::fill_row<8, -1, 3>(edge, img_ym1, img, img_row(y0 - 1), x, whole_0, img_in);
      st::fill_row<8, -1, 3>(edge, img_0, img, img_row(y0), x, whole_0, img_in);
      st::fill_row<8, -1, 3>(edge, img_yp1, img, img_row(y0 + 1), x, whole_0, img_in);
#pragma unroll
      for (Index k = 0; k < 8; ++k) {
        const Index y = y0 + k;
        if (!edge || y < ny) {
          uint8_t img_yp2[24];
          st::fill_row<8, -1, 3>(edge, img_yp2, img, img_row(y + 2), x, whole_0, img_in);
          uint8_t dst_out[8];
#pragma unroll
          for (Index v = 0; v < 8; ++v) {
            float sum = __fmul_rn(0.0036630037f, st::f32(img_ym2[v + 6]));
            sum = __fmaf_rn(0.014652015f, st::f32(img_ym2[v + 7]), sum);
            sum = __fmaf_rn(0.025641026f, st::f32(img_ym2[v + 8]), sum);
            sum = __fmaf_rn(0.014652015f, st::f32(img_ym2[v + 9]), sum);
            sum = __fmaf_rn(0.0036630037f, st::f32(img_ym2[v + 10]), sum);
            sum = __fmaf_rn(0.014652015f, st::f32(img_ym1[v + 6]), sum);
            sum = __fmaf_rn(0.05860806f, st::f32(img_ym1[v + 7]), sum);
            sum = __fmaf_rn(0.0952381f, st::f32(img_ym1[v + 8]), sum);
            sum = __fmaf_rn(0.05860806f, st::f32(img_ym1[v + 9]), sum);
            sum = __fmaf_rn(0.014652015f, st::f32(img_ym1[v + 10]), sum);
            sum = __fmaf_rn(0.025641026f, st::f32(img_0[v + 6]), sum);
            sum = __fmaf_rn(0.0952381f, st::f32(img_0[v + 7]), sum);
            sum = __fmaf_rn(0.15018316f, st::f32(img_0[v + 8]), sum);
            sum = __fmaf_rn(0.0952381f, st::f32(img_0[v + 9]), sum);
            sum = __fmaf_rn(0.025641026f, st::f32(img_0[v + 10]), sum);
            sum = __fmaf_rn(0.014652015f, st::f32(img_yp1[v + 6]), sum);
            sum = __fmaf_rn(0.05860806f, st::f32(img_yp1[v + 7]), sum);
            sum = __fmaf_rn(0.0952381f, st::f32(img_yp1[v + 8]), sum);
            sum = __fmaf_rn(0.05860806f, st::f32(img_yp1[v + 9]), sum);
            sum = __fmaf_rn(0.014652015f, st::f32(img_yp1[v + 10]), sum);
            sum = __fmaf_rn(0.0036630037f, st::f32(img_yp2[v + 6]), sum);
            sum = __fmaf_rn(0.014652015f, st::f32(img_yp2[v + 7]), sum);
            sum = __fmaf_rn(0.025641026f, st::f32(img_yp2[v + 8]), sum);
            sum = __fmaf_rn(0.014652015f, st::f32(img_yp2[v + 9]), sum);
            sum = __fmaf_rn(0.0036630037f, st::f32(img_yp2[v + 10]), sum);
            dst_out[v] = st::saturate<uint8_t>(sum);
          }
          st::store_row<8>(&dst[i], dst_out, whole_0, nx - x);
          st::shift<24>(img_ym2, img_ym1);
          st::shift<24>(img_ym1, img_0);
          st::shift<24>(img_0, img_yp1);
          st::shift<24>(img_yp1, img_yp2);
          i += pitch;
        }
      }
    }
  };
  if (interior_x && interior_y && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `mirror` for img.
    cells(st::Constant<true>());
  }
}

// One launch computes everything.
template <typename Index>
stencil::Status advance(
    const uint8_t* img, uint8_t* dst, const stencil::Shape& shape, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<8>(shape, img, dst);
  const int64_t blocks_x = stencil::blocks(shape.nx, 512);
  const int64_t blocks_y = stencil::blocks(shape.ny, 32);
  const dim3 threads(64, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  step<Index><<<blocks, threads, 0, stream>>>(dst, img, aligned, nx, ny, pitch);
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
