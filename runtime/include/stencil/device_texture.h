// Textures over grids: places in memory from which cells are fetched through the texture units,
// bit by bit as they are stored. Nothing writes to a grid while a kernel fetches from it.
//
//   u[i]                       // a cell
//   st::load<4>(u_0, u + i);   // neighbours, as from a pointer
#pragma once

#include <cstdint>
#include <type_traits>

#include "device_vector.h"

namespace st {
inline namespace STENCIL_TARGET {

// `Cells` neighbours are a texel, of 16 bytes at most. Cell 0 is number `first` of the texture.
template <typename T, int Cells, typename Index>
struct Texture {
  static constexpr int bytes = Cells * static_cast<int>(sizeof(T));
  using Texel = typename Word<bytes>::Type;

  cudaTextureObject_t object;
  Index first;

  STENCIL_FUNCTION Texture operator+(Index n) const { return {object, first + n}; }
  STENCIL_FUNCTION Texture operator-(Index n) const { return {object, first - n}; }

  __device__ T operator[](Index i) const;
  __device__ Texel texel(Index i) const;  // the one that begins with cell i
};

#if defined(__STENCIL_EXECUTOR__)  // functions of compiler/check

template <typename T, int Cells, typename Index>
__device__ inline T Texture<T, Cells, Index>::operator[](Index i) const {
  T value;
  const int64_t cell = static_cast<int64_t>(first) + i;
  __stencil_fetch(&value, object, cell * static_cast<int64_t>(sizeof(T)), sizeof(T), bytes);
  return value;
}
template <typename T, int Cells, typename Index>
__device__ inline auto Texture<T, Cells, Index>::texel(Index i) const -> Texel {
  Texel value;
  const int64_t cell = static_cast<int64_t>(first) + i;
  __stencil_fetch(&value, object, cell * static_cast<int64_t>(sizeof(T)), bytes, bytes);
  return value;
}

#else

template <typename T, int Cells, typename Index>
__device__ inline auto Texture<T, Cells, Index>::texel(Index i) const -> Texel {
  using Count = typename std::make_unsigned<Index>::type;
  return tex1Dfetch<Texel>(object, static_cast<int>(static_cast<Count>(first + i) / Cells));
}

// Shifts, because a register has no index.
template <typename T, int Cells, typename Index>
__device__ inline T Texture<T, Cells, Index>::operator[](Index i) const {
  constexpr int word = sizeof(uint64_t), words = (bytes + word - 1) / word, bits = 8 * sizeof(T);
  const Texel found = texel(i);
  uint64_t part[words] = {};
  __builtin_memcpy(part, &found, sizeof found);
  const int place = static_cast<int>((first + i) % Cells);
  uint64_t value = part[0];
  if constexpr (words == 2) value = place < Cells / 2 ? part[0] : part[1];
  if constexpr (Cells / words > 1) value >>= place % (Cells / words) * bits;
  T result;
  __builtin_memcpy(&result, &value, sizeof result);
  return result;
}

#endif

// Width * Count cells, from the beginning of a texel where one has as many as Width.
template <int Width, int Count = 1, typename T, int Cells, typename Index>
__device__ inline void load(T* to, Texture<T, Cells, Index> from) {
  if constexpr (Width < Cells) {
#pragma unroll
    for (int k = 0; k < Width * Count; ++k) to[k] = from[k];
  } else {
#pragma unroll
    for (int k = 0; k < Width * Count; k += Cells) {
      const auto texel = from.texel(k);
      __builtin_memcpy(to + k, &texel, sizeof texel);
    }
  }
}

}  // namespace STENCIL_TARGET
}  // namespace st
