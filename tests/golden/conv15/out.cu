// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil conv15, 2-D
//   f32 img: 225 points of level t, radius 7, boundary clamp
//   f32 dst: written
// Schedule coarsened,threads=8x32,vector=16,rows=2,coarsen=y1,taps=rolled,shared=loads
//   sums of 225 taps are loops: a thread adds the rows that arrive to 2 rows of 16 sums, which it
//   holds
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_bd8d69d3b05991c8
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace conv15 {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ dst, const float* __restrict__ img, const stencil::Weights<float, 240> w,
    bool aligned, Index nx, Index ny, Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 64;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 16;
  const Index y = block_y + static_cast<Index>(threadIdx.y) * 2;
  // The thread's first cell in the tile.
  const Index row = static_cast<Index>(threadIdx.y) * 2 + 7;
  const Index column = static_cast<Index>(threadIdx.x) * 20 + 20;
  // The cells of the block and those around it, in shared memory: its threads load them together.
  auto& img_tile = st::shared<st::Plane<float, 78, 200>>(0).at;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 16 && block_x + 144 <= nx;
  const bool interior_y = block_y >= 7 && block_y + 71 <= ny;
  const auto cells = [&](auto edge) {
    // A cell of img; outside the grid it is a ghost cell.
    const auto img_at = [&](Index cell_x, Index cell_y) {
      const Index at_x = st::clamp(cell_x, nx);
      const Index at_y = st::clamp(cell_y, ny);
      return img[at_y * pitch + at_x];
    };
    const bool whole_0 = !edge || (aligned && x + 16 <= nx);
    if (edge) {
      const auto img_tile_cell = [&](int row, int column) {
        return img_at(block_x - 16 + column, block_y - 7 + row);
      };
      st::Ghosts<float, Index, 78, 160, 7, 7, 256, 0, 16> img_ghosts(
          block_x - 16, block_y - 7, nx, ny);
      img_ghosts.store_all(img_tile, img_tile_cell);
    } else {
      st::load_plane<256, 0, 16>(img_tile, &img[(block_y - 7) * pitch + block_x - 16], pitch);
    }
    st::sync();
    if (!edge || (x < nx && y < ny)) {
      const Index i = y * pitch + x;
      // -0 and a product is the product, even where that is -0.
      float sum[2][16];
#pragma unroll
      for (Index r = 0; r < 2; ++r) {
#pragma unroll
        for (Index v = 0; v < 16; ++v) {
          sum[r][v] = -0.0f;
        }
      }
      for (Index row_2 = 0; row_2 < 16; ++row_2) {
        float img_0[48];
        st::load<16>(img_0, &img_tile[row + (row_2 - 7)][column - 20]);
        st::load<16>(&img_0[16], &img_tile[row + (row_2 - 7)][column]);
        st::load<16>(&img_0[32], &img_tile[row + (row_2 - 7)][column + 20]);
#pragma unroll
        for (Index r = 0; r < 2; ++r) {
          if (r <= row_2 && row_2 < r + 15) {
#pragma unroll
            for (Index tap = 0; tap < 15; ++tap) {
#pragma unroll
              for (Index v = 0; v < 16; ++v) {
                sum[r][v] = __fmaf_rn(w[(row_2 - r) * 16 + tap], img_0[v + tap + 9], sum[r][v]);
              }
            }
          }
        }
      }
#pragma unroll
      for (Index r = 0; r < 2; ++r) {
        if (!edge || y + r < ny) {
          float dst_out[16];
#pragma unroll
          for (Index v = 0; v < 16; ++v) {
            dst_out[v] = sum[r][v];
          }
          st::store_row<16>(&dst[i + r * pitch], dst_out, whole_0, nx - x);
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
  const bool aligned = stencil::aligned<16>(shape, img, dst);
  const stencil::Status step_fits = stencil::allow_shared("conv15", step<Index>, 62464);
  if (!step_fits.ok()) return step_fits;
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 64);
  const dim3 threads(8, 32);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  step<Index><<<blocks, threads, 62464, stream>>>(dst, img, w, aligned, nx, ny, pitch);
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
