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
// Schedule coarsened,threads=64x4,vector=2,coarsen=y1
//   a thread moves 2 cells at once, and keeps what it has loaded for its next ones
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_429fab126f1ef4c2
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace boundaries {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ a_new, float* __restrict__ b_new, float* __restrict__ c_new,
    float* __restrict__ d_new, double* __restrict__ e_new, float* __restrict__ f_new,
    float* __restrict__ g_new, double* __restrict__ sum, const float* __restrict__ a,
    const float* __restrict__ b, const float* __restrict__ c, const float* __restrict__ d,
    const double* __restrict__ e, const float* __restrict__ f, const float* __restrict__ g,
    const float* __restrict__ h, bool aligned, Index nx, Index ny, Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 4;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 2;
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 2 && block_x + 130 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 6 <= ny;
  if (interior_x && interior_y && aligned) {
    const Index i = y * pitch + x;
    float a_0[4];
    st::load<2, 2>(a_0, &a[i - 2]);
    float a_yp2[2];
    st::load<2>(a_yp2, &a[i + 2 * pitch]);
    float b_0[2];
    st::load<2>(b_0, &b[i - 2]);
    float b_yp1[2];
    st::load<2>(b_yp1, &b[i + pitch]);
    float c_ym1[2];
    st::load<2>(c_ym1, &c[i - pitch]);
    float c_0[4];
    st::load<2, 2>(c_0, &c[i]);
    float d_ym1[4];
    st::load<2, 2>(d_ym1, &d[i - pitch]);
    float d_0[4];
    st::load<2, 2>(d_0, &d[i - 2]);
    double e_ym1[4];
    st::load<2, 2>(e_ym1, &e[i - pitch - 2]);
    double e_0[4];
    st::load<2, 2>(e_0, &e[i]);
    float f_ym1[2];
    st::load<2>(f_ym1, &f[i - pitch]);
    float f_yp1[4];
    st::load<2, 2>(f_yp1, &f[i + pitch - 2]);
    float g_0[4];
    st::load<2, 2>(g_0, &g[i - 2]);
    float g_yp1[2];
    st::load<2>(g_yp1, &g[i + pitch]);
    float h_ym1[2];
    st::load<2>(h_ym1, &h[i - pitch]);
    float h_0[4];
    st::load<2, 2>(h_0, &h[i]);
    float a_out[2];
    float b_out[2];
    float c_out[2];
    float d_out[2];
    double e_out[2];
    float f_out[2];
    float g_out[2];
    double sum_out[2];
#pragma unroll
    for (Index v = 0; v < 2; ++v) {
      float sum_2 = __fmul_rn(0.5f, a_0[v + 1]);
      sum_2 = __fmaf_rn(0.5f, a_yp2[v], sum_2);
      float sum_3 = __fmul_rn(0.5f, b_0[v]);
      sum_3 = __fmaf_rn(0.5f, b_yp1[v], sum_3);
      float sum_4 = __fmul_rn(0.5f, c_ym1[v]);
      sum_4 = __fmaf_rn(0.5f, c_0[v + 1], sum_4);
      float sum_5 = __fmul_rn(0.5f, d_ym1[v + 1]);
      sum_5 = __fmaf_rn(0.5f, d_0[v + 1], sum_5);
      double sum_6 = __dmul_rn(0.5, e_ym1[v + 1]);
      sum_6 = __fma_rn(0.5, e_0[v + 1], sum_6);
      float sum_7 = __fmul_rn(0.5f, f_ym1[v]);
      sum_7 = __fmaf_rn(0.5f, f_yp1[v + 1], sum_7);
      float sum_8 = __fmul_rn(0.5f, g_0[v + 1]);
      sum_8 = __fmaf_rn(0.5f, g_yp1[v], sum_8);
      double sum_9 = static_cast<double>(h_ym1[v]);
      sum_9 = __dadd_rn(sum_9, e_0[v]);
      sum_9 = __dadd_rn(sum_9, static_cast<double>(h_0[v + 1]));
      a_out[v] = sum_2;
      b_out[v] = sum_3;
      c_out[v] = sum_4;
      d_out[v] = sum_5;
      e_out[v] = sum_6;
      f_out[v] = sum_7;
      g_out[v] = sum_8;
      sum_out[v] = sum_9;
    }
    st::store<2>(&a_new[i], a_out);
    st::store<2>(&b_new[i], b_out);
    st::store<2>(&c_new[i], c_out);
    st::store<2>(&d_new[i], d_out);
    st::store<2>(&e_new[i], e_out);
    st::store<2>(&f_new[i], f_out);
    st::store<2>(&g_new[i], g_out);
    st::store<2>(&sum[i], sum_out);
  } else {
    // Edge blocks: `clamp` for a, `reflect` for b, `mirror` for c, ....
    if (x < nx && y < ny) {
      // Where a row of a begins, and a cell of a row: near the boundary those that stand for them.
      const auto a_row = [&](Index row_y) {
        const Index at_y = st::clamp(row_y, ny);
        return at_y * pitch;
      };
      const auto a_in = [&](Index row, Index cell_x) { return a[row + st::clamp(cell_x, nx)]; };
      // Where a row of b begins, and a cell of a row: near the boundary those that stand for them.
      const auto b_row = [&](Index row_y) {
        const Index at_y = st::reflect(row_y, ny);
        return at_y * pitch;
      };
      const auto b_in = [&](Index row, Index cell_x) { return b[row + st::reflect(cell_x, nx)]; };
      // Where a row of c begins, and a cell of a row: near the boundary those that stand for them.
      const auto c_row = [&](Index row_y) {
        const Index at_y = st::mirror(row_y, ny);
        return at_y * pitch;
      };
      const auto c_in = [&](Index row, Index cell_x) { return c[row + st::mirror(cell_x, nx)]; };
      // Where a row of d begins, and a cell of a row: near the boundary those that stand for them.
      const auto d_row = [&](Index row_y) {
        const Index at_y = st::wrap(row_y, ny);
        return at_y * pitch;
      };
      const auto d_in = [&](Index row, Index cell_x) { return d[row + st::wrap(cell_x, nx)]; };
      // Where a row of e begins, and a cell of a row: near the boundary those that stand for them,
      // if any do.
      const auto e_row = [&](Index row_y) {
        const bool has = row_y >= 0 && row_y < ny;
        return has ? row_y * pitch : -1;
      };
      const auto e_in = [&](Index row, Index cell_x) {
        return row >= 0 && cell_x >= 0 && cell_x < nx ? e[row + cell_x] : 1.5;
      };
      // Where a row of f begins, and a cell of a row: near the boundary those that stand for them,
      // if any do.
      const auto f_row = [&](Index row_y) {
        const bool has = row_y >= 0 && row_y < ny;
        return has ? row_y * pitch : -1;
      };
      const auto f_in = [&](Index row, Index cell_x) {
        return row >= 0 && cell_x >= 0 && cell_x < nx ? f[row + cell_x] : 0.0f;
      };
      // Where a row of g begins, and a cell of a row: near the boundary those that stand for them.
      const auto g_row = [&](Index row_y) {
        const Index at_y = st::clamp(row_y, ny);
        return at_y * pitch;
      };
      const auto g_in = [&](Index row, Index cell_x) { return g[row + st::clamp(cell_x, nx)]; };
      // Where a row of h begins, and a cell of a row: near the boundary those that stand for them.
      const auto h_row = [&](Index row_y) {
        const Index at_y = st::clamp(row_y, ny);
        return at_y * pitch;
      };
      const auto h_in = [&](Index row, Index cell_x) { return h[row + st::clamp(cell_x, nx)]; };
      const bool whole_0 = aligned && x + 2 <= nx;
      const Index i = y * pitch + x;
      float a_0[4];
      st::fill_row<2, -1, 2>(a_0, a, a_row(y), x, whole_0, a_in);
      float a_yp2[2];
      st::fill_row<2>(a_yp2, a, a_row(y + 2), x, whole_0, a_in);
      float b_0[2];
      st::fill_row<2, -1>(b_0, b, b_row(y), x, whole_0, b_in);
      float b_yp1[2];
      st::fill_row<2>(b_yp1, b, b_row(y + 1), x, whole_0, b_in);
      float c_ym1[2];
      st::fill_row<2>(c_ym1, c, c_row(y - 1), x, whole_0, c_in);
      float c_0[4];
      st::fill_row<2, 0, 2>(c_0, c, c_row(y), x, whole_0, c_in);
      float d_ym1[4];
      st::fill_row<2, 0, 2>(d_ym1, d, d_row(y - 1), x, whole_0, d_in);
      float d_0[4];
      st::fill_row<2, -1, 2>(d_0, d, d_row(y), x, whole_0, d_in);
      double e_ym1[4];
      st::fill_row<2, -1, 2>(e_ym1, e, e_row(y - 1), x, whole_0, e_in);
      double e_0[4];
      st::fill_row<2, 0, 2>(e_0, e, e_row(y), x, whole_0, e_in);
      float f_ym1[2];
      st::fill_row<2>(f_ym1, f, f_row(y - 1), x, whole_0, f_in);
      float f_yp1[4];
      st::fill_row<2, -1, 2>(f_yp1, f, f_row(y + 1), x, whole_0, f_in);
      float g_0[4];
      st::fill_row<2, -1, 2>(g_0, g, g_row(y), x, whole_0, g_in);
      float g_yp1[2];
      st::fill_row<2>(g_yp1, g, g_row(y + 1), x, whole_0, g_in);
      float h_ym1[2];
      st::fill_row<2>(h_ym1, h, h_row(y - 1), x, whole_0, h_in);
      float h_0[4];
      st::fill_row<2, 0, 2>(h_0, h, h_row(y), x, whole_0, h_in);
      float a_out[2];
      float b_out[2];
      float c_out[2];
      float d_out[2];
      double e_out[2];
      float f_out[2];
      float g_out[2];
#pragma unroll
      for (Index v = 0; v < 2; ++v) {
        if (x + v < nx) {
          float sum_2 = __fmul_rn(0.5f, a_0[v + 1]);
          sum_2 = __fmaf_rn(0.5f, a_yp2[v], sum_2);
          float sum_3 = __fmul_rn(0.5f, b_0[v]);
          sum_3 = __fmaf_rn(0.5f, b_yp1[v], sum_3);
          float sum_4 = __fmul_rn(0.5f, c_ym1[v]);
          sum_4 = __fmaf_rn(0.5f, c_0[v + 1], sum_4);
          float sum_5 = __fmul_rn(0.5f, d_ym1[v + 1]);
          sum_5 = __fmaf_rn(0.5f, d_0[v + 1], sum_5);
          double sum_6 = __dmul_rn(0.5, e_ym1[v + 1]);
          sum_6 = __fma_rn(0.5, e_0[v + 1], sum_6);
          float sum_7 = __fmul_rn(0.5f, f_ym1[v]);
          sum_7 = __fmaf_rn(0.5f, f_yp1[v + 1], sum_7);
          float g_next = g[i + v];
          if (x + v >= 1 && y + 1 < ny) {
            float sum_8 = __fmul_rn(0.5f, g_0[v + 1]);
            sum_8 = __fmaf_rn(0.5f, g_yp1[v], sum_8);
            g_next = sum_8;
          }
          double sum_next = 0.0;
          if (x + v + 1 < nx && y >= 1) {
            double sum_8 = static_cast<double>(h_ym1[v]);
            sum_8 = __dadd_rn(sum_8, e_0[v]);
            sum_8 = __dadd_rn(sum_8, static_cast<double>(h_0[v + 1]));
            sum_next = sum_8;
          }
          a_out[v] = sum_2;
          b_out[v] = sum_3;
          c_out[v] = sum_4;
          d_out[v] = sum_5;
          e_out[v] = sum_6;
          f_out[v] = sum_7;
          g_out[v] = g_next;
          if (x + v + 1 < nx && y >= 1) {
            sum[i + v] = sum_next;
          }
        }
      }
      st::store_row<2>(&a_new[i], a_out, whole_0, nx - x);
      st::store_row<2>(&b_new[i], b_out, whole_0, nx - x);
      st::store_row<2>(&c_new[i], c_out, whole_0, nx - x);
      st::store_row<2>(&d_new[i], d_out, whole_0, nx - x);
      st::store_row<2>(&e_new[i], e_out, whole_0, nx - x);
      st::store_row<2>(&f_new[i], f_out, whole_0, nx - x);
      st::store_row<2>(&g_new[i], g_out, whole_0, nx - x);
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
  const bool aligned = stencil::aligned<2>(
      shape, a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1], e[0], e[1], f[0], f[1], g[0], g[1], h,
      sum);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 4);
  const dim3 threads(64, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(
        a[1], b[1], c[1], d[1], e[1], f[1], g[1], sum, a[0], b[0], c[0], d[0], e[0], f[0], g[0], h,
        aligned, nx, ny, pitch);
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
