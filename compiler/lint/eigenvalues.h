// Computes the eigenvalues of a small matrix.
#pragma once

#include <complex>
#include <optional>
#include <vector>

namespace stencilc::lint {

using Complex = std::complex<double>;

struct Matrix {
  explicit Matrix(int size) : size(size), values(static_cast<size_t>(size) * size) {}
  Complex& at(int row, int column) { return values[static_cast<size_t>(row) * size + column]; }
  int size;
  std::vector<Complex> values;
};

// With multiplicity, in no particular order. Nothing if the iteration does not converge or a value
// is not finite.
std::optional<std::vector<Complex>> eigenvalues(Matrix matrix);

}  // namespace stencilc::lint
