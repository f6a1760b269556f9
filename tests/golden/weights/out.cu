// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil conv, 2-D
//   f32 a: 15 points of level t, radius 2, boundary mirror
//   f32 b: written
//   f32 s: 1 point of level t, radius 1, boundary x not given, y clamp
// Schedule coarsened,threads=64x4,vector=4,coarsen=y4
//   a thread moves 4 cells at once, and keeps what it has loaded for its next ones
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_543b0d7989426e99
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace conv {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ b, const float* __restrict__ a, const float* __restrict__ s,
    const stencil::Weights<float, 15> w, int64_t t, bool aligned, Index nx, Index ny, Index pitch) {
  const float factor = sinf(__fmul_rn(0.1f, static_cast<float>(t)));
  const Index block_x = static_cast<Index>(blockIdx.x) * 256;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 16;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y0 = block_y + static_cast<Index>(threadIdx.y) * 4;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 260 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 17 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y0 < ny)) {
      // Where a row of a begins, and a cell of a row: near the boundary those that stand for them.
      const auto a_row = [&](Index row_y) {
        const Index at_y = edge ? st::mirror(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto a_in = [&](Index row, Index cell_x) { return a[row + st::mirror(cell_x, nx)]; };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      Index i = y0 * pitch + x;
      float a_ym1[12];
      float a_0[12];
      st::fill_row<4, -1, 3>(edge, a_ym1, a, a_row(y0 - 1), x, whole_0, a_in);
      st::fill_row<4, -1, 3>(edge, a_0, a, a_row(y0), x, whole_0, a_in);
#pragma unroll
      for (Index k = 0; k < 4; ++k) {
        const Index y = y0 + k;
        if (!edge || y < ny) {
          float a_yp1[12];
          st::fill_row<4, -1, 3>(edge, a_yp1, a, a_row(y + 1), x, whole_0, a_in);
          float b_out[4];
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            if (!edge || x + v < nx) {
              float sum = __fmul_rn(w[0], a_ym1[v + 2]);
              sum = __fmaf_rn(w[3], a_ym1[v + 3], sum);
              sum = __fmaf_rn(w[6], a_ym1[v + 4], sum);
              sum = __fmaf_rn(w[9], a_ym1[v + 5], sum);
              sum = __fmaf_rn(w[12], a_ym1[v + 6], sum);
              sum = __fmaf_rn(w[1], a_0[v + 2], sum);
              sum = __fmaf_rn(w[4], a_0[v + 3], sum);
              sum = __fmaf_rn(w[7], a_0[v + 4], sum);
              sum = __fmaf_rn(w[10], a_0[v + 5], sum);
              sum = __fmaf_rn(w[13], a_0[v + 6], sum);
              sum = __fmaf_rn(w[2], a_yp1[v + 2], sum);
              sum = __fmaf_rn(w[5], a_yp1[v + 3], sum);
              sum = __fmaf_rn(w[8], a_yp1[v + 4], sum);
              sum = __fmaf_rn(w[11], a_yp1[v + 5], sum);
              sum = __fmaf_rn(w[14], a_yp1[v + 6], sum);
              const Index at_yp1 = st::clamp(y + 1, ny);
              b_out[v] = __fmaf_rn(sum, s[at_yp1], factor);
            }
          }
          st::store_row<4>(&b[i], b_out, whole_0, nx - x);
          st::shift<12>(a_ym1, a_0);
          st::shift<12>(a_0, a_yp1);
          i += pitch;
        }
      }
    }
  };
  if (interior_x && interior_y && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `mirror` for a, `clamp` for s.
    cells(st::Constant<true>());
  }
}

// One launch computes everything.
template <typename Index>
stencil::Status advance(
    const float* a, float* b, const float* s, const stencil::Shape& shape,
    const stencil::Weights<float, 15>& w, int64_t first, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<4>(shape, a, b);
  const int64_t blocks_x = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y = stencil::blocks(shape.ny, 16);
  const dim3 threads(64, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  int64_t t = first;
  step<Index><<<blocks, threads, 0, stream>>>(b, a, s, w, t, aligned, nx, ny, pitch);
  return stencil::launched("conv");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("conv", stream);
  const float* a = call.input("a", args.a);
  float* b = call.output("b", args.b);
  const float* s = call.part("s", args.s, {1});
  if (!call.ok()) return call.status();
  const int code = conv_run(
      a, b, s, call.nx(), call.ny(), call.pitch(), args.w, steps.first, stream);
  return call.finish(code);
}

}  // namespace conv

int conv_run(
    const float* a, float* b, const float* s, int64_t nx, int64_t ny, int64_t pitch, const float* w,
    int64_t first, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<3> buffers;
  buffers.read("a", a);
  buffers.written("b", b);
  buffers.read("s", s, ny);
  const stencil::Steps count{1};
  stencil::Status ready = stencil::check("conv", shape, count, buffers);
  stencil::Weights<float, 15> w_values;
  if (ready.ok()) ready = stencil::take("conv", "w", w, w_values);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? conv::advance<int> : conv::advance<int64_t>;
  const stencil::Status done = advance(a, b, s, shape, w_values, first, stream);
  return stencil::code_of(done);
}
