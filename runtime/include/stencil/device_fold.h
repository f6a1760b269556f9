// How the values of many cells become one, in a tree that depends on the extents alone: 32
// neighbours of a row are folded pairwise, those 16 apart, 8 apart, ... 1 apart; then 32 results
// at a time, in the same way, until one is left.
#pragma once

#include "device_number.h"

namespace st {
inline namespace STENCIL_TARGET {

inline constexpr int kFolded = 32;

STENCIL_FUNCTION float plus(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fadd_rn(a, b);
#else
  return a + b;
#endif
}
STENCIL_FUNCTION double plus(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dadd_rn(a, b);
#else
  return a + b;
#endif
}
STENCIL_FUNCTION int32_t plus(int32_t a, int32_t b) { return add(a, b); }
STENCIL_FUNCTION int64_t plus(int64_t a, int64_t b) { return add(a, b); }
STENCIL_FUNCTION float times(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}
STENCIL_FUNCTION double times(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}
STENCIL_FUNCTION int32_t times(int32_t a, int32_t b) { return mul(a, b); }
STENCIL_FUNCTION int64_t times(int64_t a, int64_t b) { return mul(a, b); }

// Of each fold: the identity, which changes no value, and the fold of two values.
struct Sum {
  template <typename T>
  STENCIL_FUNCTION static T identity() {
    return IsFloat<T>::value ? static_cast<T>(-0.0) : T(0);  // -0 + x is x, for -0 and +0 alike
  }
  template <typename T>
  STENCIL_FUNCTION static T join(T a, T b) {
    return plus(a, b);
  }
};
struct Product {
  template <typename T>
  STENCIL_FUNCTION static T identity() {
    return T(1);
  }
  template <typename T>
  STENCIL_FUNCTION static T join(T a, T b) {
    return times(a, b);
  }
};
// A NaN anywhere is the result: a computation that went wrong has no least residual.
struct Least {
  template <typename T>
  STENCIL_FUNCTION static T identity() {
    if constexpr (IsFloat<T>::value)
      return static_cast<T>(__builtin_huge_val());
    else
      return Bounds<T>::high;
  }
  template <typename T>
  STENCIL_FUNCTION static T join(T a, T b) {
    return a != a || b != b ? (a != a ? a : b) : min(a, b);
  }
};
struct Greatest {
  template <typename T>
  STENCIL_FUNCTION static T identity() {
    if constexpr (IsFloat<T>::value)
      return static_cast<T>(-__builtin_huge_val());
    else
      return Bounds<T>::low;
  }
  template <typename T>
  STENCIL_FUNCTION static T join(T a, T b) {
    return a != a || b != b ? (a != a ? a : b) : max(a, b);
  }
};

#if defined(__CUDACC__) || defined(__CUDA__)

// The fold over the lanes of a warp, in lane 0.
template <typename Fold, typename T>
__device__ __forceinline__ T fold_warp(T value) {
#pragma unroll
  for (int apart = kFolded / 2; apart > 0; apart /= 2)
    value = Fold::join(value, __shfl_down_sync(0xffffffffu, value, apart));
  return value;
}

// Folds the 32 cells of a row that a warp holds, x being the cell of the lane, and stores the
// result among those of the row. All lanes call it; beyond the row a value is the identity.
template <typename Fold, typename T, typename Index, typename Row>
__device__ __forceinline__ void fold_row(T* partials, T value, Index x, Index nx, Row row) {
  const T folded = fold_warp<Fold>(value);
  const Index groups = (nx - 1) / kFolded + 1;
  if (x % kFolded == 0 && x < nx) partials[static_cast<Index>(row) * groups + x / kFolded] = folded;
}

#endif

}  // namespace STENCIL_TARGET
}  // namespace st
