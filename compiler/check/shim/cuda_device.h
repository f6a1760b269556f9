// The device functions that emitted code uses.
//
// Arithmetic uses builtins, so that it is inlined. Functions that need other threads of a block, or
// the C library, are declared as external functions of the executor:
// __stencil_*   gets the calling thread and the number of the call site as its first arguments
// (block.h);
// __host_*      is the function of the C library of that name. The optimiser does not know this
// name, and so does not fold calls with another rounding than the library's.
#pragma once

#include "__clang_cuda_builtin_vars.h"

#define STENCILC_FN static __inline__ __device__

inline __device__ __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
inline __device__ __cuda_builtin_threadIdx_t::operator uint3() const { return uint3{x, y, z}; }
inline __device__ __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
inline __device__ __cuda_builtin_blockIdx_t::operator uint3() const { return uint3{x, y, z}; }
inline __device__ __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
inline __device__ __cuda_builtin_blockDim_t::operator uint3() const { return uint3{x, y, z}; }
inline __device__ __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
inline __device__ __cuda_builtin_gridDim_t::operator uint3() const { return uint3{x, y, z}; }

// ---- threads of a block ----

extern "C" {
__device__ void __stencil_sync_warp(unsigned mask);
__device__ unsigned long long __stencil_shuffle(unsigned mask, unsigned long long value,
                                                int argument, int width, int kind);
__device__ unsigned __stencil_ballot(unsigned mask, int predicate);
// A word that streams may wait for has another value.
__device__ void __stencil_counted();
// Until a word is so great or greater, in cyclic order of so many numbers, or at least the last.
__device__ void __stencil_await_word(const unsigned* word, unsigned value, unsigned numbers,
                                     unsigned released);

// What the prelude (device_copy.h, device_barrier.h, device_texture.h) calls instead of inline PTX
// if __STENCIL_EXECUTOR__ is defined. Of the `bytes` of a copy, which are 4, 8 or 16, `valid` are
// read and the others become zero.
__device__ void __stencil_copy_async(void* shared, const void* global, unsigned bytes,
                                     unsigned valid);
__device__ void __stencil_commit();
__device__ void __stencil_wait(unsigned groups_in_flight);
__device__ void __stencil_make_barrier(void* barrier, unsigned arrivals);
__device__ void __stencil_fence_init();
__device__ void __stencil_arrive(void* barrier, unsigned expected_bytes);
__device__ void __stencil_arrive_landed(void* barrier);
__device__ void __stencil_await(void* barrier, unsigned parity);
// Reads `bytes` bytes of a texture at a byte offset; they are inside one texel of this size.
__device__ void __stencil_fetch(void* value, unsigned long long texture, long long at,
                                unsigned bytes, unsigned texel);
__device__ void __stencil_copy_box(void* shared, const void* map, unsigned rank, int x, int y,
                                   int z, void* barrier);
}

STENCILC_FN void __syncwarp(unsigned mask = 0xffffffffu) { __stencil_sync_warp(mask); }

template <class T>
STENCILC_FN T __stencil_exchange(unsigned mask, T value, int argument, int width, int kind) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffles move 4 or 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = __stencil_shuffle(mask, bits, argument, width, kind);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}
#define STENCILC_SHUFFLES(T)                                                               \
  STENCILC_FN T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {            \
    return __stencil_exchange(mask, value, lane, width, 0);                                \
  }                                                                                        \
  STENCILC_FN T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {   \
    return __stencil_exchange(mask, value, (int)delta, width, 1);                          \
  }                                                                                        \
  STENCILC_FN T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) { \
    return __stencil_exchange(mask, value, (int)delta, width, 2);                          \
  }                                                                                        \
  STENCILC_FN T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32) {   \
    return __stencil_exchange(mask, value, lane_mask, width, 3);                           \
  }
STENCILC_SHUFFLES(int)
STENCILC_SHUFFLES(unsigned)
STENCILC_SHUFFLES(long)
STENCILC_SHUFFLES(unsigned long)
STENCILC_SHUFFLES(long long)
STENCILC_SHUFFLES(unsigned long long)
STENCILC_SHUFFLES(float)
STENCILC_SHUFFLES(double)
#undef STENCILC_SHUFFLES

// The ballot has only the bits of the lanes in `mask`.
STENCILC_FN unsigned __ballot_sync(unsigned mask, int predicate) {
  return __stencil_ballot(mask, predicate);
}
STENCILC_FN int __any_sync(unsigned mask, int predicate) {
  return __stencil_ballot(mask, predicate) != 0;
}
STENCILC_FN int __all_sync(unsigned mask, int predicate) {
  return __stencil_ballot(mask, !predicate) == 0;
}

STENCILC_FN void cudaGridDependencySynchronize() {}
STENCILC_FN void __threadfence() { __asm__ volatile("" ::: "memory"); }
STENCILC_FN void __threadfence_block() { __asm__ volatile("" ::: "memory"); }
STENCILC_FN void __threadfence_system() { __asm__ volatile("" ::: "memory"); }
STENCILC_FN unsigned atomicAdd_system(unsigned* word, unsigned more) {
  const unsigned before = *word;
  *word = before + more;
  __stencil_counted();
  return before;
}

// ---- memory ----

template <class T>
STENCILC_FN T __ldg(const T* from) {
  return *from;
}
template <class T>
STENCILC_FN T __ldcs(const T* from) {
  return *from;
}
template <class T>
STENCILC_FN T __ldcg(const T* from) {
  return *from;
}
template <class T>
STENCILC_FN void __stcs(T* to, T value) {
  *to = value;
}
template <class T>
STENCILC_FN void __stcg(T* to, T value) {
  *to = value;
}

// ---- arithmetic ----

STENCILC_FN float __fadd_rn(float a, float b) { return a + b; }
STENCILC_FN float __fsub_rn(float a, float b) { return a - b; }
STENCILC_FN float __fmul_rn(float a, float b) { return a * b; }
STENCILC_FN float __fdiv_rn(float a, float b) { return a / b; }
STENCILC_FN float __fmaf_rn(float a, float b, float c) {
  return __builtin_elementwise_fma(a, b, c);
}
STENCILC_FN float __fsqrt_rn(float a) { return __builtin_elementwise_sqrt(a); }
STENCILC_FN double __dadd_rn(double a, double b) { return a + b; }
STENCILC_FN double __dsub_rn(double a, double b) { return a - b; }
STENCILC_FN double __dmul_rn(double a, double b) { return a * b; }
STENCILC_FN double __ddiv_rn(double a, double b) { return a / b; }
STENCILC_FN double __fma_rn(double a, double b, double c) {
  return __builtin_elementwise_fma(a, b, c);
}
STENCILC_FN double __dsqrt_rn(double a) { return __builtin_elementwise_sqrt(a); }

// The rules of CUDA: a number wins over NaN, and -0 is below +0. Written out, because LLVM 22 folds
// maximumnum(maximumnum(nan, 2), 1) to 1.
template <class T>
STENCILC_FN bool first_min(T a, T b) {
  return a < b || b != b || (a == b && __builtin_signbit(a));
}
template <class T>
STENCILC_FN bool first_max(T a, T b) {
  return a > b || b != b || (a == b && !__builtin_signbit(a));
}

#define STENCILC_REAL(T, s)                                                            \
  STENCILC_FN T fma##s(T a, T b, T c) { return __builtin_elementwise_fma(a, b, c); }   \
  STENCILC_FN T sqrt##s(T a) { return __builtin_elementwise_sqrt(a); }                 \
  STENCILC_FN T fabs##s(T a) { return __builtin_elementwise_abs(a); }                  \
  STENCILC_FN T floor##s(T a) { return __builtin_elementwise_floor(a); }               \
  STENCILC_FN T ceil##s(T a) { return __builtin_elementwise_ceil(a); }                 \
  STENCILC_FN T trunc##s(T a) { return __builtin_elementwise_trunc(a); }               \
  STENCILC_FN T rint##s(T a) { return __builtin_elementwise_rint(a); }                 \
  STENCILC_FN T copysign##s(T a, T b) { return __builtin_elementwise_copysign(a, b); } \
  STENCILC_FN T fmin##s(T a, T b) { return first_min(a, b) ? a : b; }                  \
  STENCILC_FN T fmax##s(T a, T b) { return first_max(a, b) ? a : b; }                  \
  STENCILC_FN T min(T a, T b) { return first_min(a, b) ? a : b; }                      \
  STENCILC_FN T max(T a, T b) { return first_max(a, b) ? a : b; }                      \
  STENCILC_FN T abs(T a) { return __builtin_elementwise_abs(a); }
STENCILC_REAL(float, f)
STENCILC_REAL(double, )
#undef STENCILC_REAL

#define STENCILC_INTEGER(T)                             \
  STENCILC_FN T min(T a, T b) { return b < a ? b : a; } \
  STENCILC_FN T max(T a, T b) { return a < b ? b : a; }
STENCILC_INTEGER(int)
STENCILC_INTEGER(unsigned)
STENCILC_INTEGER(long)
STENCILC_INTEGER(unsigned long)
STENCILC_INTEGER(long long)
STENCILC_INTEGER(unsigned long long)
#undef STENCILC_INTEGER
STENCILC_FN int abs(int a) { return a < 0 ? -a : a; }
STENCILC_FN long abs(long a) { return a < 0 ? -a : a; }
STENCILC_FN long long abs(long long a) { return a < 0 ? -a : a; }

#define STENCILC_LIBRARY1(name)                                               \
  extern "C" __device__ __attribute__((const)) float __host_##name##f(float); \
  extern "C" __device__ __attribute__((const)) double __host_##name(double);  \
  STENCILC_FN float name##f(float a) { return __host_##name##f(a); }          \
  STENCILC_FN double name(double a) { return __host_##name(a); }
#define STENCILC_LIBRARY2(name)                                                      \
  extern "C" __device__ __attribute__((const)) float __host_##name##f(float, float); \
  extern "C" __device__ __attribute__((const)) double __host_##name(double, double); \
  STENCILC_FN float name##f(float a, float b) { return __host_##name##f(a, b); }     \
  STENCILC_FN double name(double a, double b) { return __host_##name(a, b); }
STENCILC_LIBRARY1(exp)
STENCILC_LIBRARY1(exp2)
STENCILC_LIBRARY1(log)
STENCILC_LIBRARY1(log2)
STENCILC_LIBRARY1(log10)
STENCILC_LIBRARY1(sin)
STENCILC_LIBRARY1(cos)
STENCILC_LIBRARY1(tan)
STENCILC_LIBRARY1(asin)
STENCILC_LIBRARY1(acos)
STENCILC_LIBRARY1(atan)
STENCILC_LIBRARY1(sinh)
STENCILC_LIBRARY1(cosh)
STENCILC_LIBRARY1(tanh)
STENCILC_LIBRARY1(cbrt)
STENCILC_LIBRARY2(pow)
STENCILC_LIBRARY2(atan2)
STENCILC_LIBRARY2(hypot)
STENCILC_LIBRARY2(fmod)
#undef STENCILC_LIBRARY1
#undef STENCILC_LIBRARY2

// ---- bits ----

template <class To, class From>
STENCILC_FN To __stencil_bits(From value) {
  static_assert(sizeof(To) == sizeof(From), "the same size");
  return __builtin_bit_cast(To, value);
}
STENCILC_FN int __float_as_int(float a) { return __stencil_bits<int>(a); }
STENCILC_FN unsigned __float_as_uint(float a) { return __stencil_bits<unsigned>(a); }
STENCILC_FN float __int_as_float(int a) { return __stencil_bits<float>(a); }
STENCILC_FN float __uint_as_float(unsigned a) { return __stencil_bits<float>(a); }
STENCILC_FN long long __double_as_longlong(double a) { return __stencil_bits<long long>(a); }
STENCILC_FN double __longlong_as_double(long long a) { return __stencil_bits<double>(a); }
STENCILC_FN int __popc(unsigned a) { return __builtin_popcount(a); }
STENCILC_FN int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
STENCILC_FN int __clz(int a) { return a == 0 ? 32 : __builtin_clz((unsigned)a); }
STENCILC_FN int __ffs(int a) { return __builtin_ffs(a); }

#undef STENCILC_FN
