// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --arch=sm_90
//   --schedule=coarsened,threads=64x4,vector=1,coarsen=z512,shared=none,ends=peeled
//
// Stencil diffusion3d, 3-D
//   f32 T: 7 points of level t, radius 1, boundary clamp; 2 buffers
// Schedule coarsened,threads=64x4x1,vector=1,coarsen=z512,ends=peeled
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
    float cs, float cb, float ct, Index nx, Index ny, Index nz, Index pitch, Index plane) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 64;
  const Index block_y = static_cast<Index>(blockIdx.y) * 4;
  const Index block_z = static_cast<Index>(blockIdx.z) * 512;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 1 && block_x + 65 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 5 <= ny;
  // Cells [first, end) of the loop. Edge blocks: `clamp` for T.
  const auto edge_cells = [&](Index first, Index end) {
    for (Index z = first; z < end; ++z) {
      if (x < nx && y < ny && z < nz) {
        const Index i = z * plane + y * pitch + x;
        const Index at_zm1 = st::clamp(z - 1, nz);
        const Index at_xm1 = st::clamp(x - 1, nx);
        const Index at_xp1 = st::clamp(x + 1, nx);
        const Index at_ym1 = st::clamp(y - 1, ny);
        const Index at_yp1 = st::clamp(y + 1, ny);
        const Index at_zp1 = st::clamp(z + 1, nz);
        float sum = __fmul_rn(cb, T[at_zm1 * plane + y * pitch + x]);
        sum = __fmaf_rn(cw, T[z * plane + y * pitch + at_xm1], sum);
        sum = __fmaf_rn(cc, T[i], sum);
        sum = __fmaf_rn(ce, T[z * plane + y * pitch + at_xp1], sum);
        sum = __fmaf_rn(cn, T[z * plane + at_ym1 * pitch + x], sum);
        sum = __fmaf_rn(cs, T[z * plane + at_yp1 * pitch + x], sum);
        sum = __fmaf_rn(ct, T[at_zp1 * plane + y * pitch + x], sum);
        T_new[i] = sum;
      }
    }
  };
  if (interior_x && interior_y) {
    // Cells [begin, end) read nothing outside the grid; the others are peeled from the loop.
    const Index begin = block_z < 1 ? 1 : block_z;
    const Index end = nz - 1 < block_z + 512 ? nz - 1 : block_z + 512;
    edge_cells(block_z, begin);
    if (begin < end) {
      Index i = begin * plane + y * pitch + x;
      float T_zm1 = T[i - plane];
      float T_0 = T[i];
      for (Index z = begin; z < end; ++z) {
        const float T_zp1 = T[i + plane];
        float sum = __fmul_rn(cb, T_zm1);
        sum = __fmaf_rn(cw, T[i - 1], sum);
        sum = __fmaf_rn(cc, T_0, sum);
        sum = __fmaf_rn(ce, T[i + 1], sum);
        sum = __fmaf_rn(cn, T[i - pitch], sum);
        sum = __fmaf_rn(cs, T[i + pitch], sum);
        sum = __fmaf_rn(ct, T_zp1, sum);
        T_new[i] = sum;
        T_zm1 = T_0;
        T_0 = T_zp1;
        i += plane;
      }
    }
    edge_cells(begin < end ? end : begin, block_z + 512);
  } else {
    edge_cells(block_z, block_z + 512);
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
  const int64_t blocks_x = stencil::blocks(shape.nx, 64);
  const int64_t blocks_y = stencil::blocks(shape.ny, 4);
  const int64_t blocks_z = stencil::blocks(shape.nz, 512);
  const dim3 threads(64, 4, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y, blocks_z);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(
        T[1], T[0], cc, cw, ce, cn, cs, cb, ct, nx, ny, nz, pitch, plane);
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
