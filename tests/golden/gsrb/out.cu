// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil gsrb, 3-D
//   f64 p: 7 points of level t, radius 1, boundary constant 0; in place
//   f64 rhs: 1 point of level t
// Schedule coarsened,threads=64x4x1,coarsen=z4
//   a thread keeps what it has loaded for its next cells
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_df29abd4ea8a612b
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace gsrb {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) reduce(
    double* __restrict__ r_partials, const double* __restrict__ p, Index nx, Index ny, Index nz,
    Index pitch, Index plane) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 64;
  const Index block_y = static_cast<Index>(blockIdx.y) * 4;
  const Index block_z = static_cast<Index>(blockIdx.z) * 4;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  const Index y = block_y + static_cast<Index>(threadIdx.y);
#pragma unroll
  for (Index k = 0; k < 4; ++k) {
    const Index z = block_z + k;
    if (y < ny && z < nz) {
      double r_part = st::Sum::identity<double>();
      if (x < nx) {
        const Index i = z * plane + y * pitch + x;
        const double p_0 = p[i];
        const double r_here = __dmul_rn(p_0, p_0);
        r_part = r_here;
      }
      st::fold_row<st::Sum>(r_partials, r_part, x, nx, z * ny + y);
    }
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) step(
    double* __restrict__ p, const double* __restrict__ rhs, double h2, Index color, Index nx,
    Index ny, Index nz, Index pitch, Index plane) {
  const double factor = __dmul_rn(-0.16666666666666666, h2);
  const Index block_x = static_cast<Index>(blockIdx.x) * 64;
  const Index block_y = static_cast<Index>(blockIdx.y) * 4;
  const Index block_z = static_cast<Index>(blockIdx.z) * 4;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 1 && block_x + 65 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 5 <= ny;
  const bool interior_z = block_z >= 1 && block_z + 5 <= nz;
  if (interior_x && interior_y && interior_z) {
    Index i = block_z * plane + y * pitch + x;
    double p_zm1 = p[i - plane];
    double p_0 = p[i];
#pragma unroll
    for (Index k = 0; k < 4; ++k) {
      const Index z = block_z + k;
      const double p_zp1 = p[i + plane];
      if (st::imod<Index>(x + y + z, 2) == color) {
        double sum = __dmul_rn(0.16666666666666666, p_zm1);
        sum = __fma_rn(0.16666666666666666, p[i - 1], sum);
        sum = __fma_rn(factor, rhs[i], sum);
        sum = __fma_rn(0.16666666666666666, p[i + 1], sum);
        sum = __fma_rn(0.16666666666666666, p[i - pitch], sum);
        sum = __fma_rn(0.16666666666666666, p[i + pitch], sum);
        sum = __fma_rn(0.16666666666666666, p_zp1, sum);
        p[i] = sum;
      }
      p_zm1 = p_0;
      p_0 = p_zp1;
      i += plane;
    }
  } else {
    // Edge blocks: `constant` for p.
    for (Index k = 0; k < 4; ++k) {
      const Index z = block_z + k;
      if (x < nx && y < ny && z < nz) {
        if (st::imod<Index>(x + y + z, 2) == color) {
          const Index i = z * plane + y * pitch + x;
          const bool has_zm1 = z >= 1;
          const bool has_xm1 = x >= 1;
          const bool has_xp1 = x + 1 < nx;
          const bool has_ym1 = y >= 1;
          const bool has_yp1 = y + 1 < ny;
          const bool has_zp1 = z + 1 < nz;
          double sum = __dmul_rn(0.16666666666666666, has_zm1 ? p[i - plane] : 0.0);
          sum = __fma_rn(0.16666666666666666, has_xm1 ? p[i - 1] : 0.0, sum);
          sum = __fma_rn(factor, rhs[i], sum);
          sum = __fma_rn(0.16666666666666666, has_xp1 ? p[i + 1] : 0.0, sum);
          sum = __fma_rn(0.16666666666666666, has_ym1 ? p[i - pitch] : 0.0, sum);
          sum = __fma_rn(0.16666666666666666, has_yp1 ? p[i + pitch] : 0.0, sum);
          sum = __fma_rn(0.16666666666666666, has_zp1 ? p[i + plane] : 0.0, sum);
          p[i] = sum;
        }
      }
    }
  }
}

// The time loop.
template <typename Index>
stencil::Status advance(
    double* p, const double* rhs, const stencil::Shape& shape, double h2,
    stencil::Reduction<double>& r_partials, int64_t steps, bool asked, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index nz = static_cast<Index>(shape.nz);
  const Index pitch = static_cast<Index>(shape.pitch);
  const Index plane = static_cast<Index>(shape.plane);
  const int64_t blocks_x = stencil::blocks(shape.nx, 64);
  const int64_t blocks_y = stencil::blocks(shape.ny, 4);
  const int64_t blocks_z = stencil::blocks(shape.nz, 4);
  const dim3 threads(64, 4, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y, blocks_z);
  for (int64_t left = steps; left > 0; --left) {
    const bool asks = asked && left == 1;
    if (asks) {
      reduce<Index>
          <<<blocks, threads, 0, stream>>>(r_partials.partials(), p, nx, ny, nz, pitch, plane);
      r_partials.fold<st::Sum>(stream);
    }
    for (Index color = 0; color < 2; ++color) {
      step<Index><<<blocks, threads, 0, stream>>>(p, rhs, h2, color, nx, ny, nz, pitch, plane);
    }
  }
  return stencil::launched("gsrb");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<3> call("gsrb", stream);
  double* p = call.output("p", args.p);
  const double* rhs = call.input("rhs", args.rhs);
  if (!call.ok()) return call.status();
  const int code = gsrb_run(
      p, rhs, call.nx(), call.ny(), call.nz(), call.pitch(), call.plane(), args.h2, args.r,
      steps.count, stream);
  return call.finish(code);
}

}  // namespace gsrb

int gsrb_run(
    double* p, const double* rhs, int64_t nx, int64_t ny, int64_t nz, int64_t pitch, int64_t plane,
    double h2, double* r, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny, nz}, pitch, plane);
  stencil::Buffers<2> buffers;
  buffers.written("p", p);
  buffers.read("rhs", rhs);
  const stencil::Steps count{steps};
  stencil::Status ready = stencil::check("gsrb", shape, count, buffers);
  const bool narrow = stencil::fits_32_bits(plane * nz);
  const auto advance = narrow ? gsrb::advance<int> : gsrb::advance<int64_t>;
  stencil::Reduction<double> r_partials;
  const bool asked = r != nullptr;
  if (ready.ok() && asked) ready = r_partials.make("`gsrb`", shape);
  if (!ready.ok()) return stencil::code_of(ready);
  double r_now = st::Sum::identity<double>();
  ready = advance(p, rhs, shape, h2, r_partials, steps, asked, stream);
  if (steps > 0) {
    if (ready.ok() && asked) ready = r_partials.read(&r_now, stream);
  }
  if (!ready.ok()) return stencil::code_of(ready);
  if (r != nullptr) *r = r_now;
  return stencil::code_of(ready);
}
