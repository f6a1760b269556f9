// Moving several neighbouring values between memory and a thread's registers. Where a function
// takes a `From`, that is a pointer or a st::Texture (device_texture.h).
#pragma once

#include "device_target.h"

namespace st {
inline namespace STENCIL_TARGET {

// A flag that is known when the kernel is compiled: is the block near the boundary?
template <bool Value>
struct Constant {
  __host__ __device__ constexpr operator bool() const { return Value; }
};
// The flag of a block that is not, and whose vectors are not aligned: what the functions below move
// as vectors for Constant<false>, they move value by value.
struct Unaligned {
  __host__ __device__ constexpr operator bool() const { return false; }
};

// Calls cells(edge, flags...) for a block inside the grid.
template <typename Cells, typename... Flags>
__device__ inline void by_vectors_if(bool aligned, const Cells& cells, Flags... flags) {
  if (aligned)
    cells(Constant<false>(), flags...);
  else
    cells(Unaligned(), flags...);
}

// What one access moves.
template <int Bytes>
struct Word;
template <>
struct Word<1> {
  using Type = unsigned char;
};
template <>
struct Word<2> {
  using Type = unsigned short;
};
template <>
struct Word<4> {
  using Type = unsigned int;
};
template <>
struct Word<8> {
  using Type = uint2;
};
template <>
struct Word<16> {
  using Type = uint4;
};

// `Width` values as accesses of 16 bytes, or one of fewer.
template <typename T, int Width>
struct Access {
  static constexpr int bytes = Width * sizeof(T) < 16 ? Width * static_cast<int>(sizeof(T)) : 16;
  static constexpr int values = bytes / static_cast<int>(sizeof(T));
  using Type = typename Word<bytes>::Type;
};

// Loads Width * Count values; `from` is aligned to Width of them, at most to 16 bytes.
template <int Width, int Count = 1, typename T>
__device__ inline void load(T* to, const T* from) {
  using Access = st::Access<T, Width>;
#pragma unroll
  for (int k = 0; k < Width * Count; k += Access::values) {
    const auto word = *reinterpret_cast<const typename Access::Type*>(from + k);
    __builtin_memcpy(to + k, &word, sizeof word);
  }
}

// The same by flag.
template <int Width, int Count = 1, typename T, typename From>
__device__ inline void load(Constant<false>, T* to, From from) {
  load<Width, Count>(to, from);
}
template <int Width, int Count = 1, typename T, typename From>
__device__ inline void load(Unaligned, T* to, From from) {
#pragma unroll
  for (int k = 0; k < Width * Count; ++k) to[k] = from[k];
}

// Value k is cell(x + k, rest...).
template <int Width, typename T, typename Cell, typename Index, typename... Rest>
__device__ inline void fill_cells(T* to, const Cell& cell, Index x, Rest... rest) {
#pragma unroll
  for (int k = 0; k < Width; ++k) to[k] = cell(x + k, rest...);
}

// Loads Width * Count values, as load, where `whole` holds; otherwise the cells come one by one.
template <int Width, int Count = 1, typename T, typename From, typename Cell, typename Index,
          typename... Rest>
__device__ inline void fill(T* to, From from, bool whole, const Cell& cell, Index x, Rest... rest) {
  if (whole) {
    load<Width, Count>(to, from);
  } else {
    fill_cells<Width * Count>(to, cell, x, rest...);
  }
}

// The same where one text serves inside, where all vectors are whole, and near the boundary.
template <int Width, int Count = 1, typename Edge, typename T, typename From, typename Cell,
          typename Index, typename... Rest>
__device__ inline void fill(Edge edge, T* to, From from, bool whole, const Cell& cell, Index x,
                            Rest... rest) {
  if constexpr (Edge())
    fill<Width, Count>(to, from, whole, cell, x, rest...);
  else
    load<Width, Count>(edge, to, from);
}

// Do the vectors of a block, which ends before `end`, lie in a row of so many cells or beyond its
// end?
template <typename Index>
__device__ inline bool whole_vectors(Index extent, int width, Index end) {
  return extent % width == 0 || end <= extent;
}

// Loads Count vectors, the first of which begins at cell x of a row of so many cells: as load those
// that lie in the row, where `whole` holds; otherwise their cells come one by one.
template <int Width, int Count, typename T, typename From, typename Cell, typename Index,
          typename... Rest>
__device__ inline void fill_vectors(T* to, From from, Index extent, bool whole, const Cell& cell,
                                    Index x, Rest... rest) {
#pragma unroll
  for (int q = 0; q < Count; ++q) {
    const Index first = x + q * Width;
    fill<Width>(to + q * Width, from + q * Width, whole && first >= 0 && first + Width <= extent,
                cell, first, rest...);
  }
}

template <int Width, int Count, typename Edge, typename T, typename From, typename Cell,
          typename Index, typename... Rest>
__device__ inline void fill_vectors(Edge edge, T* to, From from, Index extent, bool whole,
                                    const Cell& cell, Index x, Rest... rest) {
  if constexpr (Edge())
    fill_vectors<Width, Count>(to, from, extent, whole, cell, x, rest...);
  else
    load<Width, Count>(edge, to, from);
}

// Loads vector First of a row of a grid near its boundary. `row` is the place of the row's cell 0,
// or below 0 where it lies outside the grid; vector 0 begins at cell x and is loaded as such where
// `whole` holds. All else comes by cell(row, x).
template <int Width, int First = 0, typename T, typename From, typename Cell, typename Index>
__device__ inline void fill_row(T* to, From grid, Index row, Index x, bool whole,
                                const Cell& cell) {
  if (First == 0 && whole && row >= 0) {
    load<Width>(to, grid + (row + x));
  } else {
#pragma unroll
    for (int k = 0; k < Width; ++k) to[k] = cell(row, x + (First * Width + k));
  }
}

template <int Width, int First = 0, typename Edge, typename T, typename From, typename Cell,
          typename Index>
__device__ inline void fill_row(Edge edge, T* to, From grid, Index row, Index x, bool whole,
                                const Cell& cell) {
  if constexpr (Edge())
    fill_row<Width, First>(to, grid, row, x, whole, cell);
  else
    load<Width>(edge, to, grid + (row + x + First * Width));
}

// The same for the vectors First .. First+Count-1 of a row of so many cells. Where `whole` holds,
// those that lie in the row are loaded as such.
template <int Width, int First, int Count, typename T, typename From, typename Cell, typename Index>
__device__ inline void fill_row(T* to, From grid, Index row, Index x, Index extent, bool whole,
                                const Cell& cell) {
#pragma unroll
  for (int q = First; q < First + Count; ++q) {
    const Index first = x + q * Width;
    fill_row<Width>(to + (q - First) * Width, grid, row, first,
                    whole && first >= 0 && first + Width <= extent, cell);
  }
}

template <int Width, int First, int Count, typename Edge, typename T, typename From, typename Cell,
          typename Index>
__device__ inline void fill_row(Edge edge, T* to, From grid, Index row, Index x, Index extent,
                                bool whole, const Cell& cell) {
  if constexpr (Edge())
    fill_row<Width, First, Count>(to, grid, row, x, extent, whole, cell);
  else
    load<Width, Count>(edge, to, grid + (row + x + First * Width));
}

// Stores Width * Count values; `to` is aligned to Width of them, at most to 16 bytes.
template <int Width, int Count = 1, typename T>
__device__ inline void store(T* to, const T* from) {
  using Access = st::Access<T, Width>;
#pragma unroll
  for (int k = 0; k < Width * Count; k += Access::values) {
    typename Access::Type word;
    __builtin_memcpy(&word, from + k, sizeof word);
    *reinterpret_cast<typename Access::Type*>(to + k) = word;
  }
}

// The same by flag.
template <int Width, typename T>
__device__ inline void store(Constant<false>, T* to, const T* from) {
  store<Width>(to, from);
}
template <int Width, typename T>
__device__ inline void store(Unaligned, T* to, const T* from) {
#pragma unroll
  for (int k = 0; k < Width; ++k) to[k] = from[k];
}

// Stores Width values where `whole` holds, otherwise the first `count` of them.
template <int Width, typename T, typename Index>
__device__ inline void store_row(T* to, const T* from, bool whole, Index count) {
  if (whole) {
    store<Width>(to, from);
  } else {
#pragma unroll
    for (int k = 0; k < Width; ++k)
      if (k < count) to[k] = from[k];
  }
}

template <int Width, typename Edge, typename T, typename Index>
__device__ inline void store_row(Edge edge, T* to, const T* from, bool whole, Index count) {
  if constexpr (Edge())
    store_row<Width>(to, from, whole, count);
  else
    store<Width>(edge, to, from);
}

// Values of one array of a thread into another.
template <int Count, typename T>
__device__ inline void shift(T* to, const T* from) {
#pragma unroll
  for (int k = 0; k < Count; ++k) to[k] = from[k];
}

}  // namespace STENCIL_TARGET
}  // namespace st
