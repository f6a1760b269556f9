// Arithmetic of the host with the bits of the device: each operation is rounded to nearest by
// itself, whatever flags the file is compiled with. For what a file computes once for all cells.
#pragma once

#include <cfenv>
#include <cmath>

namespace stencil {
namespace host {

// The default rounding, with denormals, for as long as it lives; then what was set before.
class DefaultRounding {
 public:
  DefaultRounding() {
    (void)std::fegetenv(&before_);
    (void)std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultRounding() { (void)std::fesetenv(&before_); }
  DefaultRounding(const DefaultRounding&) = delete;
  DefaultRounding& operator=(const DefaultRounding&) = delete;

 private:
  std::fenv_t before_;
};

// The operands are volatile so that no compiler contracts, reorders or replaces the operation.
template <typename T>
T sum(T a, T b) {
  volatile T left = a, right = b, result = left + right;
  return result;
}
template <typename T>
T difference(T a, T b) {
  volatile T left = a, right = b, result = left - right;
  return result;
}
template <typename T>
T product(T a, T b) {
  volatile T left = a, right = b, result = left * right;
  return result;
}
template <typename T>
T quotient(T a, T b) {
  volatile T left = a, right = b, result = left / right;
  return result;
}
template <typename T>
T fused(T a, T b, T c) {
  volatile T left = a, right = b, added = c, result = std::fma(T{left}, T{right}, T{added});
  return result;
}
template <typename T>
T root(T x) {
  volatile T operand = x, result = std::sqrt(T{operand});
  return result;
}

template <typename T, typename Int>
T real(Int n) {
  volatile Int operand = n;
  volatile T result = static_cast<T>(operand);
  return result;
}

}  // namespace host
}  // namespace stencil
