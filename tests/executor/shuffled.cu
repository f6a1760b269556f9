// 3 points in 1-D in f64: a lane loads one cell, its neighbours come by shuffles. A warp owns 30
// cells; edges are clamped.
#include <cuda_runtime.h>

#include <cstdint>

namespace {

constexpr int lanes = 32;
constexpr int halo = 1;
constexpr int owned = lanes - 2 * halo;
constexpr int warps = 4;

template <class Index>
__global__ void __launch_bounds__(lanes* warps)
    shuffled(Index nx, const float* __restrict__ u, float* __restrict__ v) {
  const int lane = threadIdx.x % lanes;
  const Index warp = static_cast<Index>(blockIdx.x) * warps + threadIdx.x / lanes;
  const Index x = warp * owned + lane - halo;
  const Index inside = x < 0 ? 0 : x < nx ? x : nx - 1;
  const double here = u[inside];
  const double left = __shfl_up_sync(0xffffffffu, here, 1);
  const double right = __shfl_down_sync(0xffffffffu, here, 1);
  double sum = __dmul_rn(0.1, left);
  sum = __fma_rn(0.2, here, sum);
  sum = __fma_rn(0.3, right, sum);
  if (lane >= halo && lane < lanes - halo && x < nx) v[x] = static_cast<float>(sum);
}

}  // namespace

extern "C" int run(const float* in, float* out, int nx, int, int, int wide) {
  const size_t bytes = sizeof(float) * nx;
  float *u = nullptr, *v = nullptr;
  if (cudaMalloc(&u, bytes) != cudaSuccess || cudaMalloc(&v, bytes) != cudaSuccess) return 1;
  cudaMemcpy(u, in, bytes, cudaMemcpyHostToDevice);
  const int blocks = (nx + owned * warps - 1) / (owned * warps);
  if (wide != 0) {
    shuffled<int64_t><<<blocks, lanes * warps>>>(nx, u, v);
  } else {
    shuffled<int><<<blocks, lanes * warps>>>(nx, u, v);
  }
  const int error = cudaGetLastError();
  cudaMemcpy(out, v, bytes, cudaMemcpyDeviceToHost);
  cudaFree(u);
  cudaFree(v);
  return error;
}
