// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil integers, 1-D
//   u8 a: 3 points of level t, radius 1, boundary periodic; 2 buffers
//   i32 b: 3 points of level t, radius 1, boundary clamp; 2 buffers
//   i64 c: 1 point of level t, radius 1, boundary constant 0; 2 buffers
//   bool alive: 2 points of level t, radius 1, boundary reflect; 2 buffers
// Schedule coarsened,threads=256,coarsen=x4
//   four independent cells a thread hide the latency of the loads
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace integers {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    uint8_t* __restrict__ a_new, int32_t* __restrict__ b_new, int64_t* __restrict__ c_new,
    bool* __restrict__ alive_new, const uint8_t* __restrict__ a, const int32_t* __restrict__ b,
    const int64_t* __restrict__ c, const bool* __restrict__ alive, int32_t k, Index nx) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 1024;
  const Index x0 = block_x + static_cast<Index>(threadIdx.x);
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 1 && block_x + 1025 <= nx;
  if (interior_x) {
#pragma unroll
    for (Index k_2 = 0; k_2 < 4; ++k_2) {
      const Index x = x0 + k_2 * 256;
      const Index i = x;
      const int32_t value = a[i];
      const int32_t part = a[i - 1] + a[i + 1] - 2 * value;
      const uint8_t a_next = st::saturate<uint8_t>(part);
      const int32_t b_0 = b[i];
      const int32_t part_2 = st::mul(b[i - 1], b[i + 1]);
      const int32_t part_3 = st::add(part_2, st::idiv<int32_t>(b_0, 3));
      const int32_t b_next = st::sub(part_3, st::imod<int32_t>(b_0, k));
      const int64_t part_4 = st::max(st::abs(c[i + 1]), static_cast<int64_t>(b_0));
      const int64_t c_next = st::add(part_4, static_cast<int64_t>(x));
      const bool part_5 = alive[i - 1] != alive[i + 1];
      const bool alive_next = part_5 && !(value > 200);
      a_new[i] = a_next;
      b_new[i] = b_next;
      c_new[i] = c_next;
      alive_new[i] = alive_next;
    }
  } else {
    // Edge blocks: `periodic` for a, `clamp` for b, `constant` for c, ....
    for (Index k_2 = 0; k_2 < 4; ++k_2) {
      const Index x = x0 + k_2 * 256;
      if (x < nx) {
        const Index i = x;
        const Index at_xm1 = st::wrap(x - 1, nx);
        const Index at_xp1 = st::wrap(x + 1, nx);
        const int32_t value = a[i];
        const int32_t part = a[at_xm1] + a[at_xp1] - 2 * value;
        const uint8_t a_next = st::saturate<uint8_t>(part);
        const Index at_xm1_2 = st::clamp(x - 1, nx);
        const Index at_xp1_2 = st::clamp(x + 1, nx);
        const int32_t b_0 = b[i];
        const int32_t part_2 = st::mul(b[at_xm1_2], b[at_xp1_2]);
        const int32_t part_3 = st::add(part_2, st::idiv<int32_t>(b_0, 3));
        const int32_t b_next = st::sub(part_3, st::imod<int32_t>(b_0, k));
        const bool has_xp1 = x + 1 < nx;
        const int64_t part_4 = st::abs(has_xp1 ? c[i + 1] : int64_t{0});
        const int64_t part_5 = st::max(part_4, static_cast<int64_t>(b_0));
        const int64_t c_next = st::add(part_5, static_cast<int64_t>(x));
        const Index at_xm1_3 = st::reflect(x - 1, nx);
        const Index at_xp1_3 = st::reflect(x + 1, nx);
        const bool alive_next = alive[at_xm1_3] != alive[at_xp1_3] && !(value > 200);
        a_new[i] = a_next;
        b_new[i] = b_next;
        c_new[i] = c_next;
        alive_new[i] = alive_next;
      }
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    uint8_t** a, int32_t** b, int64_t** c, bool** alive, const stencil::Shape& shape, int32_t k,
    int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const int64_t blocks_x = stencil::blocks(shape.nx, 1024);
  const dim3 threads(256);
  const dim3 blocks = stencil::grid_of(blocks_x);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(
        a[1], b[1], c[1], alive[1], a[0], b[0], c[0], alive[0], k, nx);
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
