// out.cpp, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cpp --target=cpu
//
// Stencil subdomain, 3-D
//   f32 u: 2 points of level t+1, 7 points of level t, radius 1, boundary x ghost, y.lo ghost, y.hi
//   clamp, z periodic; 2 buffers
//   f32 v: 1 point of level t, 1 point of level t-1, radius 2, boundary x ghost, y.lo ghost, y.hi
//   clamp, z periodic; 3 buffers
//   f32 s: 1 point of level t, radius 2, boundary x ghost, y not given, z not given
// Schedule loops
//   rows run on all cores, cells of a row in vectors
//   `v` in the same launch: `u[t+1]` beside the cell are 2 values recomputed, from 16 points in all
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_74737b53bf7a9082
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace subdomain {
namespace {

template <typename Index>
void step(
    float* __restrict u_new, float* __restrict v_new, const float* __restrict u,
    const float* __restrict v, const float* __restrict v_prev, const float* __restrict s, float k,
    Index nx, Index ny, Index nz, Index pitch, Index plane) {
  const float value = 1.0f + k * -6.0f;
#pragma omp parallel for collapse(2) schedule(static) if (nx * ny * nz > 20000)
  for (Index z = 0; z < nz; ++z) {
    for (Index y = 0; y < ny; ++y) {
      // Cells [first, last) of the row read nothing outside the grid.
      const bool inner = y >= 1 && y + 1 < ny && z >= 1 && z + 1 < nz && nx > 4;
      const Index first = inner ? 2 : 0;
      const Index last = inner ? nx - 2 : 0;
#pragma omp simd
      for (Index x = first; x < last; ++x) {
        const Index i = z * plane + y * pitch + x;
        const float u_xm1 = u[i - 1];
        const float u_0 = u[i];
        const float u_xp1 = u[i + 1];
        float sum = k * u[i - plane];
        sum = std::fma(k, u_xm1, sum);
        sum = std::fma(value, u_0, sum);
        sum = std::fma(k, u_xp1, sum);
        sum = std::fma(k, u[i - pitch], sum);
        sum = std::fma(k, u[i + pitch], sum);
        sum = std::fma(k, u[i + plane], sum);
        const float v_prev_xm2 = v_prev[i - 2];
        const float s_xm2 = s[x - 2];
        float u_next_xm1 = k * u[i - plane - 1];
        u_next_xm1 = std::fma(k, u[i - 2], u_next_xm1);
        u_next_xm1 = std::fma(value, u_xm1, u_next_xm1);
        u_next_xm1 = std::fma(k, u_0, u_next_xm1);
        u_next_xm1 = std::fma(k, u[i - pitch - 1], u_next_xm1);
        u_next_xm1 = std::fma(k, u[i + pitch - 1], u_next_xm1);
        u_next_xm1 = std::fma(k, u[i + plane - 1], u_next_xm1);
        const float v_0 = v[i];
        float u_next_xp1 = k * u[i - plane + 1];
        u_next_xp1 = std::fma(k, u_0, u_next_xp1);
        u_next_xp1 = std::fma(value, u_xp1, u_next_xp1);
        u_next_xp1 = std::fma(k, u[i + 2], u_next_xp1);
        u_next_xp1 = std::fma(k, u[i - pitch + 1], u_next_xp1);
        u_next_xp1 = std::fma(k, u[i + pitch + 1], u_next_xp1);
        u_next_xp1 = std::fma(k, u[i + plane + 1], u_next_xp1);
        float sum_2 = st::neg(v_prev_xm2);
        sum_2 = sum_2 + s_xm2;
        sum_2 = std::fma(-0.5f, u_next_xm1, sum_2);
        sum_2 = sum_2 + v_0;
        sum_2 = std::fma(0.5f, u_next_xp1, sum_2);
        u_new[i] = sum;
        v_new[i] = sum_2;
      }
      const Index skip = last - first;
      for (Index k_2 = 0; k_2 < nx - skip; ++k_2) {
        const Index x = k_2 < first ? k_2 : k_2 + skip;
        const Index i = z * plane + y * pitch + x;
        const Index at_zm1 = st::wrap(z - 1, nz);
        const float u_xm1 = u[i - 1];
        const float u_0 = u[i];
        const float u_xp1 = u[i + 1];
        const Index at_yp1 = st::clamp(y + 1, ny);
        const Index at_zp1 = st::wrap(z + 1, nz);
        float sum = k * u[at_zm1 * plane + y * pitch + x];
        sum = std::fma(k, u_xm1, sum);
        sum = std::fma(value, u_0, sum);
        sum = std::fma(k, u_xp1, sum);
        sum = std::fma(k, u[i - pitch], sum);
        sum = std::fma(k, u[z * plane + at_yp1 * pitch + x], sum);
        sum = std::fma(k, u[at_zp1 * plane + y * pitch + x], sum);
        const float v_prev_xm2 = v_prev[i - 2];
        const float s_xm2 = s[x - 2];
        const Index x_there = x - 1;
        float u_next_xm1 = 0.0f;
        if (x_there >= 0) {
          const Index at_zm1_2 = st::wrap(z - 1, nz);
          const float part = u[at_zm1_2 * plane + y * pitch + x_there];
          const float u_xm1_2 = u[z * plane + y * pitch + x_there - 1];
          const float u_0_2 = u[z * plane + y * pitch + x_there];
          const float u_xp1_2 = u[z * plane + y * pitch + x_there + 1];
          const float part_2 = u[z * plane + y * pitch + x_there - pitch];
          const Index at_yp1_2 = st::clamp(y + 1, ny);
          const float part_3 = u[z * plane + at_yp1_2 * pitch + x_there];
          const Index at_zp1_2 = st::wrap(z + 1, nz);
          const float part_4 = u[at_zp1_2 * plane + y * pitch + x_there];
          float sum_2 = k * part;
          sum_2 = std::fma(k, u_xm1_2, sum_2);
          sum_2 = std::fma(value, u_0_2, sum_2);
          sum_2 = std::fma(k, u_xp1_2, sum_2);
          sum_2 = std::fma(k, part_2, sum_2);
          sum_2 = std::fma(k, part_3, sum_2);
          sum_2 = std::fma(k, part_4, sum_2);
          u_next_xm1 = sum_2;
        } else {
          u_next_xm1 = u[z * plane + y * pitch + x_there];
        }
        const float v_0 = v[i];
        const Index x_there_2 = x + 1;
        float u_next_xp1 = 0.0f;
        if (x_there_2 < nx) {
          const Index at_zm1_2 = st::wrap(z - 1, nz);
          const float part = u[at_zm1_2 * plane + y * pitch + x_there_2];
          const float u_xm1_2 = u[z * plane + y * pitch + x_there_2 - 1];
          const float u_0_2 = u[z * plane + y * pitch + x_there_2];
          const float u_xp1_2 = u[z * plane + y * pitch + x_there_2 + 1];
          const float part_2 = u[z * plane + y * pitch + x_there_2 - pitch];
          const Index at_yp1_2 = st::clamp(y + 1, ny);
          const float part_3 = u[z * plane + at_yp1_2 * pitch + x_there_2];
          const Index at_zp1_2 = st::wrap(z + 1, nz);
          const float part_4 = u[at_zp1_2 * plane + y * pitch + x_there_2];
          float sum_2 = k * part;
          sum_2 = std::fma(k, u_xm1_2, sum_2);
          sum_2 = std::fma(value, u_0_2, sum_2);
          sum_2 = std::fma(k, u_xp1_2, sum_2);
          sum_2 = std::fma(k, part_2, sum_2);
          sum_2 = std::fma(k, part_3, sum_2);
          sum_2 = std::fma(k, part_4, sum_2);
          u_next_xp1 = sum_2;
        } else {
          u_next_xp1 = u[z * plane + y * pitch + x_there_2];
        }
        float sum_2 = st::neg(v_prev_xm2);
        sum_2 = sum_2 + s_xm2;
        sum_2 = std::fma(-0.5f, u_next_xm1, sum_2);
        sum_2 = sum_2 + v_0;
        sum_2 = std::fma(0.5f, u_next_xp1, sum_2);
        u_new[i] = sum;
        v_new[i] = sum_2;
      }
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, float** v, const float* s, const stencil::Shape& shape, float k, int64_t steps) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index nz = static_cast<Index>(shape.nz);
  const Index pitch = static_cast<Index>(shape.pitch);
  const Index plane = static_cast<Index>(shape.plane);
  for (int64_t left = steps; left > 0; --left) {
    // The ghost cells that the caller set for level t are those of t+1.
    if (steps - left < 1) stencil::copy_halo(u[1], u[0], shape, {});
    if (steps - left < 2) stencil::copy_halo(v[2], v[0], shape, {});
    step<Index>(u[1], v[2], u[0], v[0], v[1], s, k, nx, ny, nz, pitch, plane);
    stencil::rotate<2>(u);
    stencil::rotate<3>(v);
  }
  return {};
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<3> call("subdomain", stream, {2, 1, 0});
  auto u = call.levels<2>("u", args.u);
  auto v = call.levels<3>("v", args.v, args.v_prev);
  const float* s = call.part("s", args.s, {0}, {2});
  if (!call.ok()) return call.status();
  const int code = subdomain_run(
      u.at, v.at, s, call.nx(), call.ny(), call.nz(), call.pitch(), call.plane(), args.k,
      steps.count);
  return call.finish(code, u, v);
}

}  // namespace subdomain

int subdomain_run(
    float* u[2], float* v[3], const float* s, int64_t nx, int64_t ny, int64_t nz, int64_t pitch,
    int64_t plane, float k, int64_t steps) {
  const stencil::Shape shape = stencil::shape({nx, ny, nz}, pitch, plane, {2, 1, 0});
  stencil::Buffers<6> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  buffers.written("v[0]", v[0]);
  buffers.written("v[1]", v[1]);
  buffers.written("v[2]", v[2]);
  buffers.read("s", s, nx + 4, 2);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("subdomain", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(plane * nz);
  const auto advance = narrow ? subdomain::advance<int> : subdomain::advance<int64_t>;
  const stencil::Status done = advance(u, v, s, shape, k, steps);
  return stencil::code_of(done);
}
