// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --arch=sm_90
//   --schedule=coarsened,threads=32x8,vector=4,rows=2,coarsen=z64,sums=gather,shared=boxes,fill=producers
//
// Stencil diffusion, 3-D
//   f32 u: 7 points of level t, radius 1, boundary clamp; 2 buffers
// Schedule
// coarsened,threads=32x8x1,vector=4,rows=2,coarsen=z64,sums=gather,shared=boxes,ahead=2,fill=producers
//   asked for by --schedule
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_f5419f73ff326f0a
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace diffusion {
namespace {

template <typename Index>
__global__ void __launch_bounds__(288, 1) step(
    const __grid_constant__ st::Map u_map, float* __restrict__ u_new, const float* __restrict__ u,
    float c, bool aligned, bool mapped, Index nx, Index ny, Index nz, Index pitch, Index plane) {
  const float factor = __fadd_rn(1.0f, __fmul_rn(c, -6.0f));
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y) * 16;
  const Index block_z = static_cast<Index>(blockIdx.z) * 64;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y = block_y + static_cast<Index>(threadIdx.y) * 2;
  const Index planes = nz - block_z < 64 ? nz - block_z : 64;
  // The thread's first cell in a plane.
  const Index row = static_cast<Index>(threadIdx.y) * 2 + 1;
  const Index column = static_cast<Index>(threadIdx.x) * 4 + 4;
  // Stage n, one plane of each grid, lies in slot n % 4 of the ring; threads that compute nothing
  // fill it, at least 2 stages ahead.
  auto& u_ring = st::shared<st::Plane<float, 18, 136>[4]>(0);
  // Barriers of a slot: its boxes have arrived; with its ghost cells it is whole; all warps that
  // compute have read it, and its slot is free.
  __shared__ st::Barrier arrived[4], whole[4], freed[4];
  const bool fills = st::thread_of_block() >= 256;
  const bool leads = mapped && st::thread_of_block() == 256;
  const auto fetch = [&](Index n) {
    arrived[n % 4].expect(sizeof u_ring[0].at);
    st::copy_box(
        u_ring[n % 4].at, u_map, block_x - 4, block_y - 1, st::clamp(block_z + n - 1, nz),
        arrived[n % 4]);
  };
  st::begin<32, 8>(arrived, whole, freed);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 132 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 17 <= ny;
  const auto cells = [&](auto edge) {
    // A cell of u; outside the grid it is a ghost cell.
    const auto u_at = [&](Index cell_x, Index cell_y, Index cell_z) {
      const Index at_x = st::clamp(cell_x, nx);
      const Index at_y = st::clamp(cell_y, ny);
      const Index at_z = st::clamp(cell_z, nz);
      return u[at_z * plane + at_y * pitch + at_x];
    };
    const bool whole_0 = !edge || (aligned && x + 4 <= nx);
    // The source of a ghost cell along x and y: its index in the plane.
    const auto u_ghosts_from = [&](Index plane_row, Index plane_column) {
      const Index at_x = st::clamp(block_x - 4 + plane_column, nx) - (block_x - 4);
      const Index at_y = st::clamp(block_y - 1 + plane_row, ny) - (block_y - 1);
      return at_y * 136 + at_x;
    };
    if (fills) {
      st::Ghosts<float, Index, 18, 136, 1, 1, 32, 256> u_ghosts(
          block_x - 4, block_y - 1, nx, ny, u_ghosts_from);
      const auto store_ghosts = [&](Index n) {
        if (mapped) arrived[n % 4].await(n / 4 % 2);
        const Index at = block_z + n - 1;
        const auto at_cell = [&](int row, int column) {
          return u_at(block_x - 4 + column, block_y - 1 + row, at);
        };
        if (mapped) {
          u_ghosts.copy(u_ring[n % 4].at, u_ghosts_from);
        } else {
          u_ghosts.store_all(u_ring[n % 4].at, at_cell);
        }
      };
      for (Index n = 0; leads && n < 2 && n < planes + 2; ++n) fetch(n);
      for (Index n = 0; n < planes + 2; ++n) {
        if (edge) {
          store_ghosts(n);
          whole[n % 4].arrive();
        }
        const Index next = n + 2;
        if (next >= planes + 2) continue;
        // All warps have read the plane that was in the slot.
        if (next >= 4) freed[next % 4].await((next / 4 + 1) % 2);
        if (edge && leads) st::fence_copies();
        if (leads) fetch(next);
      }
      return;
    }
    Index i = block_z * plane + y * pitch + x - 2 * plane;
    float u_zm1[2][4] = {};
    float u_0[4][12] = {};
    for (Index k = -2; k < planes; ++k) {
      const Index n = k + 2;
      (edge ? whole : arrived)[n % 4].await(n / 4 % 2);
      const auto& u_ring_n = u_ring[n % 4].at;
      const auto& u_ring_nm1 = u_ring[(n + 3) % 4].at;
      if (!edge || (x < nx && y < ny && block_z < nz)) {
        float u_zp1[2][4];
#pragma unroll
        for (Index r = 0; r < 2; ++r) {
          st::load<4>(u_zp1[r], &u_ring_n[row + r][column]);
        }
        if (k >= 0) {
          st::load<4>(&u_0[0][4], &u_ring_nm1[row - 1][column]);
#pragma unroll
          for (Index r = 0; r < 2; ++r) {
            st::load<4>(u_0[r + 1], &u_ring_nm1[row + r][column - 4]);
          }
#pragma unroll
          for (Index r = 0; r < 2; ++r) {
            st::load<4>(&u_0[r + 1][8], &u_ring_nm1[row + r][column + 4]);
          }
          st::load<4>(&u_0[3][4], &u_ring_nm1[row + 2][column]);
#pragma unroll
          for (Index r = 0; r < 2; ++r) {
            if (!edge || y + r < ny) {
              float u_out[4];
#pragma unroll
              for (Index v = 0; v < 4; ++v) {
                float sum = __fmul_rn(c, u_zm1[r][v]);
                sum = __fmaf_rn(c, u_0[r + 1][v + 3], sum);
                sum = __fmaf_rn(factor, u_0[r + 1][v + 4], sum);
                sum = __fmaf_rn(c, u_0[r + 1][v + 5], sum);
                sum = __fmaf_rn(c, u_0[r][v + 4], sum);
                sum = __fmaf_rn(c, u_0[r + 2][v + 4], sum);
                sum = __fmaf_rn(c, u_zp1[r][v], sum);
                u_out[v] = sum;
              }
              st::store_row<4>(&u_new[i + r * pitch], u_out, whole_0, nx - x);
            }
          }
        }
#pragma unroll
        for (Index r = 0; r < 2; ++r) {
          st::shift<4>(u_zm1[r], &u_0[r + 1][4]);
        }
#pragma unroll
        for (Index r = 0; r < 2; ++r) {
          st::shift<4>(&u_0[r + 1][4], u_zp1[r]);
        }
        i += plane;
      }
      if (n >= 1) st::release(freed[(n - 1) % 4]);
    }
  };
  if (interior_x && interior_y && aligned && mapped) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `clamp` for u.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, const stencil::Shape& shape, float c, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index nz = static_cast<Index>(shape.nz);
  const Index pitch = static_cast<Index>(shape.pitch);
  const Index plane = static_cast<Index>(shape.plane);
  const bool aligned = stencil::aligned<4>(shape, u[0], u[1]);
  bool mapped = stencil::copies_boxes(step<Index>);
  st::Map u_maps_136x18[2];
  mapped = mapped && stencil::map_boxes(u_maps_136x18, u, shape, {136, 18, 1});
  const stencil::Status step_fits = stencil::allow_shared("diffusion", step<Index>, 39424);
  if (!step_fits.ok()) return step_fits;
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 16);
  const int64_t blocks_z = stencil::blocks(shape.nz, 64);
  const dim3 threads(32, 9, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y, blocks_z);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 39424, stream>>>(
        u_maps_136x18[0], u[1], u[0], c, aligned, mapped, nx, ny, nz, pitch, plane);
    stencil::rotate<2>(u);
    stencil::rotate<2>(u_maps_136x18);
  }
  return stencil::launched("diffusion");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<3> call("diffusion", stream);
  auto u = call.levels<2>("u", args.u);
  if (!call.ok()) return call.status();
  const int code = diffusion_run(
      u.at, call.nx(), call.ny(), call.nz(), call.pitch(), call.plane(), args.c, steps.count,
      stream);
  return call.finish(code, u);
}

}  // namespace diffusion

int diffusion_run(
    float* u[2], int64_t nx, int64_t ny, int64_t nz, int64_t pitch, int64_t plane, float c,
    int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny, nz}, pitch, plane);
  stencil::Buffers<2> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("diffusion", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(plane * nz);
  const auto advance = narrow ? diffusion::advance<int> : diffusion::advance<int64_t>;
  const stencil::Status done = advance(u, shape, c, steps, stream);
  return stencil::code_of(done);
}
