// Timing on the CPU. For the adapter of bench_call.h.
#pragma once

#include <ctime>

#include "bench_values.h"
#include "cpu.h"

namespace stencil {
inline namespace cpu {
namespace bench {

// In the threads that compute on it, so that each part lies near its thread. `first`: the place of
// the first value among all.
template <typename T>
Status fill_array(T* to, int64_t count, uint64_t seed, int64_t first = 0) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < count; ++i)
    to[i] = random_value<T>(seed, static_cast<uint64_t>(first + i));
  return {};
}

template <typename T, int Rank>
Status fill(Grid<T, Rank>& grid, uint64_t seed) {
  if (!grid.status().ok()) return grid.status();
  return fill_array(grid.data() + first_element(grid), count_elements(grid), seed);
}

// Adds what cells add to the checksum of their grid; `first` is the place of the first one there.
template <typename T>
Status add_cells(const T* cells, const Shape& shape, int64_t first, uint64_t& all) {
  uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int64_t row = 0; row < shape.ny * shape.nz; ++row) {
    const T* const begin = cells + row / shape.ny * shape.plane + row % shape.ny * shape.pitch;
    for (int64_t x = 0; x < shape.nx; ++x)
      sum += checked_value(begin[x], static_cast<uint64_t>(first + row * shape.nx + x));
  }
  all += sum;
  return {};
}

template <typename T, int Rank>
Status add_checksum(const Grid<T, Rank>& grid, uint64_t& checksum) {
  uint64_t sum = 0;
  const Status status = add_cells(grid.data(), grid.shape(), 0, sum);
  checksum = random_bits(checksum, sum);
  return status;
}

class Watch {
 public:
  void start() { begin_ = now(); }
  Status stop(double& seconds) const {
    seconds = now() - begin_;
    return {};
  }

 private:
  static double now() {
    timespec time{};
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }
  double begin_ = 0;
};

// Copies of 256 MiB on all cores.
class Copies {
 public:
  Copies() = default;
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;
  ~Copies() {
    HostMemory::release(from_);
    HostMemory::release(to_);
  }
  Status make(uint64_t seed) {
    Status status = HostMemory::allocate(&from_, bytes() / 2, "the copy");
    if (status.ok()) status = HostMemory::allocate(&to_, bytes() / 2, "the copy");
    if (!status.ok()) return status;
    fill_array(static_cast<float*>(from_), count, seed);
    fill_array(static_cast<float*>(to_), count, seed + 1);
    return {};
  }
  int64_t bytes() const { return 2 * count * static_cast<int64_t>(sizeof(float)); }
  Status run(int64_t times) {
    float* __restrict const to = static_cast<float*>(to_);
    const float* __restrict const from = static_cast<const float*>(from_);
    for (int64_t n = 0; n < times; ++n) {
#pragma omp parallel for simd schedule(static)
      for (int64_t i = 0; i < count; ++i) to[i] = from[i];
    }
    return {};
  }

 private:
  static constexpr int64_t count = int64_t{1} << 26;
  void* from_ = nullptr;
  void* to_ = nullptr;
};

}  // namespace bench
}  // namespace cpu
}  // namespace stencil

#include "bench_rounds.h"
