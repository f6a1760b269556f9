// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --arch=sm_90
//   --schedule=coarsened,threads=32x8,vector=4,rows=2,coarsen=z512,sums=gather,shared=none,ends=peeled
//
// Stencil diffusion3d, 3-D
//   f32 T: 7 points of level t, radius 1, boundary clamp; 2 buffers
// Schedule
// coarsened,threads=32x8x1,vector=4,rows=2,coarsen=z512,sums=gather,ends=peeled,shared=none
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
    float* __restrict__ T_new, const float* __restrict__ T, float cc, float cw, float ce, float cn,
    float cs, float cb, float ct, bool aligned, Index nx, Index ny, Index nz, Index pitch,
    Index plane) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y) * 16;
  const Index block_z = static_cast<Index>(blockIdx.z) * 512;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y = block_y + static_cast<Index>(threadIdx.y) * 2;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 132 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 17 <= ny;
  const bool inside = interior_x && interior_y && aligned;
  if (x < nx && y < ny && block_z < nz) {
    // A cell of T; outside the grid it is a ghost cell.
    const auto T_at = [&](Index cell_x, Index cell_y, Index cell_z) {
      const Index at_x = st::clamp(cell_x, nx);
      const Index at_y = st::clamp(cell_y, ny);
      const Index at_z = st::clamp(cell_z, nz);
      return T[at_z * plane + at_y * pitch + at_x];
    };
    const bool whole_0 = aligned && x + 4 <= nx;
    const bool whole_m1 = aligned && x >= 4;
    const bool whole_1 = aligned && x + 8 <= nx;
    Index i = block_z * plane + y * pitch + x;
    float T_zm1[2][4];
    float T_0[4][12];
#pragma unroll
    for (Index r = 0; r < 2; ++r) {
      st::fill<4>(
          T_zm1[r], &T[i + r * pitch - plane], whole_0 && y + r < ny && block_z >= 1, T_at, x,
          y + r, block_z - 1);
    }
#pragma unroll
    for (Index r = 0; r < 2; ++r) {
      st::fill<4>(
          &T_0[r + 1][4], &T[i + r * pitch], whole_0 && y + r < ny, T_at, x, y + r, block_z);
    }
    const auto cells = [&](auto edge, Index k) {
      const Index z = block_z + k;
      if (!edge || z < nz) {
        float T_zp1[2][4];
        st::fill<4>(&T_0[0][4], &T[i - pitch], !edge || (whole_0 && y - 1 >= 0), T_at, x, y - 1, z);
#pragma unroll
        for (Index r = 0; r < 2; ++r) {
          st::fill<4>(
              T_0[r + 1], &T[i + r * pitch - 4], !edge || (whole_m1 && y + r < ny), T_at, x - 4,
              y + r, z);
        }
#pragma unroll
        for (Index r = 0; r < 2; ++r) {
          st::fill<4>(
              &T_0[r + 1][8], &T[i + r * pitch + 4], !edge || (whole_1 && y + r < ny), T_at, x + 4,
              y + r, z);
        }
        st::fill<4>(
            &T_0[3][4], &T[i + 2 * pitch], !edge || (whole_0 && y + 2 < ny), T_at, x, y + 2, z);
#pragma unroll
        for (Index r = 0; r < 2; ++r) {
          st::fill<4>(
              T_zp1[r], &T[i + r * pitch + plane], !edge || (whole_0 && y + r < ny && z + 1 < nz),
              T_at, x, y + r, z + 1);
        }
#pragma unroll
        for (Index r = 0; r < 2; ++r) {
          if (!edge || y + r < ny) {
            float T_out[4];
#pragma unroll
            for (Index v = 0; v < 4; ++v) {
              float sum = __fmul_rn(cb, T_zm1[r][v]);
              sum = __fmaf_rn(cw, T_0[r + 1][v + 3], sum);
              sum = __fmaf_rn(cc, T_0[r + 1][v + 4], sum);
              sum = __fmaf_rn(ce, T_0[r + 1][v + 5], sum);
              sum = __fmaf_rn(cn, T_0[r][v + 4], sum);
              sum = __fmaf_rn(cs, T_0[r + 2][v + 4], sum);
              sum = __fmaf_rn(ct, T_zp1[r][v], sum);
              T_out[v] = sum;
            }
            st::store_row<4>(&T_new[i + r * pitch], T_out, !edge || whole_0, nx - x);
          }
        }
#pragma unroll
        for (Index r_2 = 0; r_2 < 2; ++r_2) {
          st::shift<4>(T_zm1[r_2], &T_0[r_2 + 1][4]);
        }
#pragma unroll
        for (Index r_2 = 0; r_2 < 2; ++r_2) {
          st::shift<4>(&T_0[r_2 + 1][4], T_zp1[r_2]);
        }
        i += plane;
      }
    };
    // Cells [begin, end) of the loop read nothing outside the grid; the others are peeled from its
    // loop.
    const Index begin = inside ? 1 - block_z : 512;
    const Index to_end = nz - 1 - block_z;
    const Index end = to_end < 512 ? to_end : 512;
    Index k = 0;
    for (; k < begin; ++k) {
      cells(st::Constant<true>(), k);
    }
    for (; k < end; ++k) {
      cells(st::Constant<false>(), k);
    }
    for (; k < 512; ++k) {
      cells(st::Constant<true>(), k);
    }
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
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 16);
  const int64_t blocks_z = stencil::blocks(shape.nz, 512);
  const dim3 threads(32, 8, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y, blocks_z);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(
        T[1], T[0], cc, cw, ce, cn, cs, cb, ct, aligned, nx, ny, nz, pitch, plane);
    stencil::rotate<2>(T);
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
