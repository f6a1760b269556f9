// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil subdomain, 3-D
//   f32 u: 2 points of level t+1, 7 points of level t, radius 1, boundary x ghost, y.lo ghost, y.hi
//   clamp, z periodic; 2 buffers
//   f32 v: 1 point of level t, 1 point of level t-1, radius 2, boundary x ghost, y.lo ghost, y.hi
//   clamp, z periodic; 3 buffers
//   f32 s: 1 point of level t, radius 2, boundary x ghost, y not given, z not given
// Schedule coarsened,threads=32x4x1,vector=4,rows=1,coarsen=z8,sums=gather,shared=none
//   a thread moves 4 cells at once, and keeps what it has loaded for its next ones
//   `v` in the same launch: `u[t+1]` beside the cell are 2 values recomputed, from 16 points in all
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_653e76c5e1d765e1
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace subdomain {
namespace {

template <typename Index>
__global__ void __launch_bounds__(128) step(
    float* __restrict__ u_new, float* __restrict__ v_new, const float* __restrict__ u,
    const float* __restrict__ v, const float* __restrict__ v_prev, const float* __restrict__ s,
    float k, bool aligned, Index nx, Index ny, Index nz, Index pitch, Index plane) {
  const float value = __fadd_rn(1.0f, __fmul_rn(k, -6.0f));
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y) * 4;
  const Index block_z = static_cast<Index>(blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 132 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 5 <= ny;
  const bool interior_z = block_z >= 1 && block_z + 9 <= nz;
  if (interior_x && interior_y && interior_z && aligned) {
    Index i = block_z * plane + y * pitch + x;
    float u_zm1[12];
    float u_0[12];
    st::load<4, 3>(u_zm1, &u[i - plane - 4]);
    st::load<4, 3>(u_0, &u[i - 4]);
#pragma unroll
    for (Index k_2 = 0; k_2 < 8; ++k_2) {
      float u_ym1[12];
      st::load<4, 3>(u_ym1, &u[i - pitch - 4]);
      float u_zp1[12];
      st::load<4, 3>(u_zp1, &u[i + plane - 4]);
      float u_yp1[12];
      st::load<4, 3>(u_yp1, &u[i + pitch - 4]);
      float v_prev_0[8];
      st::load<4, 2>(v_prev_0, &v_prev[i - 4]);
      float v_0[4];
      st::load<4>(v_0, &v[i]);
      float u_out[4];
      float v_out[4];
#pragma unroll
      for (Index v_2 = 0; v_2 < 4; ++v_2) {
        float sum = __fmul_rn(k, u_zm1[v_2 + 4]);
        sum = __fmaf_rn(k, u_0[v_2 + 3], sum);
        sum = __fmaf_rn(value, u_0[v_2 + 4], sum);
        sum = __fmaf_rn(k, u_0[v_2 + 5], sum);
        sum = __fmaf_rn(k, u_ym1[v_2 + 4], sum);
        sum = __fmaf_rn(k, u_yp1[v_2 + 4], sum);
        sum = __fmaf_rn(k, u_zp1[v_2 + 4], sum);
        const float s_xm2 = s[x + v_2 - 2];
        float u_next_xm1 = __fmul_rn(k, u_zm1[v_2 + 3]);
        u_next_xm1 = __fmaf_rn(k, u_0[v_2 + 2], u_next_xm1);
        u_next_xm1 = __fmaf_rn(value, u_0[v_2 + 3], u_next_xm1);
        u_next_xm1 = __fmaf_rn(k, u_0[v_2 + 4], u_next_xm1);
        u_next_xm1 = __fmaf_rn(k, u_ym1[v_2 + 3], u_next_xm1);
        u_next_xm1 = __fmaf_rn(k, u_yp1[v_2 + 3], u_next_xm1);
        u_next_xm1 = __fmaf_rn(k, u_zp1[v_2 + 3], u_next_xm1);
        float u_next_xp1 = __fmul_rn(k, u_zm1[v_2 + 5]);
        u_next_xp1 = __fmaf_rn(k, u_0[v_2 + 4], u_next_xp1);
        u_next_xp1 = __fmaf_rn(value, u_0[v_2 + 5], u_next_xp1);
        u_next_xp1 = __fmaf_rn(k, u_0[v_2 + 6], u_next_xp1);
        u_next_xp1 = __fmaf_rn(k, u_ym1[v_2 + 5], u_next_xp1);
        u_next_xp1 = __fmaf_rn(k, u_yp1[v_2 + 5], u_next_xp1);
        u_next_xp1 = __fmaf_rn(k, u_zp1[v_2 + 5], u_next_xp1);
        float sum_2 = -v_prev_0[v_2 + 2];
        sum_2 = __fadd_rn(sum_2, s_xm2);
        sum_2 = __fmaf_rn(-0.5f, u_next_xm1, sum_2);
        sum_2 = __fadd_rn(sum_2, v_0[v_2]);
        sum_2 = __fmaf_rn(0.5f, u_next_xp1, sum_2);
        u_out[v_2] = sum;
        v_out[v_2] = sum_2;
      }
      st::store<4>(&u_new[i], u_out);
      st::store<4>(&v_new[i], v_out);
      st::shift<12>(u_zm1, u_0);
      st::shift<12>(u_0, u_zp1);
      i += plane;
    }
  } else {
    // Edge blocks: `ghost`, `clamp` and `periodic` for u, `ghost` for v, `ghost` for s.
    if (x < nx && y < ny && block_z < nz) {
      const bool whole_0 = aligned && x + 4 <= nx;
      Index i = block_z * plane + y * pitch + x;
      for (Index k_2 = 0; k_2 < 8; ++k_2) {
        const Index z = block_z + k_2;
        if (z < nz) {
          float u_out[4];
          float v_out[4];
#pragma unroll
          for (Index v_2 = 0; v_2 < 4; ++v_2) {
            if (x + v_2 < nx) {
              const Index at_zm1 = st::wrap(z - 1, nz);
              const float part = u[at_zm1 * plane + y * pitch + (x + v_2)];
              const float u_xm1 = u[i + v_2 - 1];
              const float u_0 = u[i + v_2];
              const float u_xp1 = u[i + v_2 + 1];
              const Index at_yp1 = st::clamp(y + 1, ny);
              const float part_2 = u[z * plane + at_yp1 * pitch + (x + v_2)];
              const Index at_zp1 = st::wrap(z + 1, nz);
              const float part_3 = u[at_zp1 * plane + y * pitch + (x + v_2)];
              float sum = __fmul_rn(k, part);
              sum = __fmaf_rn(k, u_xm1, sum);
              sum = __fmaf_rn(value, u_0, sum);
              sum = __fmaf_rn(k, u_xp1, sum);
              sum = __fmaf_rn(k, u[i + v_2 - pitch], sum);
              sum = __fmaf_rn(k, part_2, sum);
              sum = __fmaf_rn(k, part_3, sum);
              const float v_prev_xm2 = v_prev[i + v_2 - 2];
              const float s_xm2 = s[x + v_2 - 2];
              const Index x_there = x + v_2 - 1;
              float u_next_xm1 = 0.0f;
              if (x_there >= 0) {
                const Index at_zm1_2 = st::wrap(z - 1, nz);
                const float part_4 = u[at_zm1_2 * plane + y * pitch + x_there];
                const float u_xm1_2 = u[z * plane + y * pitch + x_there - 1];
                const float u_0_2 = u[z * plane + y * pitch + x_there];
                const float u_xp1_2 = u[z * plane + y * pitch + x_there + 1];
                const float part_5 = u[z * plane + y * pitch + x_there - pitch];
                const Index at_yp1_2 = st::clamp(y + 1, ny);
                const float part_6 = u[z * plane + at_yp1_2 * pitch + x_there];
                const Index at_zp1_2 = st::wrap(z + 1, nz);
                const float part_7 = u[at_zp1_2 * plane + y * pitch + x_there];
                float sum_2 = __fmul_rn(k, part_4);
                sum_2 = __fmaf_rn(k, u_xm1_2, sum_2);
                sum_2 = __fmaf_rn(value, u_0_2, sum_2);
                sum_2 = __fmaf_rn(k, u_xp1_2, sum_2);
                sum_2 = __fmaf_rn(k, part_5, sum_2);
                sum_2 = __fmaf_rn(k, part_6, sum_2);
                sum_2 = __fmaf_rn(k, part_7, sum_2);
                u_next_xm1 = sum_2;
              } else {
                u_next_xm1 = u[z * plane + y * pitch + x_there];
              }
              const float v_0 = v[i + v_2];
              const Index x_there_2 = x + v_2 + 1;
              float u_next_xp1 = 0.0f;
              if (x_there_2 < nx) {
                const Index at_zm1_2 = st::wrap(z - 1, nz);
                const float part_4 = u[at_zm1_2 * plane + y * pitch + x_there_2];
                const float u_xm1_2 = u[z * plane + y * pitch + x_there_2 - 1];
                const float u_0_2 = u[z * plane + y * pitch + x_there_2];
                const float u_xp1_2 = u[z * plane + y * pitch + x_there_2 + 1];
                const float part_5 = u[z * plane + y * pitch + x_there_2 - pitch];
                const Index at_yp1_2 = st::clamp(y + 1, ny);
                const float part_6 = u[z * plane + at_yp1_2 * pitch + x_there_2];
                const Index at_zp1_2 = st::wrap(z + 1, nz);
                const float part_7 = u[at_zp1_2 * plane + y * pitch + x_there_2];
                float sum_2 = __fmul_rn(k, part_4);
                sum_2 = __fmaf_rn(k, u_xm1_2, sum_2);
                sum_2 = __fmaf_rn(value, u_0_2, sum_2);
                sum_2 = __fmaf_rn(k, u_xp1_2, sum_2);
                sum_2 = __fmaf_rn(k, part_5, sum_2);
                sum_2 = __fmaf_rn(k, part_6, sum_2);
                sum_2 = __fmaf_rn(k, part_7, sum_2);
                u_next_xp1 = sum_2;
              } else {
                u_next_xp1 = u[z * plane + y * pitch + x_there_2];
              }
              float sum_2 = -v_prev_xm2;
              sum_2 = __fadd_rn(sum_2, s_xm2);
              sum_2 = __fmaf_rn(-0.5f, u_next_xm1, sum_2);
              sum_2 = __fadd_rn(sum_2, v_0);
              sum_2 = __fmaf_rn(0.5f, u_next_xp1, sum_2);
              u_out[v_2] = sum;
              v_out[v_2] = sum_2;
            }
          }
          st::store_row<4>(&u_new[i], u_out, whole_0, nx - x);
          st::store_row<4>(&v_new[i], v_out, whole_0, nx - x);
          i += plane;
        }
      }
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, float** v, const float* s, const stencil::Shape& shape, float k, int64_t steps,
    stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index nz = static_cast<Index>(shape.nz);
  const Index pitch = static_cast<Index>(shape.pitch);
  const Index plane = static_cast<Index>(shape.plane);
  const bool aligned = stencil::aligned<4>(shape, u[0], u[1], v[0], v[1], v[2]);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 4);
  const int64_t blocks_z = stencil::blocks(shape.nz, 8);
  const dim3 threads(32, 4, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y, blocks_z);
  for (int64_t left = steps; left > 0; --left) {
    // The ghost cells that the caller set for level t are those of t+1.
    if (steps - left < 1) stencil::copy_halo(u[1], u[0], shape, stream);
    if (steps - left < 2) stencil::copy_halo(v[2], v[0], shape, stream);
    step<Index><<<blocks, threads, 0, stream>>>(
        u[1], v[2], u[0], v[0], v[1], s, k, aligned, nx, ny, nz, pitch, plane);
    stencil::rotate<2>(u);
    stencil::rotate<3>(v);
  }
  return stencil::launched("subdomain");
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
      steps.count, stream);
  return call.finish(code, u, v);
}

}  // namespace subdomain

int subdomain_run(
    float* u[2], float* v[3], const float* s, int64_t nx, int64_t ny, int64_t nz, int64_t pitch,
    int64_t plane, float k, int64_t steps, cudaStream_t stream) {
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
  const stencil::Status done = advance(u, v, s, shape, k, steps, stream);
  return stencil::code_of(done);
}
