// out.cpp, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cpp --target=cpu
//
// Stencil diffusion3d, 3-D
//   f32 T: 7 points of level t, radius 1, boundary clamp; 2 buffers
// Schedule loops
//   rows run on all cores, cells of a row in vectors
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_0fd25983446d6313
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace diffusion3d {
namespace {

template <typename Index>
void step(
    float* __restrict T_new, const float* __restrict T, float cc, float cw, float ce, float cn,
    float cs, float cb, float ct, Index nx, Index ny, Index nz, Index pitch, Index plane) {
#pragma omp parallel for collapse(2) schedule(static) if (nx * ny * nz > 20000)
  for (Index z = 0; z < nz; ++z) {
    for (Index y = 0; y < ny; ++y) {
      // Cells [first, last) of the row read nothing outside the grid.
      const bool inner = y >= 1 && y + 1 < ny && z >= 1 && z + 1 < nz && nx > 2;
      const Index first = inner ? 1 : 0;
      const Index last = inner ? nx - 1 : 0;
#pragma omp simd
      for (Index x = first; x < last; ++x) {
        const Index i = z * plane + y * pitch + x;
        float sum = cb * T[i - plane];
        sum = std::fma(cw, T[i - 1], sum);
        sum = std::fma(cc, T[i], sum);
        sum = std::fma(ce, T[i + 1], sum);
        sum = std::fma(cn, T[i - pitch], sum);
        sum = std::fma(cs, T[i + pitch], sum);
        sum = std::fma(ct, T[i + plane], sum);
        T_new[i] = sum;
      }
      const Index skip = last - first;
      for (Index k = 0; k < nx - skip; ++k) {
        const Index x = k < first ? k : k + skip;
        const Index i = z * plane + y * pitch + x;
        const Index at_zm1 = st::clamp(z - 1, nz);
        const Index at_xm1 = st::clamp(x - 1, nx);
        const Index at_xp1 = st::clamp(x + 1, nx);
        const Index at_ym1 = st::clamp(y - 1, ny);
        const Index at_yp1 = st::clamp(y + 1, ny);
        const Index at_zp1 = st::clamp(z + 1, nz);
        float sum = cb * T[at_zm1 * plane + y * pitch + x];
        sum = std::fma(cw, T[z * plane + y * pitch + at_xm1], sum);
        sum = std::fma(cc, T[i], sum);
        sum = std::fma(ce, T[z * plane + y * pitch + at_xp1], sum);
        sum = std::fma(cn, T[z * plane + at_ym1 * pitch + x], sum);
        sum = std::fma(cs, T[z * plane + at_yp1 * pitch + x], sum);
        sum = std::fma(ct, T[at_zp1 * plane + y * pitch + x], sum);
        T_new[i] = sum;
      }
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** T, const stencil::Shape& shape, float cc, float cw, float ce, float cn, float cs,
    float cb, float ct, int64_t steps) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index nz = static_cast<Index>(shape.nz);
  const Index pitch = static_cast<Index>(shape.pitch);
  const Index plane = static_cast<Index>(shape.plane);
  for (int64_t left = steps; left > 0; --left) {
    step<Index>(T[1], T[0], cc, cw, ce, cn, cs, cb, ct, nx, ny, nz, pitch, plane);
    stencil::rotate<2>(T);
  }
  return {};
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<3> call("diffusion3d", stream);
  auto T = call.levels<2>("T", args.T);
  if (!call.ok()) return call.status();
  const int code = diffusion3d_run(
      T.at, call.nx(), call.ny(), call.nz(), call.pitch(), call.plane(), args.cc, args.cw, args.ce,
      args.cn, args.cs, args.cb, args.ct, steps.count);
  return call.finish(code, T);
}

}  // namespace diffusion3d

int diffusion3d_run(
    float* T[2], int64_t nx, int64_t ny, int64_t nz, int64_t pitch, int64_t plane, float cc,
    float cw, float ce, float cn, float cs, float cb, float ct, int64_t steps) {
  const stencil::Shape shape = stencil::shape({nx, ny, nz}, pitch, plane);
  stencil::Buffers<2> buffers;
  buffers.written("T[0]", T[0]);
  buffers.written("T[1]", T[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("diffusion3d", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(plane * nz);
  const auto advance = narrow ? diffusion3d::advance<int> : diffusion3d::advance<int64_t>;
  const stencil::Status done = advance(T, shape, cc, cw, ce, cn, cs, cb, ct, steps);
  return stencil::code_of(done);
}
