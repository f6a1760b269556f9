// stencil::f16 and stencil::bf16, the types of storage of 16 bits: IEEE binary16, and the upper
// half of a float. st::f32 and st::f64 read them; st::f16 and st::bf16 round to them, once and to
// nearest even: infinity stands for what is too large, and NaN stays NaN.
#pragma once

#include "device_number.h"

#if defined(STENCIL_HALF_OF_CUDA)  // by cuda_half.h

namespace stencil {
inline namespace cuda {
using f16 = __half;
using bf16 = __nv_bfloat16;
}  // namespace cuda
}  // namespace stencil

namespace st {
inline namespace STENCIL_TARGET {

STENCIL_FUNCTION float f32(stencil::f16 value) { return __half2float(value); }
STENCIL_FUNCTION float f32(stencil::bf16 value) { return __bfloat162float(value); }
STENCIL_FUNCTION stencil::f16 f16(float value) { return __float2half_rn(value); }
STENCIL_FUNCTION stencil::f16 f16(double value) { return __double2half(value); }
STENCIL_FUNCTION stencil::bf16 bf16(float value) { return __float2bfloat16_rn(value); }
STENCIL_FUNCTION stencil::bf16 bf16(double value) { return __double2bfloat16(value); }

}  // namespace STENCIL_TARGET
}  // namespace st

#else

namespace stencil {
inline namespace STENCIL_TARGET {
struct f16 {
  uint16_t bits;
};
struct bf16 {
  uint16_t bits;
};
}  // namespace STENCIL_TARGET
}  // namespace stencil

// Without branches, so that loops of conversions become vector code: g++ makes one of a choice
// between a float that is computed and another value, but not of masks.
namespace st {
inline namespace STENCIL_TARGET {

STENCIL_FUNCTION float f32(stencil::bf16 value) { return float_of(uint32_t{value.bits} << 16); }
STENCIL_FUNCTION float f32(stencil::f16 value) {
  const uint32_t magnitude = value.bits & 0x7fffu;
  const uint32_t normal = (magnitude << 13) + (112u << 23);  // the exponents begin 112 apart
  const uint32_t denormal = bits_of(static_cast<float>(static_cast<int32_t>(magnitude)) * 0x1p-24f);
  const uint32_t small = 0u - (magnitude < 0x400), endless = 0u - (magnitude >= 0x7c00);
  const uint32_t size = (denormal & small) | (normal & ~small) | (0x7f800000 & endless);
  return float_of(size | (value.bits & 0x8000u) << 16);
}

STENCIL_FUNCTION stencil::bf16 bf16(float value) {
  const uint32_t bits = bits_of(value);
  const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return {static_cast<uint16_t>(value != value ? 0x7fffu : rounded)};
}
STENCIL_FUNCTION stencil::f16 f16(float value) {
  const uint32_t bits = bits_of(value), magnitude = bits & 0x7fffffff;
  const uint32_t normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  // A half has the last bit of the denormals of f16: the sum rounds where they end.
  const uint32_t denormal = bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f);
  const uint32_t small = 0u - (magnitude < 113u << 23), large = 0u - (magnitude >= 143u << 23);
  const uint32_t endless = magnitude > 0x7f800000 ? 0x7fff : 0x7c00;
  const uint32_t size = (denormal & small) | (normal & ~small & ~large) | (endless & large);
  return {static_cast<uint16_t>(size | (bits >> 16 & 0x8000))};
}

// The nearest float, or the float on the other side of the value where the nearest one is inexact
// and its last bit 0. To round that to fewer bits is to round the value itself.
STENCIL_FUNCTION float to_odd(double value) {
  const float nearest = static_cast<float>(value);
  const double back = nearest;
  const uint32_t bits = bits_of(nearest);
  if (value != value || back == value || (bits & 1) != 0) return nearest;
  return float_of((back > value) == (value > 0) ? bits - 1 : bits + 1);
}
STENCIL_FUNCTION stencil::f16 f16(double value) { return f16(to_odd(value)); }
STENCIL_FUNCTION stencil::bf16 bf16(double value) { return bf16(to_odd(value)); }

}  // namespace STENCIL_TARGET
}  // namespace st

#endif

namespace st {
inline namespace STENCIL_TARGET {

// f16 ends below 65536, and a float holds every integer up to there.
STENCIL_FUNCTION stencil::f16 f16(int32_t value) {
  return f16(static_cast<float>(min(max(value, int32_t{-65536}), int32_t{65536})));
}
STENCIL_FUNCTION stencil::f16 f16(int64_t value) {
  return f16(static_cast<int32_t>(min(max(value, int64_t{-65536}), int64_t{65536})));
}

STENCIL_FUNCTION stencil::bf16 bf16(int32_t value) { return bf16(static_cast<double>(value)); }
// Of an integer too long for a double the last bits become one: on the same side of every bf16, and
// of the middle between two of them.
STENCIL_FUNCTION stencil::bf16 bf16(int64_t value) {
  constexpr int64_t exact = int64_t{1} << 53;
  if (value >= -exact && value <= exact) return bf16(static_cast<double>(value));
  const int64_t last = (value & 2047) != 0 ? 1024 : 0;
  return bf16(static_cast<double>((value & ~int64_t{2047}) | last));
}

STENCIL_FUNCTION double f64(stencil::f16 value) { return f32(value); }
STENCIL_FUNCTION double f64(stencil::bf16 value) { return f32(value); }

// To integers, as from the float.
template <typename To>
STENCIL_FUNCTION To convert(stencil::f16 value) {
  return convert<To>(f32(value));
}
template <typename To>
STENCIL_FUNCTION To convert(stencil::bf16 value) {
  return convert<To>(f32(value));
}
template <typename To>
STENCIL_FUNCTION To saturate(stencil::f16 value) {
  return saturate<To>(f32(value));
}
template <typename To>
STENCIL_FUNCTION To saturate(stencil::bf16 value) {
  return saturate<To>(f32(value));
}

}  // namespace STENCIL_TARGET
}  // namespace st

// As the C interface calls them; to a C file they are uint16_t.
using stencil_f16 = stencil::f16;
using stencil_bf16 = stencil::bf16;
