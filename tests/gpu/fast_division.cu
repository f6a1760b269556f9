// Divisions and roots of ordinary numbers (stencil/device_fast_division.h) on a GPU: where they are not told
// to be rare, their bits must be those of the intrinsics. Functions of one number take all floats,
// and doubles of all upper halves; quotients take random and hard pairs. Prints a line for each and
// returns 1 where one differs:
//
//   nvcc -std=c++17 -arch=sm_90 -Iruntime/include -o fast_division tests/gpu/fast_division.cu
#include <stencil/cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

template <typename T>
struct Shape;
template <>
struct Shape<float> {
  using Bits = uint32_t;
  static constexpr int digits = 23, exponents = 256;
};
template <>
struct Shape<double> {
  using Bits = uint64_t;
  static constexpr int digits = 52, exponents = 2048;
};

template <typename T>
__device__ T of_bits(uint64_t bits) {
  const auto narrow = static_cast<typename Shape<T>::Bits>(bits);
  T value;
  memcpy(&value, &narrow, sizeof value);
  return value;
}
template <typename T>
__device__ bool same(T a, T b) {
  return (a != a && b != b) || (a == b && signbit(a) == signbit(b));
}
__device__ uint64_t mixed(uint64_t n) {  // splitmix64
  n += 0x9e3779b97f4a7c15ull;
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9ull;
  n = (n ^ (n >> 27)) * 0x94d049bb133111ebull;
  return n ^ (n >> 31);
}

// A third are any bits, a third have a mantissa of few ones or few zeros, and a third lie within
// 2^-32 and 2^32.
template <typename T>
__device__ T number(uint64_t random) {
  constexpr int digits = Shape<T>::digits;
  constexpr uint64_t mantissas = (uint64_t{1} << digits) - 1;
  const uint64_t more = mixed(random), kind = more % 3;
  if (kind == 0) return of_bits<T>(random);
  if (kind == 1) {
    uint64_t mantissa = uint64_t{1} << (more >> 8) % digits | uint64_t{1} << (more >> 16) % digits;
    if ((more >> 24) % 4 == 0) mantissa = (more >> 32) % 4;
    if ((more >> 40) % 2 == 0) mantissa = ~mantissa;
    return of_bits<T>((random & ~mantissas) | (mantissa & mantissas));
  }
  const uint64_t exponent = Shape<T>::exponents / 2 - 33 + (more >> 8) % 64;
  const uint64_t sign = (more >> 63) * Shape<T>::exponents;
  return of_bits<T>((random & mantissas) | (exponent + sign) << digits);
}

// What a function gives of the operands of a number, and by intrinsics.
struct Quotient {
  static constexpr const char* name = "quotient";
  template <typename T, typename Rare>
  static __device__ T of(uint64_t n, Rare& rare) {
    return st::quotient(number<T>(mixed(2 * n)), number<T>(mixed(2 * n + 1)), rare);
  }
};
struct QuotientBy {
  static constexpr const char* name = "quotient_by";
  template <typename T, typename Rare>
  static __device__ T of(uint64_t n, Rare& rare) {
    const T b = number<T>(mixed(2 * n + 1));
    return st::quotient_by(number<T>(mixed(2 * n)), b, st::quotient(T{1}, b, st::Exact{}), rare);
  }
};
struct QuotientOf {
  static constexpr const char* name = "quotient_of";
  template <typename T, typename Rare>
  static __device__ T of(uint64_t n, Rare& rare) {
    const uint64_t random = mixed(2 * n + 1);
    const T a = ldexp(static_cast<T>((random >> 12) + 1), -52 - static_cast<int>(random % 20));
    return st::quotient_of(min(a, T{1}), number<T>(mixed(2 * n)), rare);
  }
};
// A divisor of four is zero.
struct QuotientOrInfinity {
  static constexpr const char* name = "quotient_or_infinity";
  template <typename T, typename Rare>
  static __device__ T of(uint64_t n, Rare& rare) {
    const T b = number<T>(mixed(2 * n + 1));
    return st::quotient_or_infinity(number<T>(mixed(2 * n)), n % 4 == 0 ? copysign(T{0}, b) : b,
                                    rare);
  }
};
// All upper halves; the lower one is zero, all ones or random.
template <typename T>
__device__ T every(uint64_t n) {
  if (sizeof(T) == 4) return of_bits<T>(n);
  const uint64_t random = mixed(n), lower = random % 4 == 0 ? 0 : random % 4 == 1 ? ~0ull : random;
  return of_bits<T>(n << 32 | lower >> 32);
}
// By numbers of at most 20 bits, as the compiler splits their reciprocals.
__device__ float toward_zero(float b) { return __frcp_rz(b); }
__device__ double toward_zero(double b) { return __drcp_rz(b); }
struct QuotientByNumber {
  static constexpr const char* name = "quotient_by_number";
  template <typename T, typename Rare>
  static __device__ T of(uint64_t n, Rare& rare) {
    const T b = static_cast<T>(3 + 2 * (mixed(n) % ((1 << 19) - 1))) / 16, high = toward_zero(b);
    const T low = st::quotient(st::detail::fused(-high, b, T{1}), b, st::Exact{});
    return st::quotient_by_number(every<T>(n), b, high, low, rare);
  }
};
struct Reciprocal {
  static constexpr const char* name = "reciprocal";
  template <typename T, typename Rare>
  static __device__ T of(uint64_t n, Rare& rare) {
    return st::reciprocal(every<T>(n), rare);
  }
};
struct Root {
  static constexpr const char* name = "root";
  template <typename T, typename Rare>
  static __device__ T of(uint64_t n, Rare& rare) {
    return st::root(every<T>(n), rare);
  }
};
struct ReciprocalRoot {
  static constexpr const char* name = "reciprocal_root";
  template <typename T, typename Rare>
  static __device__ T of(uint64_t n, Rare& rare) {
    return st::reciprocal_root(every<T>(n), rare);
  }
};
// Divisors whose mantissa is all ones, next to the ties of quotients by powers of two.
struct NextToTies {
  static constexpr const char* name = "next to ties";
  template <typename T, typename Rare>
  static __device__ T of(uint64_t n, Rare& rare) {
    constexpr int digits = Shape<T>::digits, exponents = Shape<T>::exponents;
    const uint64_t mantissas = (uint64_t{1} << digits) - 1;
    const T b = of_bits<T>((n / exponents % (2 * exponents) << digits) | (mantissas - (n >> 28)));
    return st::quotient(of_bits<T>((n % exponents) << digits | (n >> 26) % 4), b, rare);
  }
};

struct Count {
  unsigned long long wrong, rare;
};

constexpr int threads = 256, each = 64;

template <typename Function, typename T>
__global__ void sweep(Count* count, uint64_t first) {
  Count own = {};
  for (int k = 0; k < each; ++k) {
    const uint64_t n = first + (uint64_t{blockIdx.x} * each + k) * threads + threadIdx.x;
    bool rare = false;
    st::Exact exact;
    const T is = Function::template of<T>(n, rare), wanted = Function::template of<T>(n, exact);
    own.rare += rare;
    own.wrong += !rare && !same(is, wanted);
  }
  if (own.wrong != 0) atomicAdd(&count->wrong, own.wrong);
  atomicAdd(&count->rare, own.rare);
}

// 2^`bits` numbers.
template <typename Function, typename T>
bool agrees(int bits) {
  constexpr int per_launch = 30;
  Count* count = nullptr;
  Count result = {};
  cudaError_t error = cudaMalloc(&count, sizeof *count);
  if (error == cudaSuccess) error = cudaMemset(count, 0, sizeof *count);
  for (uint64_t part = 0; part < uint64_t{1} << (bits - per_launch); ++part)
    sweep<Function, T>
        <<<(1u << per_launch) / (threads * each), threads>>>(count, part << per_launch);
  if (error == cudaSuccess) error = cudaGetLastError();
  if (error == cudaSuccess)
    error = cudaMemcpy(&result, count, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(count);
  if (error != cudaSuccess) {
    std::printf("%s: %s\n", Function::name, cudaGetErrorString(error));
    return false;
  }
  std::printf("%s of f%d: 2^%d numbers, %llu rare, %llu wrong\n", Function::name,
              static_cast<int>(8 * sizeof(T)), bits, result.rare, result.wrong);
  return result.wrong == 0;
}

template <typename T>
bool all_agree(int quotients) {
  bool good = agrees<Quotient, T>(quotients);
  good = agrees<QuotientBy, T>(32) && good;
  good = agrees<QuotientByNumber, T>(32) && good;
  good = agrees<QuotientOf, T>(32) && good;
  good = agrees<QuotientOrInfinity, T>(32) && good;
  good = agrees<NextToTies, T>(30) && good;
  good = agrees<Reciprocal, T>(32) && good;
  good = agrees<Root, T>(32) && good;
  return agrees<ReciprocalRoot, T>(32) && good;
}

}  // namespace

int main() {
  const bool good = all_agree<float>(34);
  return all_agree<double>(33) && good ? 0 : 1;
}
