// Every function of the prelude in a kernel, for each type it takes.
#include <stencil/device.h>

namespace {

template <typename Index>
__device__ Index maps(Index i, Index n) {
  return st::inside(i, n) ? st::clamp(i, n) + st::reflect(i, n) : st::mirror(i, n) + st::wrap(i, n);
}

template <typename Int>
__device__ Int integers(Int a, Int b) {
  const Int sums = st::mul(st::add(a, b), st::sub(a, st::neg(st::abs(b))));
  return st::min(st::max(sums, b), st::imod(st::idiv(a, b), b));
}

template <typename From>
__device__ int64_t conversions(From v) {
  int64_t all = st::convert<int8_t>(v) + st::convert<uint8_t>(v) + st::convert<int16_t>(v);
  all += st::convert<uint16_t>(v) + st::convert<int32_t>(v) + st::convert<int64_t>(v);
  all += st::saturate<int8_t>(v) + st::saturate<uint8_t>(v) + st::saturate<int16_t>(v);
  all += st::saturate<uint16_t>(v) + st::saturate<int32_t>(v) + st::saturate<int64_t>(v);
  return all + (st::convert<bool>(v) ? 1 : 0);
}

__global__ void everything(int64_t* out, double* real, float a, double b, int i, int64_t j) {
  out[0] = maps(i, 5) + maps(j, j + 1) + integers(i, 3) + integers(j, int64_t{3});
  out[1] = conversions(a) + conversions(b) + conversions(i) + conversions(j);
  real[0] = st::min(a, 1.0f) + st::max(a, 2.0f) + st::round_even(a) + st::convert<float>(b);
  real[1] = st::min(b, 1.0) + st::max(b, 2.0) + st::round_even(b) + st::convert<double>(j);
}

}  // namespace

void run_everything(int64_t* out, double* real) { everything<<<1, 1>>>(out, real, 1, 2, 3, 4); }
