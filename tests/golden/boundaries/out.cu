// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil boundaries, 2-D
//   f32 a: 2 points of level t, radius 2, boundary clamp; 2 buffers
//   f32 b: 2 points of level t, radius 2, boundary reflect; 2 buffers
//   f32 c: 2 points of level t, radius 1, boundary mirror; 2 buffers
//   f32 d: 2 points of level t, radius 1, boundary periodic; 2 buffers
//   f64 e: 3 points of level t, radius 1, boundary constant 1.5; 2 buffers
//   f32 f: 2 points of level t, radius 1, boundary constant 0; 2 buffers
//   f32 g: 2 points of level t, radius 1, boundary fixed; 2 buffers
//   f32 h: 2 points of level t, radius 1, boundary none
//   f64 sum: written
// Schedule coarsened,threads=128x1,coarsen=y8
//   a thread keeps what it has loaded for its next cells, and its loads are independent
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace boundaries {
namespace {

template <typename Index>
__global__ void __launch_bounds__(128) step(
    float* __restrict__ a_new, float* __restrict__ b_new, float* __restrict__ c_new,
    float* __restrict__ d_new, double* __restrict__ e_new, float* __restrict__ f_new,
    float* __restrict__ g_new, double* __restrict__ sum, const float* __restrict__ a,
    const float* __restrict__ b, const float* __restrict__ c, const float* __restrict__ d,
    const double* __restrict__ e, const float* __restrict__ f, const float* __restrict__ g,
    const float* __restrict__ h, Index nx, Index ny, Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 2 && block_x + 129 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 10 <= ny;
  if (interior_x && interior_y) {
    Index i = block_y * pitch + x;
#pragma unroll
    for (Index k = 0; k < 8; ++k) {
      float sum_2 = __fmul_rn(0.5f, a[i - 1]);
      sum_2 = __fmaf_rn(0.5f, a[i + 2 * pitch], sum_2);
      float sum_3 = __fmul_rn(0.5f, b[i - 2]);
      sum_3 = __fmaf_rn(0.5f, b[i + pitch], sum_3);
      float sum_4 = __fmul_rn(0.5f, c[i - pitch]);
      sum_4 = __fmaf_rn(0.5f, c[i + 1], sum_4);
      float sum_5 = __fmul_rn(0.5f, d[i - pitch + 1]);
      sum_5 = __fmaf_rn(0.5f, d[i - 1], sum_5);
      double sum_6 = __dmul_rn(0.5, e[i - pitch - 1]);
      sum_6 = __fma_rn(0.5, e[i + 1], sum_6);
      float sum_7 = __fmul_rn(0.5f, f[i - pitch]);
      sum_7 = __fmaf_rn(0.5f, f[i + pitch - 1], sum_7);
      float sum_8 = __fmul_rn(0.5f, g[i - 1]);
      sum_8 = __fmaf_rn(0.5f, g[i + pitch], sum_8);
      double sum_9 = static_cast<double>(h[i - pitch]);
      sum_9 = __dadd_rn(sum_9, e[i]);
      sum_9 = __dadd_rn(sum_9, static_cast<double>(h[i + 1]));
      a_new[i] = sum_2;
      b_new[i] = sum_3;
      c_new[i] = sum_4;
      d_new[i] = sum_5;
      e_new[i] = sum_6;
      f_new[i] = sum_7;
      g_new[i] = sum_8;
      sum[i] = sum_9;
      i += pitch;
    }
  } else {
    // Edge blocks: `clamp` for a, `reflect` for b, `mirror` for c, ....
    for (Index k = 0; k < 8; ++k) {
      const Index y = block_y + k;
      if (x < nx && y < ny) {
        const Index i = y * pitch + x;
        const Index at_xm1 = st::clamp(x - 1, nx);
        const Index at_yp2 = st::clamp(y + 2, ny);
        float sum_2 = __fmul_rn(0.5f, a[y * pitch + at_xm1]);
        sum_2 = __fmaf_rn(0.5f, a[at_yp2 * pitch + x], sum_2);
        const Index at_xm2 = st::reflect(x - 2, nx);
        const Index at_yp1 = st::reflect(y + 1, ny);
        float sum_3 = __fmul_rn(0.5f, b[y * pitch + at_xm2]);
        sum_3 = __fmaf_rn(0.5f, b[at_yp1 * pitch + x], sum_3);
        const Index at_ym1 = st::mirror(y - 1, ny);
        const Index at_xp1 = st::mirror(x + 1, nx);
        float sum_4 = __fmul_rn(0.5f, c[at_ym1 * pitch + x]);
        sum_4 = __fmaf_rn(0.5f, c[y * pitch + at_xp1], sum_4);
        const Index at_xp1_2 = st::wrap(x + 1, nx);
        const Index at_ym1_2 = st::wrap(y - 1, ny);
        const Index at_xm1_2 = st::wrap(x - 1, nx);
        float sum_5 = __fmul_rn(0.5f, d[at_ym1_2 * pitch + at_xp1_2]);
        sum_5 = __fmaf_rn(0.5f, d[y * pitch + at_xm1_2], sum_5);
        const bool has_xm1 = x >= 1;
        const bool has_ym1 = y >= 1;
        const double part = has_xm1 && has_ym1 ? e[i - pitch - 1] : 1.5;
        const bool has_xp1 = x + 1 < nx;
        double sum_6 = __dmul_rn(0.5, part);
        sum_6 = __fma_rn(0.5, has_xp1 ? e[i + 1] : 1.5, sum_6);
        const bool has_yp1 = y + 1 < ny;
        const float part_2 = has_xm1 && has_yp1 ? f[i + pitch - 1] : 0.0f;
        float sum_7 = __fmul_rn(0.5f, has_ym1 ? f[i - pitch] : 0.0f);
        sum_7 = __fmaf_rn(0.5f, part_2, sum_7);
        float g_next = g[i];
        if (x >= 1 && y + 1 < ny) {
          float sum_8 = __fmul_rn(0.5f, g[i - 1]);
          sum_8 = __fmaf_rn(0.5f, g[i + pitch], sum_8);
          g_next = sum_8;
        }
        double sum_next = 0.0;
        if (x + 1 < nx && y >= 1) {
          double sum_8 = static_cast<double>(h[i - pitch]);
          sum_8 = __dadd_rn(sum_8, e[i]);
          sum_8 = __dadd_rn(sum_8, static_cast<double>(h[i + 1]));
          sum_next = sum_8;
        }
        a_new[i] = sum_2;
        b_new[i] = sum_3;
        c_new[i] = sum_4;
        d_new[i] = sum_5;
        e_new[i] = sum_6;
        f_new[i] = sum_7;
        g_new[i] = g_next;
        if (x + 1 < nx && y >= 1) {
          sum[i] = sum_next;
        }
      }
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** a, float** b, float** c, float** d, double** e, float** f, float** g, const float* h,
    double* sum, const stencil::Shape& shape, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const dim3 threads(128, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(
        a[1], b[1], c[1], d[1], e[1], f[1], g[1], sum, a[0], b[0], c[0], d[0], e[0], f[0], g[0], h,
        nx, ny, pitch);
    stencil::rotate<2>(a);
    stencil::rotate<2>(b);
    stencil::rotate<2>(c);
    stencil::rotate<2>(d);
    stencil::rotate<2>(e);
    stencil::rotate<2>(f);
    stencil::rotate<2>(g);
  }
  return stencil::launched("boundaries");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("boundaries", stream);
  auto a = call.levels<2>("a", args.a);
  auto b = call.levels<2>("b", args.b);
  auto c = call.levels<2>("c", args.c);
  auto d = call.levels<2>("d", args.d);
  auto e = call.levels<2>("e", args.e);
  auto f = call.levels<2>("f", args.f);
  auto g = call.levels<2>("g", args.g);
  const float* h = call.input("h", args.h);
  double* sum = call.output("sum", args.sum);
  if (!call.ok()) return call.status();
  const int code = boundaries_run(
      a.at, b.at, c.at, d.at, e.at, f.at, g.at, h, sum, call.nx(), call.ny(), call.pitch(),
      steps.count, stream);
  return call.finish(code, a, b, c, d, e, f, g);
}

}  // namespace boundaries

int boundaries_run(
    float* a[2], float* b[2], float* c[2], float* d[2], double* e[2], float* f[2], float* g[2],
    const float* h, double* sum, int64_t nx, int64_t ny, int64_t pitch, int64_t steps,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<16> buffers;
  buffers.written("a[0]", a[0]);
  buffers.written("a[1]", a[1]);
  buffers.written("b[0]", b[0]);
  buffers.written("b[1]", b[1]);
  buffers.written("c[0]", c[0]);
  buffers.written("c[1]", c[1]);
  buffers.written("d[0]", d[0]);
  buffers.written("d[1]", d[1]);
  buffers.written("e[0]", e[0]);
  buffers.written("e[1]", e[1]);
  buffers.written("f[0]", f[0]);
  buffers.written("f[1]", f[1]);
  buffers.written("g[0]", g[0]);
  buffers.written("g[1]", g[1]);
  buffers.read("h", h);
  buffers.written("sum", sum);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("boundaries", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? boundaries::advance<int> : boundaries::advance<int64_t>;
  const stencil::Status done = advance(a, b, c, d, e, f, g, h, sum, shape, steps, stream);
  return stencil::code_of(done);
}
