// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil wave3d, 3-D
//   f32 u: 25 points of level t, 1 point of level t-1, radius 4, boundary constant 0; 2 buffers
//   f32 c: 1 point of level t
// Schedule coarsened,threads=32x8x1,vector=4,rows=1,coarsen=z48,sums=gather,shared=none
//   a thread moves 4 cells at once, and keeps what it has loaded for its next ones
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_1c3362d18471e552
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace wave3d {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ u_new, const float* __restrict__ u, const float* __restrict__ c, float dt,
    float h, bool aligned, Index nx, Index ny, Index nz, Index pitch, Index plane) {
  const float value = __fdiv_rn(1.0f, __fmul_rn(h, h));
  const float value_2 = __fmul_rn(value, -0.0017857143f);
  const float value_3 = __fmul_rn(value, 0.025396826f);
  const float value_4 = __fmul_rn(value, -0.2f);
  const float value_5 = __fmul_rn(value, 1.6f);
  const float factor = __fmul_rn(value, -8.541667f);
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y) * 8;
  const Index block_z = static_cast<Index>(blockIdx.z) * 48;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks need no checks; at the ends of rows what lies beside a cell does (edge_x).
  const bool interior_x = block_x >= 4 && block_x + 132 <= nx;
  const bool interior_y = block_y >= 4 && block_y + 12 <= ny;
  const bool interior_z = block_z >= 4 && block_z + 52 <= nz;
  const auto cells = [&](auto edge, auto edge_x) {
    if (!edge || (x < nx && y < ny && block_z < nz)) {
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them,
      // if any do.
      const auto u_new_row = [&](Index row_y, Index row_z) {
        const bool has = !edge || (row_y >= 0 && row_y < ny && row_z >= 0 && row_z < nz);
        return has ? row_z * plane + row_y * pitch : -1;
      };
      const auto u_new_in = [&](Index row, Index cell_x) {
        return row >= 0 && cell_x >= 0 && cell_x < nx ? u_new[row + cell_x] : 0.0f;
      };
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them,
      // if any do.
      const auto u_row = [&](Index row_y, Index row_z) {
        const bool has = !edge || (row_y >= 0 && row_y < ny && row_z >= 0 && row_z < nz);
        return has ? row_z * plane + row_y * pitch : -1;
      };
      const auto u_in = [&](Index row, Index cell_x) {
        return row >= 0 && cell_x >= 0 && cell_x < nx ? u[row + cell_x] : 0.0f;
      };
      // Where a row of c begins, and a cell of a row: near the boundary those that stand for them.
      const auto c_row = [&](Index row_y, Index row_z) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        const Index at_z = edge ? st::clamp(row_z, nz) : row_z;
        return at_z * plane + at_y * pitch;
      };
      const auto c_in = [&](Index row, Index cell_x) { return c[row + st::clamp(cell_x, nx)]; };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      Index i = block_z * plane + y * pitch + x;
      float u_zm4[4];
      float u_zm3[4];
      float u_zm2[4];
      float u_zm1[4];
      float u_0[12];
      float u_zp1[4];
      float u_zp2[4];
      float u_zp3[4];
      st::fill_row<4>(edge, u_zm4, u, u_row(y, block_z - 4), x, whole_0, u_in);
      st::fill_row<4>(edge, u_zm3, u, u_row(y, block_z - 3), x, whole_0, u_in);
      st::fill_row<4>(edge, u_zm2, u, u_row(y, block_z - 2), x, whole_0, u_in);
      st::fill_row<4>(edge, u_zm1, u, u_row(y, block_z - 1), x, whole_0, u_in);
      st::fill_row<4>(edge, &u_0[4], u, u_row(y, block_z), x, whole_0, u_in);
      st::fill_row<4>(edge, u_zp1, u, u_row(y, block_z + 1), x, whole_0, u_in);
      st::fill_row<4>(edge, u_zp2, u, u_row(y, block_z + 2), x, whole_0, u_in);
      st::fill_row<4>(edge, u_zp3, u, u_row(y, block_z + 3), x, whole_0, u_in);
      for (Index k = 0; k < 48; ++k) {
        const Index z = block_z + k;
        if (!edge || z < nz) {
          float u_new_0[4];
          st::fill_row<4>(edge, u_new_0, u_new, u_new_row(y, z), x, whole_0, u_new_in);
          float u_ym4[4];
          st::fill_row<4>(edge, u_ym4, u, u_row(y - 4, z), x, whole_0, u_in);
          float u_ym3[4];
          st::fill_row<4>(edge, u_ym3, u, u_row(y - 3, z), x, whole_0, u_in);
          float u_ym2[4];
          st::fill_row<4>(edge, u_ym2, u, u_row(y - 2, z), x, whole_0, u_in);
          float u_ym1[4];
          st::fill_row<4>(edge, u_ym1, u, u_row(y - 1, z), x, whole_0, u_in);
          float u_zp4[4];
          st::fill_row<4, -1>(edge_x, u_0, u, u_row(y, z), x, whole_0, u_in);
          st::fill_row<4, 1>(edge_x, &u_0[8], u, u_row(y, z), x, whole_0, u_in);
          st::fill_row<4>(edge, u_zp4, u, u_row(y, z + 4), x, whole_0, u_in);
          float u_yp1[4];
          st::fill_row<4>(edge, u_yp1, u, u_row(y + 1, z), x, whole_0, u_in);
          float u_yp2[4];
          st::fill_row<4>(edge, u_yp2, u, u_row(y + 2, z), x, whole_0, u_in);
          float u_yp3[4];
          st::fill_row<4>(edge, u_yp3, u, u_row(y + 3, z), x, whole_0, u_in);
          float u_yp4[4];
          st::fill_row<4>(edge, u_yp4, u, u_row(y + 4, z), x, whole_0, u_in);
          float c_0[4];
          st::fill_row<4>(edge, c_0, c, c_row(y, z), x, whole_0, c_in);
          float u_out[4];
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            const float value_6 = __fmul_rn(dt, c_0[v]);
            float sum = __fmul_rn(value_2, u_zm4[v]);
            sum = __fmaf_rn(value_3, u_zm3[v], sum);
            sum = __fmaf_rn(value_4, u_zm2[v], sum);
            sum = __fmaf_rn(value_5, u_zm1[v], sum);
            sum = __fmaf_rn(value_2, u_0[v], sum);
            sum = __fmaf_rn(value_3, u_0[v + 1], sum);
            sum = __fmaf_rn(value_4, u_0[v + 2], sum);
            sum = __fmaf_rn(value_5, u_0[v + 3], sum);
            sum = __fmaf_rn(factor, u_0[v + 4], sum);
            sum = __fmaf_rn(value_5, u_0[v + 5], sum);
            sum = __fmaf_rn(value_4, u_0[v + 6], sum);
            sum = __fmaf_rn(value_3, u_0[v + 7], sum);
            sum = __fmaf_rn(value_2, u_0[v + 8], sum);
            sum = __fmaf_rn(value_2, u_ym4[v], sum);
            sum = __fmaf_rn(value_3, u_ym3[v], sum);
            sum = __fmaf_rn(value_4, u_ym2[v], sum);
            sum = __fmaf_rn(value_5, u_ym1[v], sum);
            sum = __fmaf_rn(value_5, u_yp1[v], sum);
            sum = __fmaf_rn(value_4, u_yp2[v], sum);
            sum = __fmaf_rn(value_3, u_yp3[v], sum);
            sum = __fmaf_rn(value_2, u_yp4[v], sum);
            sum = __fmaf_rn(value_5, u_zp1[v], sum);
            sum = __fmaf_rn(value_4, u_zp2[v], sum);
            sum = __fmaf_rn(value_3, u_zp3[v], sum);
            sum = __fmaf_rn(value_2, u_zp4[v], sum);
            float sum_2 = -u_new_0[v];
            sum_2 = __fmaf_rn(2.0f, u_0[v + 4], sum_2);
            u_out[v] = __fmaf_rn(__fmul_rn(value_6, value_6), sum, sum_2);
          }
          st::store_row<4>(&u_new[i], u_out, whole_0, nx - x);
          st::shift<4>(u_zm4, u_zm3);
          st::shift<4>(u_zm3, u_zm2);
          st::shift<4>(u_zm2, u_zm1);
          st::shift<4>(u_zm1, &u_0[4]);
          st::shift<4>(&u_0[4], u_zp1);
          st::shift<4>(u_zp1, u_zp2);
          st::shift<4>(u_zp2, u_zp3);
          st::shift<4>(u_zp3, u_zp4);
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
    // Edge blocks: `constant` for u.
    cells(st::Constant<true>(), st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, const float* c, const stencil::Shape& shape, float dt, float h, int64_t steps,
    stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index nz = static_cast<Index>(shape.nz);
  const Index pitch = static_cast<Index>(shape.pitch);
  const Index plane = static_cast<Index>(shape.plane);
  const bool aligned = stencil::aligned<4>(shape, u[0], u[1], c);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const int64_t blocks_z = stencil::blocks(shape.nz, 48);
  const dim3 threads(32, 8, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y, blocks_z);
  for (int64_t left = steps; left > 0; --left) {
    step<Index>
        <<<blocks, threads, 0, stream>>>(u[1], u[0], c, dt, h, aligned, nx, ny, nz, pitch, plane);
    stencil::rotate<2>(u);
  }
  return stencil::launched("wave3d");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<3> call("wave3d", stream);
  auto u = call.levels<2>("u", args.u, args.u_prev);
  const float* c = call.input("c", args.c);
  if (!call.ok()) return call.status();
  const int code = wave3d_run(
      u.at, c, call.nx(), call.ny(), call.nz(), call.pitch(), call.plane(), args.dt, args.h,
      steps.count, stream);
  return call.finish(code, u);
}

}  // namespace wave3d

int wave3d_run(
    float* u[2], const float* c, int64_t nx, int64_t ny, int64_t nz, int64_t pitch, int64_t plane,
    float dt, float h, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny, nz}, pitch, plane);
  stencil::Buffers<3> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  buffers.read("c", c);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("wave3d", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(plane * nz);
  const auto advance = narrow ? wave3d::advance<int> : wave3d::advance<int64_t>;
  const stencil::Status done = advance(u, c, shape, dt, h, steps, stream);
  return stencil::code_of(done);
}
