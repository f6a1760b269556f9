// out.cpp, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cpp --target=cpu
//
// Stencil gray_scott, 2-D
//   f32 u: 5 points of level t, radius 1, boundary periodic; 2 buffers
//   f32 v: 5 points of level t, radius 1, boundary periodic; 2 buffers
// Schedule loops
//   rows run on all cores, cells of a row in vectors
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_9bc2720de7a27ee1
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace gray_scott {
namespace {

template <typename Index>
void step(
    float* __restrict u_new, float* __restrict v_new, const float* __restrict u,
    const float* __restrict v, float Du, float Dv, float F, float k, float dt, Index nx, Index ny,
    Index pitch) {
  const float factor = Du * -4.0f;
  const float factor_2 = st::neg(F + k);
  const float factor_3 = Dv * -4.0f;
#pragma omp parallel for schedule(static) if (nx * ny > 20000)
  for (Index y = 0; y < ny; ++y) {
    // Cells [first, last) of the row read nothing outside the grid.
    const bool inner = y >= 1 && y + 1 < ny && nx > 2;
    const Index first = inner ? 1 : 0;
    const Index last = inner ? nx - 1 : 0;
#pragma omp simd
    for (Index x = first; x < last; ++x) {
      const Index i = y * pitch + x;
      const float u_0 = u[i];
      float sum = Du * u[i - pitch];
      sum = std::fma(Du, u[i - 1], sum);
      sum = std::fma(factor, u_0, sum);
      sum = std::fma(Du, u[i + 1], sum);
      sum = std::fma(Du, u[i + pitch], sum);
      const float v_0 = v[i];
      const float uvv = u_0 * v_0 * v_0;
      const float part = sum - uvv + std::fma(st::neg(F), u_0, F);
      const float u_next = std::fma(dt, part, u_0);
      float sum_2 = Dv * v[i - pitch];
      sum_2 = std::fma(Dv, v[i - 1], sum_2);
      sum_2 = std::fma(factor_3, v_0, sum_2);
      sum_2 = std::fma(Dv, v[i + 1], sum_2);
      sum_2 = std::fma(Dv, v[i + pitch], sum_2);
      const float part_2 = std::fma(factor_2, v_0, sum_2 + uvv);
      const float v_next = std::fma(dt, part_2, v_0);
      u_new[i] = u_next;
      v_new[i] = v_next;
    }
    const Index skip = last - first;
    for (Index k_2 = 0; k_2 < nx - skip; ++k_2) {
      const Index x = k_2 < first ? k_2 : k_2 + skip;
      const Index i = y * pitch + x;
      const Index at_ym1 = st::wrap(y - 1, ny);
      const Index at_xm1 = st::wrap(x - 1, nx);
      const float u_0 = u[i];
      const Index at_xp1 = st::wrap(x + 1, nx);
      const Index at_yp1 = st::wrap(y + 1, ny);
      float sum = Du * u[at_ym1 * pitch + x];
      sum = std::fma(Du, u[y * pitch + at_xm1], sum);
      sum = std::fma(factor, u_0, sum);
      sum = std::fma(Du, u[y * pitch + at_xp1], sum);
      sum = std::fma(Du, u[at_yp1 * pitch + x], sum);
      const float v_0 = v[i];
      const float uvv = u_0 * v_0 * v_0;
      const float part = sum - uvv + std::fma(st::neg(F), u_0, F);
      const float u_next = std::fma(dt, part, u_0);
      float sum_2 = Dv * v[at_ym1 * pitch + x];
      sum_2 = std::fma(Dv, v[y * pitch + at_xm1], sum_2);
      sum_2 = std::fma(factor_3, v_0, sum_2);
      sum_2 = std::fma(Dv, v[y * pitch + at_xp1], sum_2);
      sum_2 = std::fma(Dv, v[at_yp1 * pitch + x], sum_2);
      const float part_2 = std::fma(factor_2, v_0, sum_2 + uvv);
      const float v_next = std::fma(dt, part_2, v_0);
      u_new[i] = u_next;
      v_new[i] = v_next;
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, float** v, const stencil::Shape& shape, float Du, float Dv, float F, float k,
    float dt, int64_t steps) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  for (int64_t left = steps; left > 0; --left) {
    step<Index>(u[1], v[1], u[0], v[0], Du, Dv, F, k, dt, nx, ny, pitch);
    stencil::rotate<2>(u);
    stencil::rotate<2>(v);
  }
  return {};
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("gray_scott", stream);
  auto u = call.levels<2>("u", args.u);
  auto v = call.levels<2>("v", args.v);
  if (!call.ok()) return call.status();
  const int code = gray_scott_run(
      u.at, v.at, call.nx(), call.ny(), call.pitch(), args.Du, args.Dv, args.F, args.k, args.dt,
      steps.count);
  return call.finish(code, u, v);
}

}  // namespace gray_scott

int gray_scott_run(
    float* u[2], float* v[2], int64_t nx, int64_t ny, int64_t pitch, float Du, float Dv, float F,
    float k, float dt, int64_t steps) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<4> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  buffers.written("v[0]", v[0]);
  buffers.written("v[1]", v[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("gray_scott", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? gray_scott::advance<int> : gray_scott::advance<int64_t>;
  const stencil::Status done = advance(u, v, shape, Du, Dv, F, k, dt, steps);
  return stencil::code_of(done);
}
