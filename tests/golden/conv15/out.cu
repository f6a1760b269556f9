// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil conv15, 2-D
//   f32 img: 225 points of level t, radius 7, boundary clamp
//   f32 dst: written
// Schedule coarsened,threads=32x4,vector=8,rows=4,coarsen=y1,taps=rolled
//   sums of 225 taps are loops: a thread adds the rows that arrive to 4 rows of 8 sums, which it
//   holds
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace conv15 {
namespace {

template <typename Index>
__global__ void __launch_bounds__(128) step(
    float* __restrict__ dst, const float* __restrict__ img, const stencil::Weights<float, 240> w,
    bool aligned, Index nx, Index ny, Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 256;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 16;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 8;
  const Index y = block_y + static_cast<Index>(threadIdx.y) * 4;
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 8 && block_x + 264 <= nx;
  const bool interior_y = block_y >= 7 && block_y + 23 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y < ny)) {
      // A cell of img, by its boundary where it lies beyond the rim.
      const auto img_at = [&](Index cell_x, Index cell_y) {
        const Index at_x = st::clamp(cell_x, nx);
        const Index at_y = st::clamp(cell_y, ny);
        return img[at_y * pitch + at_x];
      };
      const bool whole_0 = !edge || (aligned && x + 8 <= nx);
      const bool whole_m1_to_1 = !edge || (aligned && x >= 8 && x + 16 <= nx);
      const Index i = y * pitch + x;
      // -0 and a product is the product, even where that is -0.
      float sum[4][8];
#pragma unroll
      for (Index r = 0; r < 4; ++r) {
#pragma unroll
        for (Index v = 0; v < 8; ++v) {
          sum[r][v] = -0.0f;
        }
      }
      Index j = i - 7 * pitch;
      for (Index row = 0; row < 18; ++row) {
        float img_0[24];
        st::fill<8, 3>(
            img_0, &img[j - 8], whole_m1_to_1 && (!edge || (y + row - 7 >= 0 && y + row - 7 < ny)),
            img_at, x - 8, y + row - 7);
#pragma unroll
        for (Index r = 0; r < 4; ++r) {
          if (r <= row && row < r + 15) {
#pragma unroll
            for (Index tap = 0; tap < 15; ++tap) {
#pragma unroll
              for (Index v = 0; v < 8; ++v) {
                sum[r][v] = __fmaf_rn(w[(row - r) * 16 + tap], img_0[v + tap + 1], sum[r][v]);
              }
            }
          }
        }
        j += pitch;
      }
#pragma unroll
      for (Index r = 0; r < 4; ++r) {
        if (!edge || y + r < ny) {
          float dst_out[8];
#pragma unroll
          for (Index v = 0; v < 8; ++v) {
            dst_out[v] = sum[r][v];
          }
          st::store_row<8>(&dst[i + r * pitch], dst_out, whole_0, nx - x);
        }
      }
    }
  };
  if (interior_x && interior_y && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `clamp` for img.
    cells(st::Constant<true>());
  }
}

// One launch computes everything.
template <typename Index>
stencil::Status advance(
    const float* img, float* dst, const stencil::Shape& shape,
    const stencil::Weights<float, 240>& w, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<8>(shape, img, dst);
  const int64_t blocks_x = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y = stencil::blocks(shape.ny, 16);
  const dim3 threads(32, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  step<Index><<<blocks, threads, 0, stream>>>(dst, img, w, aligned, nx, ny, pitch);
  return stencil::launched("conv15");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Stream stream) {
  stencil::Call<2> call("conv15", stream);
  const float* img = call.input("img", args.img);
  float* dst = call.output("dst", args.dst);
  if (!call.ok()) return call.status();
  const int code = conv15_run(img, dst, call.nx(), call.ny(), call.pitch(), args.w, stream);
  return call.finish(code);
}

}  // namespace conv15

int conv15_run(
    const float* img, float* dst, int64_t nx, int64_t ny, int64_t pitch, const float* w,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.read("img", img);
  buffers.written("dst", dst);
  const stencil::Steps count{1};
  stencil::Status ready = stencil::check("conv15", shape, count, buffers);
  stencil::Weights<float, 240> w_values;
  if (ready.ok()) ready = stencil::take_columns<15, 15>("conv15", "w", w, w_values);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? conv15::advance<int> : conv15::advance<int64_t>;
  const stencil::Status done = advance(img, dst, shape, w_values, stream);
  return stencil::code_of(done);
}
