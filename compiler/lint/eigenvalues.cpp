// Reduction to Hessenberg form by elimination, then the QR algorithm with Wilkinson's shifts:
// Martin and Wilkinson, Numerische Mathematik 12 (1968), 349 (EISPACK's COMHES), and Golub and Van
// Loan, Matrix Computations, section 7.5.
#include "lint/eigenvalues.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace stencilc::lint {
namespace {

constexpr double kRounding = std::numeric_limits<double>::epsilon();
constexpr int kMaxIterations = 60;  // per eigenvalue

void swap_lines(Matrix& a, int p, int q) {
  for (int j = 0; j < a.size; ++j) std::swap(a.at(p, j), a.at(q, j));
  for (int i = 0; i < a.size; ++i) std::swap(a.at(i, p), a.at(i, q));
}

// Makes everything below the first subdiagonal zero by similarity transformations.
void to_hessenberg(Matrix& a) {
  for (int m = 1; m + 1 < a.size; ++m) {
    int pivot = m;
    for (int i = m + 1; i < a.size; ++i)
      if (std::abs(a.at(i, m - 1)) > std::abs(a.at(pivot, m - 1))) pivot = i;
    if (a.at(pivot, m - 1) == 0.0) continue;
    if (pivot != m) swap_lines(a, pivot, m);
    for (int i = m + 1; i < a.size; ++i) {
      const Complex factor = a.at(i, m - 1) / a.at(m, m - 1);
      for (int j = 0; j < a.size; ++j) a.at(i, j) -= factor * a.at(m, j);
      for (int j = 0; j < a.size; ++j) a.at(j, m) += factor * a.at(j, i);
    }
  }
}

// The eigenvalue of the last two rows and columns up to `last` that is closer to the last entry.
Complex wilkinson_shift(Matrix& h, int last) {
  const Complex a = h.at(last - 1, last - 1), d = h.at(last, last);
  const Complex half = 0.5 * (a - d);
  const Complex root = std::sqrt(half * half + h.at(last - 1, last) * h.at(last, last - 1));
  const Complex one = half + root, other = half - root;
  return d + (std::abs(one) < std::abs(other) ? one : other);
}

// H - s*I = QR, then RQ + s*I, in the rows and columns first .. last.
void qr_step(Matrix& h, int first, int last, Complex shift) {
  std::vector<std::pair<Complex, Complex>> rotations;
  for (int i = first; i <= last; ++i) h.at(i, i) -= shift;
  for (int k = first; k < last; ++k) {
    const double length = std::hypot(std::abs(h.at(k, k)), std::abs(h.at(k + 1, k)));
    const Complex c = length == 0 ? 1.0 : h.at(k, k) / length;
    const Complex s = length == 0 ? 0.0 : h.at(k + 1, k) / length;
    for (int j = k; j <= last; ++j) {
      const Complex above = h.at(k, j), below = h.at(k + 1, j);
      h.at(k, j) = std::conj(c) * above + std::conj(s) * below;
      h.at(k + 1, j) = c * below - s * above;
    }
    rotations.emplace_back(c, s);
  }
  for (int k = first; k < last; ++k) {
    const auto [c, s] = rotations[k - first];
    for (int i = first; i <= std::min(k + 1, last); ++i) {
      const Complex left = h.at(i, k), right = h.at(i, k + 1);
      h.at(i, k) = left * c + right * s;
      h.at(i, k + 1) = right * std::conj(c) - left * std::conj(s);
    }
  }
  for (int i = first; i <= last; ++i) h.at(i, i) += shift;
}

// The first row of the block that ends at `last` and contains no negligible entry.
int block_begin(Matrix& h, int last) {
  int first = last;
  for (; first > 0; --first) {
    const double around = std::abs(h.at(first, first)) + std::abs(h.at(first - 1, first - 1));
    if (std::abs(h.at(first, first - 1)) <= kRounding * around) break;
  }
  return first;
}

}  // namespace

std::optional<std::vector<Complex>> eigenvalues(Matrix h) {
  for (const Complex& value : h.values)
    if (!std::isfinite(value.real()) || !std::isfinite(value.imag())) return {};
  to_hessenberg(h);
  std::vector<Complex> result;
  int iterations = 0;
  for (int last = h.size - 1; last >= 0;) {
    const int first = block_begin(h, last);
    if (first == last) {
      result.push_back(h.at(last, last));
      --last;
      iterations = 0;
      continue;
    }
    if (++iterations > kMaxIterations) return {};
    // Sometimes another shift is used, for matrices that the usual one does not change.
    const bool stuck = iterations % 10 == 0;
    qr_step(h, first, last,
            stuck ? Complex(std::abs(h.at(last, last - 1))) : wilkinson_shift(h, last));
  }
  return result;
}

}  // namespace stencilc::lint
