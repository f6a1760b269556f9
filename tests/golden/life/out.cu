// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil life, 2-D
//   u8 a: 9 points of level t, radius 1, boundary periodic; 2 buffers
// Schedule coarsened,threads=128x1,coarsen=y8
//   a thread keeps what it has loaded for its next cells, and its loads are independent
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace life {
namespace {

template <typename Index>
__global__ void __launch_bounds__(128) step(
    uint8_t* __restrict__ a_new, const uint8_t* __restrict__ a, Index nx, Index ny, Index pitch) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 128;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 1 && block_x + 129 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 9 <= ny;
  if (interior_x && interior_y) {
    Index i = block_y * pitch + x;
    uint8_t a_xm1_ym1 = a[i - pitch - 1];
    uint8_t a_xm1 = a[i - 1];
    uint8_t a_ym1 = a[i - pitch];
    uint8_t a_0 = a[i];
    uint8_t a_xp1_ym1 = a[i - pitch + 1];
    uint8_t a_xp1 = a[i + 1];
#pragma unroll
    for (Index k = 0; k < 8; ++k) {
      const uint8_t a_xm1_yp1 = a[i + pitch - 1];
      const uint8_t a_yp1 = a[i + pitch];
      const uint8_t a_xp1_yp1 = a[i + pitch + 1];
      const int32_t part = a_xm1_ym1 + a_xm1 + a_xm1_yp1 + a_ym1 + a_0;
      const int32_t part_2 = part + a_yp1 + a_xp1_ym1 + a_xp1 + a_xp1_yp1;
      const int32_t n = part_2 - a_0;
      const bool part_3 = n == 3 || (a_0 == 1 && n == 2);
      a_new[i] = part_3 ? uint8_t{1} : uint8_t{0};
      a_xm1_ym1 = a_xm1;
      a_xm1 = a_xm1_yp1;
      a_ym1 = a_0;
      a_0 = a_yp1;
      a_xp1_ym1 = a_xp1;
      a_xp1 = a_xp1_yp1;
      i += pitch;
    }
  } else {
    // Edge blocks: `periodic` for a.
    for (Index k = 0; k < 8; ++k) {
      const Index y = block_y + k;
      if (x < nx && y < ny) {
        const Index i = y * pitch + x;
        const Index at_xm1 = st::wrap(x - 1, nx);
        const Index at_ym1 = st::wrap(y - 1, ny);
        const int32_t part = a[at_ym1 * pitch + at_xm1];
        const Index at_yp1 = st::wrap(y + 1, ny);
        const int32_t part_2 = part + a[y * pitch + at_xm1];
        const int32_t part_3 = part_2 + a[at_yp1 * pitch + at_xm1];
        const int32_t value = a[i];
        const int32_t part_4 = part_3 + a[at_ym1 * pitch + x] + value;
        const Index at_xp1 = st::wrap(x + 1, nx);
        const int32_t part_5 = part_4 + a[at_yp1 * pitch + x];
        const int32_t part_6 = part_5 + a[at_ym1 * pitch + at_xp1];
        const int32_t part_7 = part_6 + a[y * pitch + at_xp1];
        const int32_t n = part_7 + a[at_yp1 * pitch + at_xp1] - value;
        const bool part_8 = n == 3 || (value == 1 && n == 2);
        a_new[i] = part_8 ? uint8_t{1} : uint8_t{0};
      }
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    uint8_t** a, const stencil::Shape& shape, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const int64_t blocks_x = stencil::blocks(shape.nx, 128);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const dim3 threads(128, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(a[1], a[0], nx, ny, pitch);
    stencil::rotate<2>(a);
  }
  return stencil::launched("life");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("life", stream);
  auto a = call.levels<2>("a", args.a);
  if (!call.ok()) return call.status();
  const int code = life_run(a.at, call.nx(), call.ny(), call.pitch(), steps.count, stream);
  return call.finish(code, a);
}

}  // namespace life

int life_run(
    uint8_t* a[2], int64_t nx, int64_t ny, int64_t pitch, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("a[0]", a[0]);
  buffers.written("a[1]", a[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("life", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? life::advance<int> : life::advance<int64_t>;
  const stencil::Status done = advance(a, shape, steps, stream);
  return stencil::code_of(done);
}
