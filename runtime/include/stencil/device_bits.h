// Words that hold one bit of each of 32 neighbouring cells, the first cell's the lowest.
#pragma once

#include <cstdint>

#include "device_shuffle.h"

namespace st {
inline namespace STENCIL_TARGET {

// Where two of three are set.
__device__ inline uint32_t majority(uint32_t a, uint32_t b, uint32_t c) {
  return (a & b) | (c & (a | b));
}
__device__ inline uint32_t choose(uint32_t condition, uint32_t yes, uint32_t no) {
  return (condition & yes) | (~condition & no);
}

// The bits of the cells `distance` along x, less than 32 of them, of a row whose next words the
// lanes beside have; beyond the ends of a warp they do not matter.
__device__ inline uint32_t moved(uint32_t word, int distance) {
  if (distance > 0) return word >> distance | from_right(word, 1) << (32 - distance);
  return word << -distance | from_left(word, 1) >> (32 + distance);
}

// Which of the 32 cells from x on lie in 0 .. extent-1?
template <typename Index>
__device__ inline uint32_t cells_in(Index x, Index extent) {
  const uint32_t all = ~uint32_t{0};
  if (x <= -32 || x >= extent) return 0;
  const uint32_t low = x < 0 ? all << -static_cast<int>(x) : all;
  return extent - x >= 32 ? low : low & ~(all << static_cast<int>(extent - x));
}

// The lowest bits of 32 cells of a byte each. A product brings those of four cells side by side.
template <int Count, typename T>
__device__ inline void bits_of(uint32_t* bits, const T* cells) {
#pragma unroll
  for (int n = 0; n < Count; ++n) {
    bits[n] = 0;
#pragma unroll
    for (int k = 28; k >= 0; k -= 4) {
      uint32_t four = 0;
      __builtin_memcpy(&four, cells + k, sizeof four);
      bits[n] = bits[n] << 4 | ((four >> n & 0x01010101u) * 0x10204080u) >> 28;
    }
  }
}

// And cells of their bits, of which all others are 0.
template <int Count, typename T>
__device__ inline void cells_of(T* cells, const uint32_t* bits) {
#pragma unroll
  for (int k = 0; k < 32; k += 4) {
    uint32_t four = 0;
#pragma unroll
    for (int n = 0; n < Count; ++n)
      four |= ((bits[n] >> k & 15u) * (0x00204081u << n)) & (0x01010101u << n);
    __builtin_memcpy(cells + k, &four, sizeof four);
  }
}

}  // namespace STENCIL_TARGET
}  // namespace st
