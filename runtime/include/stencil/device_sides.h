// The cells beside a thread's own, along x: other lanes of its warp hold them, and the lanes at the
// ends of the warp load them. A warp is 32 threads of one row; all its lanes call the same function
// at the same place.
#pragma once

#include "device_shuffle.h"
#include "device_vector.h"

namespace st {
inline namespace STENCIL_TARGET {

// The cell `Distance` along x from the thread's own, whose value is `own` and which lies at `from`.
template <int Distance, typename T, typename From>
__device__ inline T beside(T own, From from) {
  constexpr unsigned n = Distance < 0 ? -Distance : Distance;
  const unsigned lane = threadIdx.x % 32;
  const bool at_end = Distance < 0 ? lane < n : lane >= 32 - n;
  T end = own;
  if (at_end) end = from[Distance];
  const T value = Distance < 0 ? from_left(own, n) : from_right(own, n);
  return at_end ? end : value;
}

namespace detail {

// Of `count` values those that move at once: a power of 2, at most a vector and 16 bytes.
template <typename T, int Width>
STENCIL_FUNCTION constexpr int piece(int count) {
  int values = 1;
  while (2 * values <= count && 2 * values <= Width && 2 * values * sizeof(T) <= 16) values *= 2;
  return values;
}

// The `Count` values at `own` of the lane beside, in words of 4 bytes.
template <int Count, bool Left, typename T>
__device__ inline void from_beside(T* to, const T* own) {
  constexpr int words = (Count * sizeof(T) + 3) / 4;
  unsigned bits[words] = {};
  __builtin_memcpy(bits, own, Count * sizeof(T));
#pragma unroll
  for (int w = 0; w < words; ++w) bits[w] = Left ? from_left(bits[w], 1) : from_right(bits[w], 1);
  __builtin_memcpy(to, bits, Count * sizeof(T));
}

// Piece by piece outward: the values left of these are what the lane to the left has found there.
template <int Width, int Count, typename T, typename From>
__device__ inline void load_left(T* own, From from) {
  if constexpr (Count > 0) {
    constexpr int values = piece<T, Width>(Count);
    T end[values] = {};
    const bool at_end = threadIdx.x % 32 == 0;
    if (at_end) load<values>(end, from - values);
    T beside[values];
    from_beside<values, true>(beside, own + Width - values);
#pragma unroll
    for (int k = 0; k < values; ++k) own[k - values] = at_end ? end[k] : beside[k];
    load_left<Width, Count - values>(own - values, from - values);
  }
}
template <int Width, int Count, typename T, typename From>
__device__ inline void load_right(T* own, From from) {
  if constexpr (Count > 0) {
    constexpr int values = piece<T, Width>(Count);
    T end[values] = {};
    const bool at_end = threadIdx.x % 32 == 31;
    if (at_end) load<values>(end, from + Width);
    T beside[values];
    from_beside<values, false>(beside, own);
#pragma unroll
    for (int k = 0; k < values; ++k) own[Width + k] = at_end ? end[k] : beside[k];
    load_right<Width, Count - values>(own + values, from + values);
  }
}

template <int Width, int Count, typename T>
__device__ inline void exchange_left(T* own) {
  if constexpr (Count > 0) {
    constexpr int values = piece<T, Width>(Count);
    from_beside<values, true>(own - values, own + Width - values);
    exchange_left<Width, Count - values>(own - values);
  }
}
template <int Width, int Count, typename T>
__device__ inline void exchange_right(T* own) {
  if constexpr (Count > 0) {
    constexpr int values = piece<T, Width>(Count);
    from_beside<values, false>(own + Width, own);
    exchange_right<Width, Count - values>(own + values);
  }
}

}  // namespace detail

// The Left values before a thread's `Width` own ones, and the Right ones after them, of a tile
// that ends with the warp: what lies beyond its ends does not matter.
template <int Width, int Left, int Right, typename T>
__device__ inline void exchange_sides(T* own) {
  detail::exchange_left<Width, Left>(own);
  detail::exchange_right<Width, Right>(own);
}

// The Left values before a thread's `Width` own ones, and the Right ones after them. `own` are in
// registers, and `from` is their place, aligned as for load().
template <int Width, int Left, int Right, typename T, typename From>
__device__ inline void load_sides(T* own, From from) {
  detail::load_left<Width, Left>(own, from);
  detail::load_right<Width, Right>(own, from);
}

// The same by flag.
template <int Width, int Left, int Right, typename T, typename From>
__device__ inline void load_sides(Constant<false>, T* own, From from) {
  load_sides<Width, Left, Right>(own, from);
}
template <int Width, int Left, int Right, typename T, typename From>
__device__ inline void load_sides(Unaligned, T* own, From from) {
#pragma unroll
  for (int k = -Left; k < Width + Right; ++k)
    if (k < 0 || k >= Width) own[k] = from[k];
}

// The same near the boundary, where lanes may have no cell: each thread has its own, by loads where
// `whole` holds, otherwise value k is cell(x + k, rest...).
template <int Width, int Left, int Right, typename T, typename From, typename Cell, typename Index,
          typename... Rest>
__device__ inline void fill_sides(T* own, From from, bool whole, const Cell& cell, Index x,
                                  Rest... rest) {
#pragma unroll
  for (int k = -Left; k < Width + Right; ++k)
    if (k < 0 || k >= Width) own[k] = whole ? from[k] : cell(x + k, rest...);
}

// Where one text serves inside and near the boundary.
template <int Width, int Left, int Right, typename Edge, typename T, typename From, typename Cell,
          typename Index, typename... Rest>
__device__ inline void fill_sides(Edge edge, T* own, From from, bool whole, const Cell& cell,
                                  Index x, Rest... rest) {
  if constexpr (Edge())
    fill_sides<Width, Left, Right>(own, from, whole, cell, x, rest...);
  else
    load_sides<Width, Left, Right>(edge, own, from);
}

}  // namespace STENCIL_TARGET
}  // namespace st
