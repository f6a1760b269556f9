// Divisions and square roots of usual numbers: the correctly rounded results without a branch, so
// that those of many cells run side by side. What is rare is told, and computed anew.
//
//   st::fast_division([&](auto& rare) {  // writes nothing that it reads
//     for (int v = 0; v < 4; ++v) c[v] = st::quotient(a[v], st::root(b[v], rare), rare);
//   });
//   st::fast_division([&](auto& rare) {
//     const int j = st::anew(i, rare);  // what depends on j is not kept in registers for a 2nd run
//     d[j] = st::quotient(a[j] + a[j + 1], st::root(b[j] + b[j + 1], rare), rare);
//   });
//
// The steps are those by which compilers expand IEEE divisions and roots on GPUs (P. Markstein,
// Computation of elementary functions on the IBM RISC System/6000 processor, 1990): from what the
// device gives near 1/b or 1/sqrt(x), Newton's steps by fma, then corrections by the remainder,
// which fma gives exactly where it does not underflow.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device_target.h"

namespace st {
inline namespace STENCIL_TARGET {
namespace detail {

#if defined(__CUDA_ARCH__) || defined(__STENCIL_EXECUTOR__)
#define STENCIL_ROUNDED __device__ inline
STENCIL_ROUNDED float product(float a, float b) { return __fmul_rn(a, b); }
STENCIL_ROUNDED double product(double a, double b) { return __dmul_rn(a, b); }
STENCIL_ROUNDED float fused(float a, float b, float c) { return __fmaf_rn(a, b, c); }
STENCIL_ROUNDED double fused(double a, double b, double c) { return __fma_rn(a, b, c); }
STENCIL_ROUNDED float magnitude(float a) { return fabsf(a); }
STENCIL_ROUNDED double magnitude(double a) { return fabs(a); }
STENCIL_ROUNDED float signed_as(float a, float sign) { return copysignf(a, sign); }
STENCIL_ROUNDED double signed_as(double a, double sign) { return copysign(a, sign); }
#else
#define STENCIL_ROUNDED STENCIL_FUNCTION
STENCIL_ROUNDED float product(float a, float b) { return a * b; }
STENCIL_ROUNDED double product(double a, double b) { return a * b; }
STENCIL_ROUNDED float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
STENCIL_ROUNDED double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
STENCIL_ROUNDED float magnitude(float a) { return __builtin_fabsf(a); }
STENCIL_ROUNDED double magnitude(double a) { return __builtin_fabs(a); }
STENCIL_ROUNDED float signed_as(float a, float sign) { return __builtin_copysignf(a, sign); }
STENCIL_ROUNDED double signed_as(double a, double sign) { return __builtin_copysign(a, sign); }
#endif

// Ends of what is usual.
//   quotient     |a| >= least: the lowest bit of a - b*q is no less than that of denormals. And
//                |b| <= most: a/b is no denormal. All else gives no finite number.
//   of a number from 2^-20 to 1, as of 1 in a reciprocal: |a/b| >= tiny, so that 1/b is no
//   denormal.
//                Where that would be one, which the device makes zero, the result is less; of
//                denormals, zeros, infinities and NaN it is NaN; and none is infinite.
//   root         2^-101 <= x < infinity, 2^-970 in f64: the same of x - s*s.
template <typename T>
struct FastRange;
template <>
struct FastRange<float> {
  static constexpr float infinity = __builtin_huge_valf();
  static constexpr float least = 0x1p-85f, most = 0x1p+40f;
  static constexpr float tiny = 0x1p-120f;
};
template <>
struct FastRange<double> {
  static constexpr double infinity = __builtin_huge_val();
  static constexpr double least = 0x1p-700, most = 0x1p+320;
  static constexpr double tiny = 0x1p-1000;
};

// Newton's steps toward 1/b from r, which is near it: 1 ulp off in f32, 2^-20 of it in f64.
STENCIL_ROUNDED float toward_reciprocal(float b, float r) {
  return fused(r, fused(-b, r, 1.0f), r);
}
STENCIL_ROUNDED double toward_reciprocal(double b, double r) {
  const double e = fused(-b, r, 1.0);
  const double near = fused(r, fused(e, e, e), r);
  return fused(near, fused(-b, near, 1.0), near);
}

template <typename T>
STENCIL_ROUNDED T reciprocal_from(T b, T r, bool& rare) {
  const T result = toward_reciprocal(b, r);
  rare |= !(magnitude(result) >= FastRange<T>::tiny);
  return result;
}

// Corrects `first`, which is near a/b, `near` being 1/b but for the last bit.
template <typename T>
STENCIL_ROUNDED T corrected(T a, T b, T near, T first) {
  const T q = fused(near, fused(-b, first, a), first);
  return sizeof(T) == 4 ? fused(near, fused(-b, q, a), q) : q;
}
template <typename T>
STENCIL_ROUNDED bool is_small(T a) {
  return (magnitude(a) < FastRange<T>::least) & (a != 0);
}
template <typename T>
STENCIL_ROUNDED T quotient_near(T a, T b, T near, bool& rare) {
  const T first = product(a, near);
  const T q = corrected(a, b, near, first);
  rare |= is_small(a);
  rare |= !(magnitude(b) <= FastRange<T>::most);
  rare |= !(magnitude(q) < FastRange<T>::infinity);
  return signed_as(q, first);  // a sum of zeros loses the sign
}
// a/b of a number b of few bits (ir/number_divisor.h): 1/b is `high`, rounded toward zero, and
// `low`.
template <typename T>
STENCIL_ROUNDED T quotient_of_parts(T a, T high, T low) {
  return fused(a, high, product(a, low));
}
template <typename T>
STENCIL_ROUNDED T quotient_from(T a, T b, T r, bool& rare) {
  return quotient_near(a, b, toward_reciprocal(b, r), rare);
}
// The same of a number a, 2^-20 <= |a| <= 1.
template <typename T>
STENCIL_ROUNDED T quotient_of_from(T a, T b, T r, bool& rare) {
  const T near = toward_reciprocal(b, r);
  const T q = corrected(a, b, near, product(a, near));
  rare |= !(magnitude(q) >= FastRange<T>::tiny);
  return q;
}

// The root of x, y being near 1/sqrt(x).
STENCIL_ROUNDED float root_from(float x, float y) {
  const float s = product(x, y);
  return fused(fused(-s, s, x), product(0.5f, y), s);
}
STENCIL_ROUNDED double root_from(double x, double y) {
  const double e = fused(x, -product(y, y), 1.0);
  const double near = fused(fused(e, 0.375, 0.5), product(y, e), y);
  const double s = product(x, near);
  return fused(fused(-s, s, x), product(0.5, near), s);
}
// Is x a usual operand of a root, and no zero? After a subtraction the others lie above.
STENCIL_ROUNDED bool has_fast_root(float x) {
  uint32_t bits = 0;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits - 0x0d000000u < 0x72800000u;
}
STENCIL_ROUNDED bool has_fast_root(double x) {
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return static_cast<uint32_t>(bits >> 32) - 0x03500000u < 0x7ca00000u;
}

#if defined(__CUDACC__) || defined(__CUDA__)

// What the device gives: near 1/b and 1/sqrt(x), zero or infinity where that is a denormal or b is
// one.
#if defined(__STENCIL_EXECUTOR__)
__device__ inline float near_reciprocal(float b) {
  const float r = 1.0f / b;
  return signed_as(fabsf(b) < 0x1p-126f   ? FastRange<float>::infinity
                   : fabsf(r) < 0x1p-126f ? 0
                                          : r,
                   b);
}
__device__ inline double near_reciprocal(double b) {
  const double r = 1.0 / b;
  if (!(fabs(b) >= 0x1p-1022 && fabs(r) >= 0x1p-1022))
    return signed_as(fabs(b) < 1 ? FastRange<double>::infinity : 0, b);
  return __longlong_as_double((__double_as_longlong(r) & ~0xffffffffLL) | 1);
}
__device__ inline float near_root(float x) { return 1.0f / sqrtf(x); }
__device__ inline double near_root(double x) {
  return __longlong_as_double(__double_as_longlong(1.0 / sqrt(x)) & ~0xffffffffLL);
}
#else
__device__ inline float near_reciprocal(float b) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
  return r;
}
// The lower half is zero. With a last bit the steps miss the tie of 1/(2 - 2^-52), as they have to.
__device__ inline double near_reciprocal(double b) {
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b));
  return __hiloint2double(__double2hiint(r), 1);
}
__device__ inline float near_root(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ inline double near_root(double x) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}
#endif

#endif

}  // namespace detail

#if defined(__CUDACC__) || defined(__CUDA__)

// Sets `rare` where the result may be wrong.
template <typename T>
__device__ inline T quotient(T a, T b, bool& rare) {
  return detail::quotient_from(a, b, detail::near_reciprocal(b), rare);
}
// Of a divisor that is the same for all cells: its reciprocal, rounded to nearest, is given.
template <typename T>
__device__ inline T quotient_by(T a, T b, T reciprocal, bool& rare) {
  return detail::quotient_near(a, b, reciprocal, rare);
}
// Of a divisor that is a number of few bits: high + low is its reciprocal, `high` of them rounded
// toward zero. Infinities, NaN and zeros come out as they are.
template <typename T>
__device__ inline T quotient_by_number(T a, T, T high, T low, bool& rare) {
  rare |= detail::is_small(a);
  return detail::quotient_of_parts(a, high, low);
}
// The same where a is surely zero or at least FastRange::least.
template <typename T>
__device__ inline T over_number(T a, T high, T low) {
  return detail::quotient_of_parts(a, high, low);
}
// Of a number a, 2^-20 <= |a| <= 1.
template <typename T>
__device__ inline T quotient_of(T a, T b, bool& rare) {
  return detail::quotient_of_from(a, b, detail::near_reciprocal(b), rare);
}
// Where b may well be zero: that is usual, too.
template <typename T>
__device__ inline T quotient_or_infinity(T a, T b, bool& rare) {
  const T q = quotient(a, b == 0 ? 1 : b, rare);
  return b == 0 ? detail::product(a, detail::signed_as(detail::FastRange<T>::infinity, b)) : q;
}
template <typename T>
__device__ inline T reciprocal(T b, bool& rare) {
  return detail::reciprocal_from(b, detail::near_reciprocal(b), rare);
}
template <typename T>
__device__ inline T root(T x, bool& rare) {
  const T other = x == 0 ? 1 : x;  // roots of zeros come out as they are
  rare |= !detail::has_fast_root(other);
  return detail::root_from(x, detail::near_root(other));
}
// 1 / root(x), whose operand is usual where x is.
template <typename T>
__device__ inline T reciprocal_root(T x, bool& rare) {
  rare |= !detail::has_fast_root(x);
  const T s = detail::root_from(x, detail::near_root(x));
  return detail::toward_reciprocal(s, detail::near_reciprocal(s));
}

// Of what is used only if a condition holds: rare numbers do not matter where it does not.
struct RareIf {
  bool condition;
  bool& rare;
};
__device__ inline RareIf only_if(bool condition, bool& rare) { return {condition, rare}; }
namespace detail {
template <typename Of>
__device__ inline auto needed_only(RareIf needed, Of of) {
  bool rare = false;
  const auto result = of(rare);
  needed.rare |= needed.condition & rare;
  return result;
}
}  // namespace detail
template <typename T>
__device__ inline T quotient(T a, T b, RareIf needed) {
  return detail::needed_only(needed, [&](bool& rare) { return quotient(a, b, rare); });
}
template <typename T>
__device__ inline T quotient_by(T a, T b, T reciprocal, RareIf needed) {
  return detail::needed_only(needed,
                             [&](bool& rare) { return quotient_by(a, b, reciprocal, rare); });
}
template <typename T>
__device__ inline T quotient_by_number(T a, T b, T high, T low, RareIf needed) {
  return detail::needed_only(needed,
                             [&](bool& rare) { return quotient_by_number(a, b, high, low, rare); });
}
template <typename T>
__device__ inline T quotient_of(T a, T b, RareIf needed) {
  return detail::needed_only(needed, [&](bool& rare) { return quotient_of(a, b, rare); });
}
template <typename T>
__device__ inline T quotient_or_infinity(T a, T b, RareIf needed) {
  return detail::needed_only(needed, [&](bool& rare) { return quotient_or_infinity(a, b, rare); });
}
template <typename T>
__device__ inline T reciprocal(T b, RareIf needed) {
  return detail::needed_only(needed, [&](bool& rare) { return reciprocal(b, rare); });
}
template <typename T>
__device__ inline T root(T x, RareIf needed) {
  return detail::needed_only(needed, [&](bool& rare) { return root(x, rare); });
}
template <typename T>
__device__ inline T reciprocal_root(T x, RareIf needed) {
  return detail::needed_only(needed, [&](bool& rare) { return reciprocal_root(x, rare); });
}

// The same of all numbers.
struct Exact {
  uint32_t zero = 0;  // no compiler knows that it is 0
};
__device__ inline Exact only_if(bool, Exact exact) { return exact; }
__device__ inline float quotient(float a, float b, Exact) { return __fdiv_rn(a, b); }
__device__ inline double quotient(double a, double b, Exact) { return __ddiv_rn(a, b); }
__device__ inline float root(float x, Exact) { return __fsqrt_rn(x); }
__device__ inline double root(double x, Exact) { return __dsqrt_rn(x); }
template <typename T>
__device__ inline T quotient_by(T a, T b, T, Exact exact) {
  return quotient(a, b, exact);
}
template <typename T>
__device__ inline T quotient_by_number(T a, T b, T, T, Exact exact) {
  return quotient(a, b, exact);
}
template <typename T>
__device__ inline T quotient_of(T a, T b, Exact exact) {
  return quotient(a, b, exact);
}
template <typename T>
__device__ inline T quotient_or_infinity(T a, T b, Exact exact) {
  return quotient(a, b, exact);
}
template <typename T>
__device__ inline T reciprocal(T b, Exact exact) {
  return quotient(T{1}, b, exact);
}
template <typename T>
__device__ inline T reciprocal_root(T x, Exact exact) {
  return reciprocal(root(x, exact), exact);
}

// Returns x. In the second run neither nvcc nor ptxas can know that it is the x of the first run.
// An asm that does nothing hides it from nvcc. ptxas sees through that and would keep addresses, so
// an index is combined with a zero that ptxas does not know; with + in place of ^ both runs would
// still share sums of indices.
template <typename T>
__device__ inline T anew(T x, bool&) {
  return x;
}
template <typename T>
__device__ inline T anew(T x, [[maybe_unused]] Exact exact) {
#if !defined(__STENCIL_EXECUTOR__)
  if constexpr (std::is_integral_v<T> && sizeof x >= 4) {
    x ^= static_cast<T>(exact.zero);
  } else if constexpr (sizeof x == 8) {
    uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof x);
    asm volatile("" : "+l"(bits));
    __builtin_memcpy(&x, &bits, sizeof x);
  } else {
    uint32_t bits = 0;
    __builtin_memcpy(&bits, &x, sizeof x);
    asm volatile("" : "+r"(bits));
    __builtin_memcpy(&x, &bits, sizeof x);
  }
#endif
  return x;
}

namespace detail {

__device__ inline uint32_t hidden_zero() {
#if defined(__STENCIL_EXECUTOR__)
  return 0;
#else
  uint32_t lanes;
  asm volatile("activemask.b32 %0;" : "=r"(lanes));
  return lanes == 0;  // some lane is active
#endif
}

}  // namespace detail

// Calls cells(rare), and if rare becomes true calls it once more for exact results, with one
// branch. nvcc computes once what both runs compute from the same values, and keeps it in registers
// until the branch. What depends on anew(x, rare) the second run computes again.
template <typename Cells>
__device__ inline void fast_division(const Cells& cells) {
  bool rare = false;
  cells(rare);
  if (rare) {
    Exact exact{detail::hidden_zero()};
    cells(exact);
  }
}

#endif

}  // namespace STENCIL_TARGET
}  // namespace st
