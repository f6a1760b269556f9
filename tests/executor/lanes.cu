// Cells of other lanes in 1-D, as values of each type. A warp owns 32 cells; where a warp ends a
// lane takes its own.
#include <stencil/cuda_half.h>
#include <stencil/device.h>

#include <cstdint>

namespace {

// Of 0 to 200, which every type holds exactly.
__device__ int whole(float cell) { return static_cast<int>(cell * 100.0f) + 100; }

template <class Index>
__global__ void __launch_bounds__(64)
    lanes(Index nx, const float* __restrict__ u, float* __restrict__ v) {
  const Index x = static_cast<Index>(blockIdx.x) * 64 + threadIdx.x;
  const int here = whole(u[x < nx ? x : nx - 1]);
  const float real = static_cast<float>(here);
  constexpr int64_t far = int64_t{1} << 40;
  int64_t sum = st::from_left(static_cast<uint8_t>(here), 1);
  sum += 2 * st::from_right(static_cast<int16_t>(here), 1);
  sum += 3 * st::from_left(here, 2);
  sum += 4 * (st::from_right(here + far, 3) - far);
  sum += 5 * static_cast<int64_t>(st::from_left(real, 31));
  sum += 6 * static_cast<int64_t>(st::from_right(real + 0x1p40, 16) - 0x1p40);
  sum += 7 * static_cast<int64_t>(st::f32(st::from_left(st::f16(real), 5)));
  sum += 8 * static_cast<int64_t>(st::f32(st::from_right(st::bf16(real), 7)));
  sum += st::from_left(here % 2 != 0, 4) ? 9 : 0;
  if (x < nx) v[x] = static_cast<float>(sum);
}

}  // namespace

extern "C" int run(const float* in, float* out, int nx, int, int, int wide) {
  const size_t bytes = sizeof(float) * nx;
  float *u = nullptr, *v = nullptr;
  if (cudaMalloc(&u, bytes) != cudaSuccess || cudaMalloc(&v, bytes) != cudaSuccess) return 1;
  cudaMemcpy(u, in, bytes, cudaMemcpyHostToDevice);
  if (wide != 0) {
    lanes<int64_t><<<(nx + 63) / 64, 64>>>(nx, u, v);
  } else {
    lanes<int><<<(nx + 63) / 64, 64>>>(nx, u, v);
  }
  const int error = cudaGetLastError();
  cudaMemcpy(out, v, bytes, cudaMemcpyDeviceToHost);
  cudaFree(u);
  cudaFree(v);
  return error;
}
