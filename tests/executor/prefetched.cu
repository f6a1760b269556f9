// 5-point star in 2-D without a barrier: a warp streams along y, each lane fetches its own 4 cells
// some rows ahead and keeps three rows of them; the cells beside them come from other lanes. The
// first and the last lane only pass theirs to their neighbours. Zero beyond the edges.
#include <stencil/device.h>

#include <cstdint>

namespace {

constexpr int lanes = 32;
constexpr int warps = 4;
constexpr int vector = 4;
constexpr int owned = (lanes - 2) * vector;  // cells of a row that a warp updates
constexpr int rows = 8;
constexpr int ahead = 3;
constexpr int depth = ahead + 1;

struct alignas(16) Cells {
  float at[vector];
};

template <class Index>
__global__ void __launch_bounds__(lanes* warps)
    prefetched(Index nx, Index ny, Index pitch, const float* __restrict__ u,
               float* __restrict__ v) {
  __shared__ Cells ring[warps][depth][lanes];
  const int lane = threadIdx.x;
  const Index tile = static_cast<Index>(blockIdx.x) * warps + threadIdx.y;
  const Index x = tile * owned + (lane - 1) * vector;
  const Index y0 = static_cast<Index>(blockIdx.y) * rows;

  // Row i of the tile is row y0 - 1 + i of the grid.
  auto fetch = [&](int i) {
    const Index y = y0 - 1 + i;
    const bool inside = i < rows + 2 && x >= 0 && x < pitch && y >= 0 && y < ny;
    st::copy_async<16>(&ring[threadIdx.y][i % depth][lane], inside ? u + y * pitch + x : u, inside);
    st::commit();
  };
  for (int i = 0; i < ahead; ++i) fetch(i);

  Cells below{}, here{};
  for (int i = 0; i < rows + 2; ++i) {
    fetch(i + ahead);
    st::wait<ahead>();
    const Cells above = ring[threadIdx.y][i % depth][lane];
    const float left = st::from_left(here.at[vector - 1], 1);
    const float right = st::from_right(here.at[0], 1);
    const Index y = y0 - 2 + i;
    if (i >= 2 && y < ny && lane >= 1 && lane < lanes - 1) {
      for (int k = 0; k < vector; ++k) {
        float sum = __fmul_rn(0.5f, here.at[k]);
        sum = __fmaf_rn(0.1f, k > 0 ? here.at[k - 1] : left, sum);
        sum = __fmaf_rn(0.2f, k + 1 < vector ? here.at[k + 1] : right, sum);
        sum = __fmaf_rn(0.3f, below.at[k], sum);
        sum = __fmaf_rn(0.4f, above.at[k], sum);
        if (x + k < nx) v[y * pitch + x + k] = sum;
      }
    }
    below = here;
    here = above;
  }
}

}  // namespace

extern "C" int run(const float* in, float* out, int nx, int ny, int, int wide) {
  const int pitch = (nx + vector - 1) / vector * vector;
  const size_t row = sizeof(float) * nx, stride = sizeof(float) * pitch;
  float *u = nullptr, *v = nullptr;
  if (cudaMalloc(&u, stride * ny) != cudaSuccess || cudaMalloc(&v, stride * ny) != cudaSuccess)
    return 1;
  cudaMemset(u, 0, stride * ny);  // the padding of each row lies beyond the edge
  cudaMemcpy2D(u, stride, in, row, row, ny, cudaMemcpyHostToDevice);
  const dim3 block(lanes, warps);
  const dim3 grid((nx + owned * warps - 1) / (owned * warps), (ny + rows - 1) / rows);
  if (wide != 0) {
    prefetched<int64_t><<<grid, block>>>(nx, ny, pitch, u, v);
  } else {
    prefetched<int><<<grid, block>>>(nx, ny, pitch, u, v);
  }
  const int error = cudaGetLastError();
  cudaMemcpy2D(out, row, v, stride, row, ny, cudaMemcpyDeviceToHost);
  cudaFree(u);
  cudaFree(v);
  return error;
}
