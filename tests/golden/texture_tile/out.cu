// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --arch=sm_75
//   --schedule=coarsened,threads=32x8,vector=1,coarsen=y1,loads=texture,shared=loads
//
// Stencil star, 2-D
//   f64 u: 5 points of level t, radius 1, boundary periodic; 2 buffers
// Schedule coarsened,threads=32x8,vector=1,coarsen=y1,shared=loads,loads=texture
//   asked for by --schedule
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_2e20f4c1a822599d
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace star {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    double* __restrict__ u_new, const st::Texture<double, 1, Index> u, Index nx, Index ny,
    Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 32;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // The thread's first cell in the tile.
  const Index row = static_cast<Index>(threadIdx.y) + 1;
  const Index column = static_cast<Index>(threadIdx.x) + 1;
  // The cells of the block and those around it, in shared memory: its threads load them together.
  auto& u_tile = st::shared<st::Plane<double, 10, 34>>(0).at;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 1 && block_x + 33 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 9 <= ny;
  const auto cells = [&](auto edge) {
    // A cell of u; outside the grid it is a ghost cell.
    const auto u_at = [&](Index cell_x, Index cell_y) {
      const Index at_x = st::wrap(cell_x, nx);
      const Index at_y = st::wrap(cell_y, ny);
      return u[at_y * pitch + at_x];
    };
    if (edge) {
      const auto u_tile_cell = [&](int row, int column) {
        return u_at(block_x - 1 + column, block_y - 1 + row);
      };
      st::Ghosts<double, Index, 10, 34, 1, 1, 256> u_ghosts(block_x - 1, block_y - 1, nx, ny);
      u_ghosts.store_all(u_tile, u_tile_cell);
    } else {
      st::load_plane<256>(u_tile, u + ((block_y - 1) * pitch + block_x - 1), pitch);
    }
    st::sync();
    if (!edge || (x < nx && y < ny)) {
      const Index i = y * pitch + x;
      double sum = __dmul_rn(0.125, u_tile[row - 1][column]);
      sum = __fma_rn(0.125, u_tile[row][column - 1], sum);
      sum = __fma_rn(0.5, u_tile[row][column], sum);
      sum = __fma_rn(0.125, u_tile[row][column + 1], sum);
      sum = __fma_rn(0.125, u_tile[row + 1][column], sum);
      u_new[i] = sum;
    }
  };
  if (interior_x && interior_y) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `periodic` for u.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    double** u, const stencil::Shape& shape, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  stencil::Textures<double, 1, Index, 2> u_textures("star", u, shape, stream);
  if (!u_textures.status().ok()) return u_textures.status();
  const stencil::Status step_fits = stencil::allow_shared("star", step<Index>, 2816);
  if (!step_fits.ok()) return step_fits;
  const int64_t blocks_x = stencil::blocks(shape.nx, 32);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const dim3 threads(32, 8);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 2816, stream>>>(u[1], u_textures.at[0], nx, ny, pitch);
    stencil::rotate<2>(u);
    stencil::rotate<2>(u_textures.at);
  }
  return stencil::launched("star");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("star", stream);
  auto u = call.levels<2>("u", args.u);
  if (!call.ok()) return call.status();
  const int code = star_run(u.at, call.nx(), call.ny(), call.pitch(), steps.count, stream);
  return call.finish(code, u);
}

}  // namespace star

int star_run(
    double* u[2], int64_t nx, int64_t ny, int64_t pitch, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("star", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? star::advance<int> : star::advance<int64_t>;
  const stencil::Status done = advance(u, shape, steps, stream);
  return stencil::code_of(done);
}
