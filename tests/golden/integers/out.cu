// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil integers, 1-D
//   u8 a: 3 points of level t, radius 1, boundary periodic; 2 buffers
//   i32 b: 3 points of level t, radius 1, boundary clamp; 2 buffers
//   i64 c: 1 point of level t, radius 1, boundary constant 0; 2 buffers
//   bool alive: 2 points of level t, radius 1, boundary reflect; 2 buffers
// Schedule coarsened,threads=256,vector=2,coarsen=x1
//   a thread moves 2 cells at once
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_1e6a1a45b4505985
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace integers {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    uint8_t* __restrict__ a_new, int32_t* __restrict__ b_new, int64_t* __restrict__ c_new,
    bool* __restrict__ alive_new, const uint8_t* __restrict__ a, const int32_t* __restrict__ b,
    const int64_t* __restrict__ c, const bool* __restrict__ alive, int32_t k, bool aligned,
    Index nx) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 512;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 2;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 2 && block_x + 514 <= nx;
  const auto cells = [&](auto edge) {
    if (!edge || x < nx) {
      // A cell of a; outside the grid it is a ghost cell.
      const auto a_at = [&](Index cell_x) {
        const Index at_x = st::wrap(cell_x, nx);
        return a[at_x];
      };
      // A cell of b; outside the grid it is a ghost cell.
      const auto b_at = [&](Index cell_x) {
        const Index at_x = st::clamp(cell_x, nx);
        return b[at_x];
      };
      // A cell of c; outside the grid it is a ghost cell.
      const auto c_at = [&](Index cell_x) {
        const bool has_x = cell_x >= 0 && cell_x < nx;
        return has_x ? c[cell_x] : int64_t{0};
      };
      // A cell of alive; outside the grid it is a ghost cell.
      const auto alive_at = [&](Index cell_x) {
        const Index at_x = st::reflect(cell_x, nx);
        return alive[at_x];
      };
      const bool whole_0 = !edge || (aligned && x + 2 <= nx);
      const bool whole_m1_to_1 = !edge || (aligned && x >= 2 && x + 4 <= nx);
      const bool whole_0_to_1 = !edge || (aligned && x + 4 <= nx);
      const Index i = x;
      uint8_t a_0[6];
      st::fill<2, 3>(a_0, &a[i - 2], whole_m1_to_1, a_at, x - 2);
      int32_t b_0[6];
      st::fill<2, 3>(b_0, &b[i - 2], whole_m1_to_1, b_at, x - 2);
      int64_t c_0[4];
      st::fill<2, 2>(c_0, &c[i], whole_0_to_1, c_at, x);
      bool alive_0[6];
      st::fill<2, 3>(alive_0, &alive[i - 2], whole_m1_to_1, alive_at, x - 2);
      uint8_t a_out[2];
      int32_t b_out[2];
      int64_t c_out[2];
      bool alive_out[2];
#pragma unroll
      for (Index v = 0; v < 2; ++v) {
        const int32_t part = a_0[v + 1] + a_0[v + 3];
        const int32_t part_2 = part - 2 * a_0[v + 2];
        const uint8_t a_next = st::saturate<uint8_t>(part_2);
        const int32_t part_3 = st::mul(b_0[v + 1], b_0[v + 3]);
        const int32_t part_4 = st::add(part_3, st::idiv<int32_t>(b_0[v + 2], 3));
        const int32_t b_next = st::sub(part_4, st::imod<int32_t>(b_0[v + 2], k));
        const int64_t part_5 = static_cast<int64_t>(b_0[v + 2]);
        const int64_t part_6 = st::max(st::abs(c_0[v + 1]), part_5);
        const int64_t c_next = st::add(part_6, static_cast<int64_t>(x + v));
        const bool part_7 = alive_0[v + 1] != alive_0[v + 3];
        const bool alive_next = part_7 && !(a_0[v + 2] > 200);
        a_out[v] = a_next;
        b_out[v] = b_next;
        c_out[v] = c_next;
        alive_out[v] = alive_next;
      }
      st::store_row<2>(&a_new[i], a_out, whole_0, nx - x);
      st::store_row<2>(&b_new[i], b_out, whole_0, nx - x);
      st::store_row<2>(&c_new[i], c_out, whole_0, nx - x);
      st::store_row<2>(&alive_new[i], alive_out, whole_0, nx - x);
    }
  };
  if (interior_x && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `periodic` for a, `clamp` for b, `constant` for c, ....
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    uint8_t** a, int32_t** b, int64_t** c, bool** alive, const stencil::Shape& shape, int32_t k,
    int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const bool aligned = stencil::aligned<2>(
      shape, a[0], a[1], b[0], b[1], c[0], c[1], alive[0], alive[1]);
  const int64_t blocks_x = stencil::blocks(shape.nx, 512);
  const dim3 threads(256);
  const dim3 blocks = stencil::grid_of(blocks_x);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(
        a[1], b[1], c[1], alive[1], a[0], b[0], c[0], alive[0], k, aligned, nx);
    stencil::rotate<2>(a);
    stencil::rotate<2>(b);
    stencil::rotate<2>(c);
    stencil::rotate<2>(alive);
  }
  return stencil::launched("integers");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<1> call("integers", stream);
  auto a = call.levels<2>("a", args.a);
  auto b = call.levels<2>("b", args.b);
  auto c = call.levels<2>("c", args.c);
  auto alive = call.levels<2>("alive", args.alive);
  if (!call.ok()) return call.status();
  const int code = integers_run(a.at, b.at, c.at, alive.at, call.nx(), args.k, steps.count, stream);
  return call.finish(code, a, b, c, alive);
}

}  // namespace integers

int integers_run(
    uint8_t* a[2], int32_t* b[2], int64_t* c[2], bool* alive[2], int64_t nx, int32_t k,
    int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx}, nx);
  stencil::Buffers<8> buffers;
  buffers.written("a[0]", a[0]);
  buffers.written("a[1]", a[1]);
  buffers.written("b[0]", b[0]);
  buffers.written("b[1]", b[1]);
  buffers.written("c[0]", c[0]);
  buffers.written("c[1]", c[1]);
  buffers.written("alive[0]", alive[0]);
  buffers.written("alive[1]", alive[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("integers", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(nx);
  const auto advance = narrow ? integers::advance<int> : integers::advance<int64_t>;
  const stencil::Status done = advance(a, b, c, alive, shape, k, steps, stream);
  return stencil::code_of(done);
}
