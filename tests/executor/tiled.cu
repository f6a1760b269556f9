// 3x3 box in 2-D through a tile in shared memory, weights in constant memory, edges clamped.
#include <cuda_runtime.h>

#include <cstdint>

namespace {

constexpr int width = 16;
constexpr int height = 8;
constexpr int halo = 1;

__constant__ float weights[9];

template <class Index>
__device__ Index clamp(Index i, Index n) {
  return i < 0 ? 0 : i < n ? i : n - 1;
}

template <class Index>
__global__ void __launch_bounds__(width* height)
    tiled(Index nx, Index ny, Index pitch, const float* __restrict__ u, float* __restrict__ v) {
  __shared__ float tile[height + 2 * halo][width + 2 * halo];
  const Index x0 = static_cast<Index>(blockIdx.x) * width;
  const Index y0 = static_cast<Index>(blockIdx.y) * height;
  for (int i = threadIdx.y * width + threadIdx.x; i < (height + 2 * halo) * (width + 2 * halo);
       i += width * height) {
    const int tx = i % (width + 2 * halo);
    const int ty = i / (width + 2 * halo);
    tile[ty][tx] = u[clamp(y0 + ty - halo, ny) * pitch + clamp(x0 + tx - halo, nx)];
  }
  __syncthreads();
  const Index x = x0 + threadIdx.x;
  const Index y = y0 + threadIdx.y;
  if (x >= nx || y >= ny) return;
  float sum = 0.0f;
#pragma unroll
  for (int j = 0; j < 3; ++j) {
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      sum = __fmaf_rn(weights[j * 3 + i], tile[threadIdx.y + j][threadIdx.x + i], sum);
    }
  }
  v[y * pitch + x] = sum;
}

}  // namespace

extern "C" int run(const float* in, float* out, int nx, int ny, int, int wide) {
  const float values[9] = {0.01f, 0.02f, 0.03f, 0.04f, 0.05f, 0.06f, 0.07f, 0.08f, 0.09f};
  const int pitch = (nx + 31) / 32 * 32;
  const size_t row = sizeof(float) * nx, stride = sizeof(float) * pitch;
  float *u = nullptr, *v = nullptr;
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  if (cudaMallocAsync(&u, stride * ny, stream) != cudaSuccess) return 1;
  if (cudaMallocAsync(&v, stride * ny, stream) != cudaSuccess) return 1;
  cudaMemcpyToSymbolAsync(weights, values, sizeof(values), 0, cudaMemcpyHostToDevice, stream);
  cudaMemcpy2DAsync(u, stride, in, row, row, ny, cudaMemcpyHostToDevice, stream);
  const dim3 block(width, height), grid((nx + width - 1) / width, (ny + height - 1) / height);
  if (wide != 0) {
    tiled<int64_t><<<grid, block, 0, stream>>>(nx, ny, pitch, u, v);
  } else {
    tiled<int><<<grid, block, 0, stream>>>(nx, ny, pitch, u, v);
  }
  const int error = cudaGetLastError();
  cudaMemcpy2DAsync(out, row, v, stride, row, ny, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  cudaFreeAsync(u, stream);
  cudaFreeAsync(v, stream);
  cudaStreamDestroy(stream);
  return error;
}
