// Defines the built-in vector types, with the same alignment as in the toolkit.
#pragma once

#define STENCILC_VECTORS(type, base, align2, align4) \
  struct type##1 {                                   \
    base x;                                          \
  };                                                 \
  struct __align__(align2) type##2 {                 \
    base x, y;                                       \
  };                                                 \
  struct type##3 {                                   \
    base x, y, z;                                    \
  };                                                 \
  struct __align__(align4) type##4 {                 \
    base x, y, z, w;                                 \
  };                                                 \
  typedef struct type##1 type##1;                    \
  typedef struct type##2 type##2;                    \
  typedef struct type##3 type##3;                    \
  typedef struct type##4 type##4;

STENCILC_VECTORS(char, signed char, 2, 4)
STENCILC_VECTORS(uchar, unsigned char, 2, 4)
STENCILC_VECTORS(short, short, 4, 8)
STENCILC_VECTORS(ushort, unsigned short, 4, 8)
STENCILC_VECTORS(int, int, 8, 16)
STENCILC_VECTORS(uint, unsigned int, 8, 16)
STENCILC_VECTORS(longlong, long long, 16, 16)
STENCILC_VECTORS(ulonglong, unsigned long long, 16, 16)
STENCILC_VECTORS(float, float, 8, 16)
STENCILC_VECTORS(double, double, 16, 16)
#undef STENCILC_VECTORS

struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
  __host__ __device__ constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#if defined(__cplusplus)
#define STENCILC_MAKE(type, base)                                                                \
  static __inline__ __host__ __device__ type##1 make_##type##1(base x) { return type##1 {x}; }   \
  static __inline__ __host__ __device__ type##2 make_##type##2(base x, base y) {                 \
    return type##2 {x, y};                                                                       \
  }                                                                                              \
  static __inline__ __host__ __device__ type##3 make_##type##3(base x, base y, base z) {         \
    return type##3 {x, y, z};                                                                    \
  }                                                                                              \
  static __inline__ __host__ __device__ type##4 make_##type##4(base x, base y, base z, base w) { \
    return type##4 {x, y, z, w};                                                                 \
  }

STENCILC_MAKE(char, signed char)
STENCILC_MAKE(uchar, unsigned char)
STENCILC_MAKE(short, short)
STENCILC_MAKE(ushort, unsigned short)
STENCILC_MAKE(int, int)
STENCILC_MAKE(uint, unsigned int)
STENCILC_MAKE(longlong, long long)
STENCILC_MAKE(ulonglong, unsigned long long)
STENCILC_MAKE(float, float)
STENCILC_MAKE(double, double)
#undef STENCILC_MAKE
#endif
