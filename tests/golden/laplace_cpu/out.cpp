// out.cpp, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cpp --target=cpu
//
// Stencil laplace2d, 2-D
//   f32 u: 4 points of level t, radius 1, boundary fixed; 2 buffers
// Schedule loops
//   rows run on all cores, cells of a row in vectors
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_90e011bc4e91f160
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace laplace2d {
namespace {

template <typename Index>
void step(float* __restrict u_new, const float* __restrict u, Index nx, Index ny, Index pitch) {
#pragma omp parallel for schedule(static) if (nx * ny > 20000)
  for (Index y = 0; y < ny; ++y) {
    // Cells [first, last) of the row read nothing outside the grid.
    const bool inner = y >= 1 && y + 1 < ny && nx > 2;
    const Index first = inner ? 1 : 0;
    const Index last = inner ? nx - 1 : 0;
#pragma omp simd
    for (Index x = first; x < last; ++x) {
      const Index i = y * pitch + x;
      float sum = 0.25f * u[i - pitch];
      sum = std::fma(0.25f, u[i - 1], sum);
      sum = std::fma(0.25f, u[i + 1], sum);
      sum = std::fma(0.25f, u[i + pitch], sum);
      u_new[i] = sum;
    }
    const Index skip = last - first;
    for (Index k = 0; k < nx - skip; ++k) {
      const Index x = k < first ? k : k + skip;
      const Index i = y * pitch + x;
      float u_next = u[i];
      if (x >= 1 && x + 1 < nx && y >= 1 && y + 1 < ny) {
        float sum = 0.25f * u[i - pitch];
        sum = std::fma(0.25f, u[i - 1], sum);
        sum = std::fma(0.25f, u[i + 1], sum);
        sum = std::fma(0.25f, u[i + pitch], sum);
        u_next = sum;
      }
      u_new[i] = u_next;
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(float** u, const stencil::Shape& shape, int64_t steps) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  for (int64_t left = steps; left > 0; --left) {
    step<Index>(u[1], u[0], nx, ny, pitch);
    stencil::rotate<2>(u);
  }
  return {};
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("laplace2d", stream);
  auto u = call.levels<2>("u", args.u);
  if (!call.ok()) return call.status();
  const int code = laplace2d_run(u.at, call.nx(), call.ny(), call.pitch(), steps.count);
  return call.finish(code, u);
}

}  // namespace laplace2d

int laplace2d_run(float* u[2], int64_t nx, int64_t ny, int64_t pitch, int64_t steps) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("laplace2d", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? laplace2d::advance<int> : laplace2d::advance<int64_t>;
  const stencil::Status done = advance(u, shape, steps);
  return stencil::code_of(done);
}
