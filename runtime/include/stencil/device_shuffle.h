// Values of other lanes of a warp, of at most 8 bytes. All its lanes call the same function at the
// same place.
#pragma once

#include "device_target.h"

namespace st {
inline namespace STENCIL_TARGET {
namespace detail {

// What carries a value of so many bytes, and is shuffled in one piece.
template <int Bytes>
struct Parcel {
  using Type = unsigned;
};
template <>
struct Parcel<8> {
  using Type = unsigned long long;
};

}  // namespace detail

// The value of the lane `n` to the left, 0 <= n < 32. The first n lanes keep their own.
template <typename T>
__device__ inline T from_left(T value, unsigned n) {
  typename detail::Parcel<sizeof(T)>::Type bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  bits = __shfl_up_sync(0xffffffffu, bits, n);
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

// The value of the lane `n` to the right, 0 <= n < 32. The last n lanes keep their own.
template <typename T>
__device__ inline T from_right(T value, unsigned n) {
  typename detail::Parcel<sizeof(T)>::Type bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  bits = __shfl_down_sync(0xffffffffu, bits, n);
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

// A value that is the same in all lanes. A branch on what comes of it then does not split a warp,
// as far as the compiler can tell, and shuffles in it need nothing to bring the lanes together.
template <typename T>
__device__ inline T of_warp(T value) {
  return __shfl_sync(0xffffffffu, value, 0);
}

}  // namespace STENCIL_TARGET
}  // namespace st
