// 7-point star in 3-D: a block streams along z, planes arrive ahead of it in a ring of shared
// memory; zero beyond the edges.
#include <stencil/device.h>

#include <cstdint>

namespace {

constexpr int width = 32;
constexpr int height = 4;
constexpr int ahead = 3;          // planes fetched before they are the newest one read
constexpr int depth = ahead + 2;  // and the two before
constexpr int plane = (width + 2) * (height + 2);

template <class Index>
struct Grid {
  Index nx, ny, nz;
};

template <class Index>
__device__ void fetch(float* ring, Grid<Index> grid, Index x0, Index y0, Index z, const float* u) {
  float* slot = ring + (z + depth) % depth * plane;
  for (int i = threadIdx.y * width + threadIdx.x; i < plane; i += width * height) {
    const Index x = x0 + i % (width + 2) - 1;
    const Index y = y0 + i / (width + 2) - 1;
    const bool inside = x >= 0 && x < grid.nx && y >= 0 && y < grid.ny && z >= 0 && z < grid.nz;
    st::copy_async<4>(slot + i, inside ? u + (z * grid.ny + y) * grid.nx + x : u, inside);
  }
  st::commit();
}

template <class Index>
__global__ void __launch_bounds__(width* height)
    streaming(Grid<Index> grid, const float* __restrict__ u, float* __restrict__ v) {
  extern __shared__ float ring[];
  const Index x0 = static_cast<Index>(blockIdx.x) * width;
  const Index y0 = static_cast<Index>(blockIdx.y) * height;
  const Index x = x0 + threadIdx.x;
  const Index y = y0 + threadIdx.y;
  const int at = (threadIdx.y + 1) * (width + 2) + threadIdx.x + 1;
  for (Index z = -1; z < ahead; ++z) fetch(ring, grid, x0, y0, z, u);
  for (Index z = 0; z < grid.nz; ++z) {
    st::wait<1>();
    st::sync();
    fetch(ring, grid, x0, y0, z + ahead, u);
    const float* below = ring + (z + depth - 1) % depth * plane;
    const float* here = ring + z % depth * plane;
    const float* above = ring + (z + 1) % depth * plane;
    float sum = __fmul_rn(0.1f, below[at]);
    sum = __fmaf_rn(0.2f, here[at - 1], sum);
    sum = __fmaf_rn(0.3f, here[at], sum);
    sum = __fmaf_rn(0.4f, here[at + 1], sum);
    sum = __fmaf_rn(0.5f, here[at - (width + 2)], sum);
    sum = __fmaf_rn(0.6f, here[at + (width + 2)], sum);
    sum = __fmaf_rn(0.7f, above[at], sum);
    if (x < grid.nx && y < grid.ny) v[(z * grid.ny + y) * grid.nx + x] = sum;
  }
}

template <class Index>
int launch(Grid<Index> grid, const float* u, float* v) {
  constexpr int bytes = depth * plane * static_cast<int>(sizeof(float));
  cudaFuncSetAttribute(streaming<Index>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const dim3 blocks((grid.nx + width - 1) / width, (grid.ny + height - 1) / height);
  streaming<Index><<<blocks, dim3(width, height), bytes>>>(grid, u, v);
  return cudaGetLastError();
}

}  // namespace

extern "C" int run(const float* in, float* out, int nx, int ny, int nz, int wide) {
  const size_t bytes = sizeof(float) * nx * ny * nz;
  float *u = nullptr, *v = nullptr;
  if (cudaMalloc(&u, bytes) != cudaSuccess || cudaMalloc(&v, bytes) != cudaSuccess) return 1;
  cudaMemcpy(u, in, bytes, cudaMemcpyHostToDevice);
  const int error =
      wide != 0 ? launch(Grid<int64_t>{nx, ny, nz}, u, v) : launch(Grid<int>{nx, ny, nz}, u, v);
  cudaMemcpy(out, v, bytes, cudaMemcpyDeviceToHost);
  cudaFree(u);
  cudaFree(v);
  return error;
}
