// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --arch=sm_90
//   --schedule=coarsened,threads=32x8,vector=4,rows=2,coarsen=z64,sums=scatter,shared=boxes
//
// Stencil diffusion3d, 3-D
//   f32 T: 7 points of level t, radius 1, boundary clamp; 2 buffers
// Schedule coarsened,threads=32x8x1,vector=4,rows=2,coarsen=z64,sums=scatter,shared=boxes,ahead=2
//   asked for by --schedule
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_bc0820888f6f5e64
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace diffusion3d {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    const __grid_constant__ st::Map T_map, float* __restrict__ T_new, const float* __restrict__ T,
    float cc, float cw, float ce, float cn, float cs, float cb, float ct, bool aligned, bool mapped,
    Index nx, Index ny, Index nz, Index pitch, Index plane) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y) * 16;
  const Index block_z = static_cast<Index>(blockIdx.z) * 64;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y = block_y + static_cast<Index>(threadIdx.y) * 2;
  const Index planes = nz - block_z < 64 ? nz - block_z : 64;
  // The thread's first cell in a plane.
  const Index row = static_cast<Index>(threadIdx.y) * 2 + 1;
  const Index column = static_cast<Index>(threadIdx.x) * 4 + 4;
  // Stage n, one plane of each grid, lies in slot n % 3 of the ring; one thread requests it 2
  // stages ahead.
  auto& T_ring = st::shared<st::Plane<float, 18, 136>[3]>(0);
  __shared__ st::Barrier arrived[3];
  const bool leads = mapped && threadIdx.x == 0 && threadIdx.y == 0;
  const auto fetch = [&](Index n) {
    arrived[n % 3].expect(sizeof T_ring[0].at);
    st::copy_box(
        T_ring[n % 3].at, T_map, block_x - 4, block_y - 1, st::clamp(block_z + n - 1, nz),
        arrived[n % 3]);
  };
  st::begin(arrived, leads);
  for (Index n = 0; leads && n < 2 && n < planes + 2; ++n) fetch(n);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 132 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 17 <= ny;
  const auto cells = [&](auto edge) {
    const bool whole_0 = !edge || (aligned && x + 4 <= nx);
    // A cell of T; outside the grid it is a ghost cell.
    const auto T_at = [&](Index cell_x, Index cell_y, Index cell_z) {
      const Index at_x = st::clamp(cell_x, nx);
      const Index at_y = st::clamp(cell_y, ny);
      const Index at_z = st::clamp(cell_z, nz);
      return T[at_z * plane + at_y * pitch + at_x];
    };
    // The source of a ghost cell along x and y: its index in the plane.
    const auto T_ghosts_from = [&](Index plane_row, Index plane_column) {
      const Index at_x = st::clamp(block_x - 4 + plane_column, nx) - (block_x - 4);
      const Index at_y = st::clamp(block_y - 1 + plane_row, ny) - (block_y - 1);
      return at_y * 136 + at_x;
    };
    // The ghost cells of a stage are there one stage ahead.
    st::Ghosts<float, Index, 18, 136, 1, 1, 256> T_ghosts(
        block_x - 4, block_y - 1, nx, ny, T_ghosts_from);
    const auto store_ghosts = [&](Index n) {
      if (mapped) arrived[n % 3].await(n / 3 % 2);
      const Index at = block_z + n - 1;
      const auto at_cell = [&](int row, int column) {
        return T_at(block_x - 4 + column, block_y - 1 + row, at);
      };
      if (mapped) {
        T_ghosts.copy(T_ring[n % 3].at, T_ghosts_from);
      } else {
        T_ghosts.store_all(T_ring[n % 3].at, at_cell);
      }
    };
    if (edge) {
      store_ghosts(0);
    }
    Index i = block_z * plane + y * pitch + x - 2 * plane;
    float sum0[2][4] = {};
    float sum1[2][4] = {};
    for (Index k = -2; k < planes; ++k) {
      const Index n = k + 2;
      // The next copies may overwrite their slot, and this stage has its ghost cells.
      st::sync();
      if (leads && n + 2 < planes + 2) fetch(n + 2);
      if (!edge || mapped) arrived[n % 3].await(n / 3 % 2);
      // Ghost cells written before this barrier come before later boxes in their slot.
      if (edge && leads) st::fence_copies();
      const auto& T_ring_n = T_ring[n % 3].at;
      if (!edge || (x < nx && y < ny && block_z < nz)) {
        float T_0[4][12];
        st::load<4>(&T_0[0][4], &T_ring_n[row - 1][column]);
#pragma unroll
        for (Index r = 0; r < 2; ++r) {
          st::load<4, 3>(T_0[r + 1], &T_ring_n[row + r][column - 4]);
        }
        st::load<4>(&T_0[3][4], &T_ring_n[row + 2][column]);
        float sum[2][4];
#pragma unroll
        for (Index r = 0; r < 2; ++r) {
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            sum[r][v] = __fmaf_rn(ct, T_0[r + 1][v + 4], sum1[r][v]);
            sum1[r][v] = __fmaf_rn(cw, T_0[r + 1][v + 3], sum0[r][v]);
            sum1[r][v] = __fmaf_rn(cc, T_0[r + 1][v + 4], sum1[r][v]);
            sum1[r][v] = __fmaf_rn(ce, T_0[r + 1][v + 5], sum1[r][v]);
            sum1[r][v] = __fmaf_rn(cn, T_0[r][v + 4], sum1[r][v]);
            sum1[r][v] = __fmaf_rn(cs, T_0[r + 2][v + 4], sum1[r][v]);
            sum0[r][v] = __fmul_rn(cb, T_0[r + 1][v + 4]);
          }
        }
        if (k >= 0) {
#pragma unroll
          for (Index r_2 = 0; r_2 < 2; ++r_2) {
            if (!edge || y + r_2 < ny) {
              float T_out[4];
#pragma unroll
              for (Index v_2 = 0; v_2 < 4; ++v_2) {
                T_out[v_2] = sum[r_2][v_2];
              }
              st::store_row<4>(&T_new[i + r_2 * pitch], T_out, whole_0, nx - x);
            }
          }
        }
        i += plane;
      }
      if (edge && n + 1 < planes + 2) store_ghosts(n + 1);
    }
  };
  if (interior_x && interior_y && aligned && mapped) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `clamp` for T.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** T, const stencil::Shape& shape, float cc, float cw, float ce, float cn, float cs,
    float cb, float ct, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index nz = static_cast<Index>(shape.nz);
  const Index pitch = static_cast<Index>(shape.pitch);
  const Index plane = static_cast<Index>(shape.plane);
  const bool aligned = stencil::aligned<4>(shape, T[0], T[1]);
  bool mapped = stencil::copies_boxes(step<Index>);
  st::Map T_maps_136x18[2];
  mapped = mapped && stencil::map_boxes(T_maps_136x18, T, shape, {136, 18, 1});
  const stencil::Status step_fits = stencil::allow_shared("diffusion3d", step<Index>, 29568);
  if (!step_fits.ok()) return step_fits;
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 16);
  const int64_t blocks_z = stencil::blocks(shape.nz, 64);
  const dim3 threads(32, 8, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y, blocks_z);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 29568, stream>>>(
        T_maps_136x18[0], T[1], T[0], cc, cw, ce, cn, cs, cb, ct, aligned, mapped, nx, ny, nz,
        pitch, plane);
    stencil::rotate<2>(T);
    stencil::rotate<2>(T_maps_136x18);
  }
  return stencil::launched("diffusion3d");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<3> call("diffusion3d", stream);
  auto T = call.levels<2>("T", args.T);
  if (!call.ok()) return call.status();
  const int code = diffusion3d_run(
      T.at, call.nx(), call.ny(), call.nz(), call.pitch(), call.plane(), args.cc, args.cw, args.ce,
      args.cn, args.cs, args.cb, args.ct, steps.count, stream);
  return call.finish(code, T);
}

}  // namespace diffusion3d

int diffusion3d_run(
    float* T[2], int64_t nx, int64_t ny, int64_t nz, int64_t pitch, int64_t plane, float cc,
    float cw, float ce, float cn, float cs, float cb, float ct, int64_t steps,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny, nz}, pitch, plane);
  stencil::Buffers<2> buffers;
  buffers.written("T[0]", T[0]);
  buffers.written("T[1]", T[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("diffusion3d", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(plane * nz);
  const auto advance = narrow ? diffusion3d::advance<int> : diffusion3d::advance<int64_t>;
  const stencil::Status done = advance(T, shape, cc, cw, ce, cn, cs, cb, ct, steps, stream);
  return stencil::code_of(done);
}
