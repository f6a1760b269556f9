// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil life, 2-D
//   u8 a: 9 points of level t, radius 1, boundary periodic; 2 buffers
// Schedule coarsened,threads=64x4,vector=8,coarsen=y8
//   a thread moves 8 cells at once, and keeps what it has loaded for its next ones
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace life {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    uint8_t* __restrict__ a_new, const uint8_t* __restrict__ a, bool aligned, Index nx, Index ny,
    Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 512;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 32;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 8;
  const Index y0 = block_y + static_cast<Index>(threadIdx.y) * 8;
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 8 && block_x + 520 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 33 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y0 < ny)) {
      // Where a row of a begins, and a cell of a row: near the rim those that stand for them.
      const auto a_row = [&](Index row_y) {
        const Index at_y = edge ? st::wrap(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto a_in = [&](Index row, Index cell_x) { return a[row + st::wrap(cell_x, nx)]; };
      const bool whole_0 = !edge || (aligned && x + 8 <= nx);
      Index i = y0 * pitch + x;
      uint8_t a_ym1[24];
      uint8_t a_0[24];
      st::fill_row<8, -1, 3>(edge, a_ym1, a, a_row(y0 - 1), x, whole_0, a_in);
      st::fill_row<8, -1, 3>(edge, a_0, a, a_row(y0), x, whole_0, a_in);
#pragma unroll
      for (Index k = 0; k < 8; ++k) {
        const Index y = y0 + k;
        if (!edge || y < ny) {
          uint8_t a_yp1[24];
          st::fill_row<8, -1, 3>(edge, a_yp1, a, a_row(y + 1), x, whole_0, a_in);
          uint8_t a_out[8];
#pragma unroll
          for (Index v = 0; v < 8; ++v) {
            const int32_t part = a_ym1[v + 7] + a_0[v + 7];
            const int32_t part_2 = part + a_yp1[v + 7] + a_ym1[v + 8];
            const int32_t part_3 = part_2 + a_0[v + 8] + a_yp1[v + 8];
            const int32_t part_4 = part_3 + a_ym1[v + 9] + a_0[v + 9];
            const int32_t n = part_4 + a_yp1[v + 9] - a_0[v + 8];
            const bool part_5 = n == 3 || (a_0[v + 8] == 1 && n == 2);
            a_out[v] = part_5 ? uint8_t{1} : uint8_t{0};
          }
          st::store_row<8>(&a_new[i], a_out, whole_0, nx - x);
          st::shift<24>(a_ym1, a_0);
          st::shift<24>(a_0, a_yp1);
          i += pitch;
        }
      }
    }
  };
  if (interior_x && interior_y && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `periodic` for a.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    uint8_t** a, const stencil::Shape& shape, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<8>(shape, a[0], a[1]);
  const int64_t blocks_x = stencil::blocks(shape.nx, 512);
  const int64_t blocks_y = stencil::blocks(shape.ny, 32);
  const dim3 threads(64, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(a[1], a[0], aligned, nx, ny, pitch);
    stencil::rotate<2>(a);
  }
  return stencil::launched("life");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("life", stream);
  auto a = call.levels<2>("a", args.a);
  if (!call.ok()) return call.status();
  const int code = life_run(a.at, call.nx(), call.ny(), call.pitch(), steps.count, stream);
  return call.finish(code, a);
}

}  // namespace life

int life_run(
    uint8_t* a[2], int64_t nx, int64_t ny, int64_t pitch, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("a[0]", a[0]);
  buffers.written("a[1]", a[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("life", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? life::advance<int> : life::advance<int64_t>;
  const stencil::Status done = advance(a, shape, steps, stream);
  return stencil::code_of(done);
}
