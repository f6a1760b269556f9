// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --schedule=coarsened
//
// Stencil diffusion3d, 3-D
//   f32 T: 7 points of level t, radius 1, boundary clamp; 2 buffers
// Schedule coarsened,threads=32x8x1,vector=4,rows=1,coarsen=z8,sums=gather,shared=none
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
  const Index block_y = static_cast<Index>(blockIdx.y) * 8;
  const Index block_z = static_cast<Index>(blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks need no checks; at the ends of rows what lies beside a cell does (edge_x).
  const bool interior_x = block_x >= 4 && block_x + 132 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 9 <= ny;
  const bool interior_z = block_z >= 1 && block_z + 9 <= nz;
  const auto cells = [&](auto edge, auto edge_x) {
    if (!edge || (x < nx && y < ny && block_z < nz)) {
      // Where a row of T begins, and a cell of a row: near the boundary those that stand for them.
      const auto T_row = [&](Index row_y, Index row_z) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        const Index at_z = edge ? st::clamp(row_z, nz) : row_z;
        return at_z * plane + at_y * pitch;
      };
      const auto T_in = [&](Index row, Index cell_x) { return T[row + st::clamp(cell_x, nx)]; };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      Index i = block_z * plane + y * pitch + x;
      float T_zm1[4];
      float T_0[12];
      st::fill_row<4>(edge, T_zm1, T, T_row(y, block_z - 1), x, whole_0, T_in);
      st::fill_row<4>(edge, &T_0[4], T, T_row(y, block_z), x, whole_0, T_in);
#pragma unroll
      for (Index k = 0; k < 8; ++k) {
        const Index z = block_z + k;
        if (!edge || z < nz) {
          float T_ym1[4];
          st::fill_row<4>(edge, T_ym1, T, T_row(y - 1, z), x, whole_0, T_in);
          float T_zp1[4];
          st::fill_row<4, -1>(edge_x, T_0, T, T_row(y, z), x, whole_0, T_in);
          st::fill_row<4, 1>(edge_x, &T_0[8], T, T_row(y, z), x, whole_0, T_in);
          st::fill_row<4>(edge, T_zp1, T, T_row(y, z + 1), x, whole_0, T_in);
          float T_yp1[4];
          st::fill_row<4>(edge, T_yp1, T, T_row(y + 1, z), x, whole_0, T_in);
          float T_out[4];
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            float sum = __fmul_rn(cb, T_zm1[v]);
            sum = __fmaf_rn(cw, T_0[v + 3], sum);
            sum = __fmaf_rn(cc, T_0[v + 4], sum);
            sum = __fmaf_rn(ce, T_0[v + 5], sum);
            sum = __fmaf_rn(cn, T_ym1[v], sum);
            sum = __fmaf_rn(cs, T_yp1[v], sum);
            sum = __fmaf_rn(ct, T_zp1[v], sum);
            T_out[v] = sum;
          }
          st::store_row<4>(&T_new[i], T_out, whole_0, nx - x);
          st::shift<4>(T_zm1, &T_0[4]);
          st::shift<4>(&T_0[4], T_zp1);
          i += plane;
        }
      }
    }
  };
  if (interior_x && interior_y && interior_z && aligned) {
    cells(st::Constant<false>(), st::Constant<false>());
  } else if (interior_y && interior_z && aligned && block_x + 128 <= nx) {
    cells(st::Constant<false>(), st::Constant<true>());
  } else {
    // Edge blocks: `clamp` for T.
    cells(st::Constant<true>(), st::Constant<true>());
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
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const int64_t blocks_z = stencil::blocks(shape.nz, 8);
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
