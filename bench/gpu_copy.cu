// The copy bandwidth of this GPU, as the ceiling that kernels are compared with.
//   nvcc -O3 -arch=native bench/gpu_copy.cu -o copy && ./copy
// Prints GB/s, counting bytes read and bytes written: the median of eleven copies of 2 GiB, one
// 16-byte vector a thread.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

void require(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

__global__ void __launch_bounds__(256)
    copy(float4* __restrict__ to, const float4* __restrict__ from) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x;
  to[i] = from[i];
}

__global__ void __launch_bounds__(256) fill(float* to) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x;
  to[i] = static_cast<float>((i * 2654435761) % 16777213) * 1e-7f;
}

}  // namespace

int main() {
  constexpr int64_t cells = int64_t{1} << 28;
  float *from = nullptr, *to = nullptr;
  require(cudaMalloc(&from, cells * sizeof(float)));
  require(cudaMalloc(&to, cells * sizeof(float)));
  fill<<<cells / 256, 256>>>(from);
  cudaEvent_t begin, end;
  require(cudaEventCreate(&begin));
  require(cudaEventCreate(&end));
  float times[11];
  for (float& time : times) {
    require(cudaEventRecord(begin));
    for (int k = 0; k < 10; ++k)
      copy<<<cells / 1024, 256>>>(reinterpret_cast<float4*>(to),
                                  reinterpret_cast<const float4*>(from));
    require(cudaEventRecord(end));
    require(cudaEventSynchronize(end));
    require(cudaEventElapsedTime(&time, begin, end));
  }
  require(cudaGetLastError());
  std::sort(times, times + 11);
  std::printf("%.0f\n", 10 * 2.0 * sizeof(float) * cells / (times[5] * 1e-3) * 1e-9);
}
