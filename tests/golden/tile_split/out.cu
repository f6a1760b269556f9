// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --arch=sm_80
//   --schedule=coarsened,threads=32x8,vector=2,coarsen=y4,shared=async,fill=split
//
// Stencil star, 2-D
//   f64 u: 9 points of level t, radius 2, boundary periodic; 2 buffers
//   f64 c: 1 point of level t
// Schedule coarsened,threads=32x8,vector=2,coarsen=y4,shared=async,fill=split
//   asked for by --schedule
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_aecff20ab7238978
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace star {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    double* __restrict__ u_new, const double* __restrict__ u, const double* __restrict__ c,
    bool aligned, Index nx, Index ny, Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 64;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 32;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 2;
  const Index y0 = block_y + static_cast<Index>(threadIdx.y) * 4;
  // The thread's first cell in the tile.
  const Index row = static_cast<Index>(threadIdx.y) * 4 + 2;
  const Index column = static_cast<Index>(threadIdx.x) * 2 + 2;
  // The cells of the block and those around it, in shared memory: some warps load those beside it
  // along x, some those along y, all others its own.
  auto& u_tile = st::shared<st::Plane<double, 36, 68>>(0).at;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 2 && block_x + 66 <= nx;
  const bool interior_y = block_y >= 2 && block_y + 34 <= ny;
  const auto cells = [&](auto edge) {
    // A cell of u; outside the grid it is a ghost cell.
    const auto u_at = [&](Index cell_x, Index cell_y) {
      const Index at_x = st::wrap(cell_x, nx);
      const Index at_y = st::wrap(cell_y, ny);
      return u[at_y * pitch + at_x];
    };
    // A cell of c; outside the grid it is a ghost cell.
    const auto c_at = [&](Index cell_x, Index cell_y) {
      const Index at_x = st::clamp(cell_x, nx);
      const Index at_y = st::clamp(cell_y, ny);
      return c[at_y * pitch + at_x];
    };
    const bool whole_0 = !edge || (aligned && x + 2 <= nx);
    if (edge) {
      const auto u_tile_cell = [&](int row, int column) {
        return u_at(block_x - 2 + column, block_y - 2 + row);
      };
      st::Ghosts<double, Index, 36, 68, 2, 2, 256> u_ghosts(block_x - 2, block_y - 2, nx, ny);
      u_ghosts.store_all(u_tile, u_tile_cell);
    } else {
      st::copy_parts<256, 2, st::Own<2, 2, 64, 32>>(
          u_tile, &u[(block_y - 2) * pitch + block_x - 2], pitch);
      st::commit();
      st::wait<0>();
    }
    st::sync();
    if (!edge || (x < nx && y0 < ny)) {
      Index i = y0 * pitch + x;
      double u_ym2[2];
      double u_ym1[2];
      double u_0[6];
      double u_yp1[2];
      st::load<2>(u_ym2, &u_tile[row - 2][column]);
      st::load<2>(u_ym1, &u_tile[row - 1][column]);
      st::load<2>(&u_0[2], &u_tile[row][column]);
      st::load<2>(u_yp1, &u_tile[row + 1][column]);
#pragma unroll
      for (Index k = 0; k < 4; ++k) {
        const Index y = y0 + k;
        if (!edge || y < ny) {
          double u_yp2[2];
          st::load<2>(u_0, &u_tile[row + k][column - 2]);
          st::load<2>(&u_0[4], &u_tile[row + k][column + 2]);
          st::load<2>(u_yp2, &u_tile[row + k + 2][column]);
          double c_0[2];
          st::fill<2>(c_0, &c[i], whole_0, c_at, x, y);
          double u_out[2];
#pragma unroll
          for (Index v = 0; v < 2; ++v) {
            double sum = __dmul_rn(0.1, u_ym2[v]);
            sum = __fma_rn(0.1, u_ym1[v], sum);
            sum = __fma_rn(0.1, u_0[v], sum);
            sum = __fma_rn(0.1, u_0[v + 1], sum);
            sum = __fma_rn(0.2, u_0[v + 2], sum);
            sum = __fma_rn(0.1, u_0[v + 3], sum);
            sum = __fma_rn(0.1, u_0[v + 4], sum);
            sum = __fma_rn(0.1, u_yp1[v], sum);
            sum = __fma_rn(0.1, u_yp2[v], sum);
            u_out[v] = __fma_rn(c_0[v], sum, u_0[v + 2]);
          }
          st::store_row<2>(&u_new[i], u_out, whole_0, nx - x);
          st::shift<2>(u_ym2, u_ym1);
          st::shift<2>(u_ym1, &u_0[2]);
          st::shift<2>(&u_0[2], u_yp1);
          st::shift<2>(u_yp1, u_yp2);
          i += pitch;
        }
      }
    }
  };
  if (interior_x && interior_y && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `periodic` for u.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    double** u, const double* c, const stencil::Shape& shape, int64_t steps,
    stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<2>(shape, u[0], u[1], c);
  const stencil::Status step_fits = stencil::allow_shared("star", step<Index>, 19584);
  if (!step_fits.ok()) return step_fits;
  const int64_t blocks_x = stencil::blocks(shape.nx, 64);
  const int64_t blocks_y = stencil::blocks(shape.ny, 32);
  const dim3 threads(32, 8);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 19584, stream>>>(u[1], u[0], c, aligned, nx, ny, pitch);
    stencil::rotate<2>(u);
  }
  return stencil::launched("star");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("star", stream);
  auto u = call.levels<2>("u", args.u);
  const double* c = call.input("c", args.c);
  if (!call.ok()) return call.status();
  const int code = star_run(u.at, c, call.nx(), call.ny(), call.pitch(), steps.count, stream);
  return call.finish(code, u);
}

}  // namespace star

int star_run(
    double* u[2], const double* c, int64_t nx, int64_t ny, int64_t pitch, int64_t steps,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<3> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  buffers.read("c", c);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("star", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? star::advance<int> : star::advance<int64_t>;
  const stencil::Status done = advance(u, c, shape, steps, stream);
  return stencil::code_of(done);
}
