// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --arch=sm_75
//   --schedule=coarsened,threads=32x8,vector=1,coarsen=y4,shared=loads
//
// Stencil plate, 2-D
//   f32 T: 5 points of level t, radius 1, boundary x clamp, y constant 20; 2 buffers
// Schedule coarsened,threads=32x8,vector=1,coarsen=y4,shared=loads
//   asked for by --schedule
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_6d7e8e1b0ad7bae3
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace plate {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ T_new, const float* __restrict__ T, float a, Index nx, Index ny,
    Index pitch) {
  const float factor = __fadd_rn(1.0f, __fmul_rn(-a, 4.0f));
  const Index block_x = static_cast<Index>(blockIdx.x) * 32;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 32;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  const Index y0 = block_y + static_cast<Index>(threadIdx.y) * 4;
  // The thread's first cell in the tile.
  const Index row = static_cast<Index>(threadIdx.y) * 4 + 1;
  const Index column = static_cast<Index>(threadIdx.x) + 1;
  // The cells of the block and those around it, in shared memory: its threads load them together.
  auto& T_tile = st::shared<st::Plane<float, 34, 34>>(0).at;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 1 && block_x + 33 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 33 <= ny;
  const auto cells = [&](auto edge) {
    // A cell of T; outside the grid it is a ghost cell.
    const auto T_at = [&](Index cell_x, Index cell_y) {
      const Index at_x = st::clamp(cell_x, nx);
      const bool has_y = cell_y >= 0 && cell_y < ny;
      const Index i = cell_y * pitch + at_x;
      return has_y ? T[i] : 20.0f;
    };
    if (edge) {
      const auto T_tile_cell = [&](int row, int column) {
        return T_at(block_x - 1 + column, block_y - 1 + row);
      };
      st::Ghosts<float, Index, 34, 34, 1, 1, 256> T_ghosts(block_x - 1, block_y - 1, nx, ny);
      T_ghosts.store_all(T_tile, T_tile_cell);
    } else {
      st::load_plane<256>(T_tile, &T[(block_y - 1) * pitch + block_x - 1], pitch);
    }
    st::sync();
    if (!edge || (x < nx && y0 < ny)) {
      Index i = y0 * pitch + x;
      float T_ym1 = T_tile[row - 1][column];
      float T_0 = T_tile[row][column];
#pragma unroll
      for (Index k = 0; k < 4; ++k) {
        const Index y = y0 + k;
        if (!edge || y < ny) {
          const float T_yp1 = T_tile[row + k + 1][column];
          float sum = __fmul_rn(a, T_ym1);
          sum = __fmaf_rn(a, T_tile[row + k][column - 1], sum);
          sum = __fmaf_rn(factor, T_0, sum);
          sum = __fmaf_rn(a, T_tile[row + k][column + 1], sum);
          sum = __fmaf_rn(a, T_yp1, sum);
          T_new[i] = sum;
          T_ym1 = T_0;
          T_0 = T_yp1;
          i += pitch;
        }
      }
    }
  };
  if (interior_x && interior_y) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `clamp` and `constant` for T.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** T, const stencil::Shape& shape, float a, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const stencil::Status step_fits = stencil::allow_shared("plate", step<Index>, 4736);
  if (!step_fits.ok()) return step_fits;
  const int64_t blocks_x = stencil::blocks(shape.nx, 32);
  const int64_t blocks_y = stencil::blocks(shape.ny, 32);
  const dim3 threads(32, 8);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 4736, stream>>>(T[1], T[0], a, nx, ny, pitch);
    stencil::rotate<2>(T);
  }
  return stencil::launched("plate");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("plate", stream);
  auto T = call.levels<2>("T", args.T);
  if (!call.ok()) return call.status();
  const int code = plate_run(T.at, call.nx(), call.ny(), call.pitch(), args.a, steps.count, stream);
  return call.finish(code, T);
}

}  // namespace plate

int plate_run(
    float* T[2], int64_t nx, int64_t ny, int64_t pitch, float a, int64_t steps,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("T[0]", T[0]);
  buffers.written("T[1]", T[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("plate", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? plate::advance<int> : plate::advance<int64_t>;
  const stencil::Status done = advance(T, shape, a, steps, stream);
  return stencil::code_of(done);
}
