// Timing on the GPU: grids filled where they are, and rounds between events. For the adapter of
// bench_call.h.
#pragma once

#include "bench_values.h"
#include "cuda.h"

namespace stencil {
inline namespace cuda {
namespace bench {

// `first`: the place of the first value among all.
template <typename T>
__global__ void __launch_bounds__(256)
    fill_elements(T* to, int64_t count, uint64_t seed, int64_t first) {
  const int64_t all = static_cast<int64_t>(gridDim.x) * 256;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x; i < count; i += all)
    to[i] = random_value<T>(seed, static_cast<uint64_t>(first + i));
}

template <typename T>
Status fill_array(T* to, int64_t count, uint64_t seed, int64_t first = 0) {
  constexpr int64_t most = 1 << 20;
  const int64_t wanted = blocks(count, 256);
  const auto launched = static_cast<unsigned>(wanted < most ? wanted : most);
  fill_elements<<<launched, 256>>>(to, count, seed, first);
  return cuda_status(cudaGetLastError(), "filling a grid");
}

template <typename T, int Rank>
Status fill(Grid<T, Rank>& grid, uint64_t seed) {
  if (!grid.status().ok()) return grid.status();
  return fill_array(grid.data() + first_element(grid), count_elements(grid), seed);
}

// Each thread sums up every so manieth cell, into a sum of its own.
template <typename T>
__global__ void __launch_bounds__(256)
    sum_cells(const T* cells, int64_t nx, int64_t ny, int64_t count, int64_t pitch, int64_t plane,
              int64_t first, uint64_t* sums) {
  const int64_t thread = static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x;
  uint64_t sum = 0;
  for (int64_t i = thread; i < count; i += static_cast<int64_t>(gridDim.x) * 256) {
    const int64_t row = i / nx;
    const T* const begin = cells + row / ny * plane + row % ny * pitch;
    sum += checked_value(begin[i % nx], static_cast<uint64_t>(first + i));
  }
  sums[thread] = sum;
}

// One block leaves the sum of them in its threads' sums.
[[maybe_unused]] static __global__ void __launch_bounds__(256)
    fold_sums(uint64_t* sums, int64_t count) {
  uint64_t sum = 0;
  for (int64_t i = threadIdx.x; i < count; i += 256) sum += sums[i];
  sums[threadIdx.x] = sum;
}

// Adds what cells add to the checksum of their grid; `first` is the place of the first one there.
template <typename T>
Status add_cells(const T* cells, const Shape& shape, int64_t first, uint64_t& all) {
  constexpr int64_t most = 1024;
  const int64_t count = shape.nx * shape.ny * shape.nz;
  const int64_t launched = count < most * 256 ? blocks(count, 256) : most;
  uint64_t* memory = nullptr;
  uint64_t sums[256] = {};
  cudaError_t error = cudaMalloc(reinterpret_cast<void**>(&memory), launched * 256 * sizeof *sums);
  if (error == cudaSuccess) {
    sum_cells<<<static_cast<unsigned>(launched), 256>>>(cells, shape.nx, shape.ny, count,
                                                        shape.pitch, shape.plane, first, memory);
    fold_sums<<<1, 256>>>(memory, launched * 256);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(sums, memory, sizeof sums, cudaMemcpyDeviceToHost);
  (void)cudaFree(memory);
  for (const uint64_t one : sums) all += one;
  return cuda_status(error, "the checksum of a grid");
}

template <typename T, int Rank>
Status add_checksum(const Grid<T, Rank>& grid, uint64_t& checksum) {
  uint64_t sum = 0;
  const Status status = add_cells(grid.data(), grid.shape(), 0, sum);
  checksum = random_bits(checksum, sum);
  return status;
}

// Two events on the default stream.
class Watch {
 public:
  Watch() {
    (void)cudaEventCreate(&begin_);
    (void)cudaEventCreate(&end_);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() {
    (void)cudaEventDestroy(begin_);
    (void)cudaEventDestroy(end_);
  }
  void start() { (void)cudaEventRecord(begin_); }
  // Waits for what was started since, and gives the seconds it took.
  Status stop(double& seconds) {
    (void)cudaEventRecord(end_);
    const Status status = cuda_status(cudaEventSynchronize(end_), "a timed run");
    float milliseconds = 0;
    if (status.ok()) (void)cudaEventElapsedTime(&milliseconds, begin_, end_);
    seconds = milliseconds * 1e-3;
    return status;
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

[[maybe_unused]] static __global__ void __launch_bounds__(256)
    copy_vectors(float4* __restrict__ to, const float4* __restrict__ from) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x;
  to[i] = from[i];
}

// Copies of up to 1 GiB, by one 16-byte vector a thread.
class Copies {
 public:
  Status make(uint64_t seed) {
    size_t free = 0, total = 0;
    Status status = cuda_status(cudaMemGetInfo(&free, &total), "the copy");
    if (!status.ok()) return status;
    while (count_ > 1 << 20 && 4 * count_ * sizeof(float) > free) count_ /= 2;
    status = from_.make(count_);
    if (status.ok()) status = to_.make(count_);
    return status.ok() ? fill_array(from_.data(), count_, seed) : status;
  }
  int64_t bytes() const { return 2 * count_ * static_cast<int64_t>(sizeof(float)); }
  Status run(int64_t times) {
    for (int64_t n = 0; n < times; ++n)
      copy_vectors<<<static_cast<unsigned>(count_ / 1024), 256>>>(
          reinterpret_cast<float4*>(to_.data()), reinterpret_cast<const float4*>(from_.data()));
    return cuda_status(cudaGetLastError(), "the copy");
  }

 private:
  struct Memory {
    float* at = nullptr;
    Memory() = default;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() { (void)cudaFree(at); }
    float* data() { return at; }
    Status make(int64_t count) {
      void* memory = nullptr;
      const Status status =
          DeviceMemory::allocate(&memory, count * static_cast<int64_t>(sizeof(float)), "the copy");
      at = static_cast<float*>(memory);
      return status;
    }
  };
  int64_t count_ = int64_t{1} << 28;
  Memory from_, to_;
};

}  // namespace bench
}  // namespace cuda
}  // namespace stencil

#include "bench_rounds.h"
