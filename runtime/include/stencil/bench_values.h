// What the grids of a benchmark hold: values that depend on a seed and the place in memory alone.
#pragma once

#include <cstdint>
#include <type_traits>

#include "bench_call.h"
#include "device_target.h"

#if defined(__CUDACC__) || defined(__CUDA__)
#include "cuda_half.h"
#else
#include "half.h"
#endif

namespace stencil {
inline namespace STENCIL_TARGET {
namespace bench {

// splitmix64 as a function of a counter.
STENCIL_FUNCTION uint64_t random_bits(uint64_t seed, uint64_t index) {
  uint64_t z = (seed + 1) * 0xd1342543de82ef95u + index * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// Floats of [0, 1), integers from 0 to 15, either bool.
template <typename T>
STENCIL_FUNCTION T random_value(uint64_t seed, uint64_t index) {
  const uint64_t bits = random_bits(seed, index);
  if constexpr (std::is_same_v<T, bool>)
    return (bits & 1) != 0;
  else if constexpr (std::is_same_v<T, double>)
    return static_cast<double>(bits >> 11) * 0x1p-53;
  else if constexpr (std::is_same_v<T, float>)
    return static_cast<float>(bits >> 40) * 0x1p-24f;
  else if constexpr (std::is_same_v<T, f16>)
    return st::f16(static_cast<float>(bits >> 53) * 0x1p-11f);
  else if constexpr (std::is_same_v<T, bf16>)
    return st::bf16(static_cast<float>(bits >> 56) * 0x1p-8f);
  else
    return static_cast<T>(bits >> 60);
}

// What a cell adds to the checksum of its grid.
template <typename T>
STENCIL_FUNCTION uint64_t checked_value(T value, uint64_t index) {
  if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
    return checked_value(st::f32(value), index);
  } else if constexpr (std::is_floating_point_v<T>) {
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return random_bits(value == value ? bits : ~uint64_t{0}, index);
  } else {
    return random_bits(static_cast<uint64_t>(value), index);
  }
}

// All memory of a grid that kernels read: the cells and their halo, and what lies between rows.
template <typename Grid>
int64_t first_element(const Grid& grid) {
  return -grid.shape().front();
}
template <typename Grid>
int64_t count_elements(const Grid& grid) {
  return grid.shape().box().span();
}

}  // namespace bench
}  // namespace STENCIL_TARGET
}  // namespace stencil
