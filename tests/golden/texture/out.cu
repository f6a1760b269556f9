// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --arch=sm_75
//   --schedule=coarsened,threads=32x8,vector=4,coarsen=y4,loads=texture
//
// Stencil wave, 2-D
//   f32 u: 5 points of level t, 1 point of level t-1, radius 1, boundary reflect; 2 buffers
//   f32 c: 1 point of level t
// Schedule coarsened,threads=32x8,vector=4,coarsen=y4,loads=texture
//   asked for by --schedule
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_b1c3952a3a31bdae
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace wave {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ u_new, const st::Texture<float, 4, Index> u,
    const st::Texture<float, 4, Index> c, bool aligned, Index nx, Index ny, Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 32;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y0 = block_y + static_cast<Index>(threadIdx.y) * 4;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 132 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 33 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y0 < ny)) {
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them.
      const auto u_new_row = [&](Index row_y) {
        const Index at_y = edge ? st::reflect(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto u_new_in = [&](Index row, Index cell_x) {
        return u_new[row + st::reflect(cell_x, nx)];
      };
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them.
      const auto u_row = [&](Index row_y) {
        const Index at_y = edge ? st::reflect(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto u_in = [&](Index row, Index cell_x) { return u[row + st::reflect(cell_x, nx)]; };
      // Where a row of c begins, and a cell of a row: near the boundary those that stand for them.
      const auto c_row = [&](Index row_y) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto c_in = [&](Index row, Index cell_x) { return c[row + st::clamp(cell_x, nx)]; };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      Index i = y0 * pitch + x;
      float u_ym1[4];
      float u_0[12];
      st::fill_row<4>(edge, u_ym1, u, u_row(y0 - 1), x, whole_0, u_in);
      st::fill_row<4>(edge, &u_0[4], u, u_row(y0), x, whole_0, u_in);
#pragma unroll
      for (Index k = 0; k < 4; ++k) {
        const Index y = y0 + k;
        if (!edge || y < ny) {
          float u_new_0[4];
          st::fill_row<4>(edge, u_new_0, u_new, u_new_row(y), x, whole_0, u_new_in);
          float u_yp1[4];
          st::fill_row<4, -1>(edge, u_0, u, u_row(y), x, whole_0, u_in);
          st::fill_row<4, 1>(edge, &u_0[8], u, u_row(y), x, whole_0, u_in);
          st::fill_row<4>(edge, u_yp1, u, u_row(y + 1), x, whole_0, u_in);
          float c_0[4];
          st::fill_row<4>(edge, c_0, c, c_row(y), x, whole_0, c_in);
          float u_out[4];
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            float sum = u_ym1[v];
            sum = __fadd_rn(sum, u_0[v + 3]);
            sum = __fmaf_rn(-4.0f, u_0[v + 4], sum);
            sum = __fadd_rn(sum, u_0[v + 5]);
            sum = __fadd_rn(sum, u_yp1[v]);
            float sum_2 = -u_new_0[v];
            sum_2 = __fmaf_rn(2.0f, u_0[v + 4], sum_2);
            u_out[v] = __fmaf_rn(c_0[v], sum, sum_2);
          }
          st::store_row<4>(&u_new[i], u_out, whole_0, nx - x);
          st::shift<4>(u_ym1, &u_0[4]);
          st::shift<4>(&u_0[4], u_yp1);
          i += pitch;
        }
      }
    }
  };
  if (interior_x && interior_y && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `reflect` for u.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, const float* c, const stencil::Shape& shape, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<4>(shape, u[0], u[1], c);
  stencil::Textures<float, 4, Index, 2> u_textures("wave", u, shape, stream);
  if (!u_textures.status().ok()) return u_textures.status();
  stencil::Textures<float, 4, Index, 1> c_textures("wave", &c, shape, stream);
  if (!c_textures.status().ok()) return c_textures.status();
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 32);
  const dim3 threads(32, 8);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(
        u[1], u_textures.at[0], c_textures.at[0], aligned, nx, ny, pitch);
    stencil::rotate<2>(u);
    stencil::rotate<2>(u_textures.at);
  }
  return stencil::launched("wave");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("wave", stream);
  auto u = call.levels<2>("u", args.u, args.u_prev);
  const float* c = call.input("c", args.c);
  if (!call.ok()) return call.status();
  const int code = wave_run(u.at, c, call.nx(), call.ny(), call.pitch(), steps.count, stream);
  return call.finish(code, u);
}

}  // namespace wave

int wave_run(
    float* u[2], const float* c, int64_t nx, int64_t ny, int64_t pitch, int64_t steps,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<3> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  buffers.read("c", c);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("wave", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? wave::advance<int> : wave::advance<int64_t>;
  const stencil::Status done = advance(u, c, shape, steps, stream);
  return stencil::code_of(done);
}
