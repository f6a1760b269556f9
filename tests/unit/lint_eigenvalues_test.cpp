#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>

#include "lint/eigenvalues.h"

namespace stencilc::lint {
namespace {

std::vector<double> magnitudes(const Matrix& matrix) {
  std::vector<double> result;
  const auto values = eigenvalues(matrix);
  EXPECT_TRUE(values.has_value());
  if (values)
    for (const Complex& value : *values) result.push_back(std::abs(value));
  std::ranges::sort(result);
  return result;
}

// The matrix whose eigenvalues are the roots of z^n + c[n-1] z^(n-1) + ... + c[0].
Matrix companion(const std::vector<Complex>& c) {
  const int n = static_cast<int>(c.size());
  Matrix matrix(n);
  for (int i = 1; i < n; ++i) matrix.at(i, i - 1) = 1;
  for (int i = 0; i < n; ++i) matrix.at(i, n - 1) = -c[i];
  return matrix;
}

TEST(LintEigenvalues, AreThoseOfATriangle) {
  Matrix matrix(3);
  matrix.at(0, 0) = 2, matrix.at(0, 1) = 7, matrix.at(0, 2) = -3;
  matrix.at(1, 1) = Complex(0, -5), matrix.at(1, 2) = 4;
  matrix.at(2, 2) = 1;
  const std::vector<double> found = magnitudes(matrix);
  EXPECT_NEAR(found[0], 1, 1e-14);
  EXPECT_NEAR(found[1], 2, 1e-14);
  EXPECT_NEAR(found[2], 5, 1e-14);
}

TEST(LintEigenvalues, AreTheRootsOfPolynomials) {
  // (z - 1)(z - 2)(z - 3)(z - 4)
  const std::vector<double> found = magnitudes(companion({24, -50, 35, -10}));
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(found[i], i + 1, 1e-11);
}

TEST(LintEigenvalues, CanBeEqual) {
  for (const double value : magnitudes(companion({1, -2}))) EXPECT_NEAR(value, 1, 1e-7);
  for (const double value : magnitudes(companion({-1, 3, -3}))) EXPECT_NEAR(value, 1, 1e-4);
  for (const double value : magnitudes(Matrix(4))) EXPECT_EQ(value, 0);
}

// A shift by one cell on a ring: all eigenvalues lie on the unit circle, and plain QR stands still.
TEST(LintEigenvalues, OfARotationLieOnTheUnitCircle) {
  for (const int n : {2, 3, 4, 7, 12}) {
    Matrix matrix(n);
    for (int i = 0; i < n; ++i) matrix.at(i, (i + 1) % n) = 1;
    for (const double value : magnitudes(matrix)) EXPECT_NEAR(value, 1, 1e-12) << n;
  }
}

TEST(LintEigenvalues, HaveTheSumsOfTheTraces) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (int n = 1; n <= 16; ++n)
    for (int repeat = 0; repeat < 10; ++repeat) {
      Matrix matrix(n);
      for (Complex& value : matrix.values) value = {normal(random), normal(random)};
      Complex trace = 0, trace_of_square = 0;
      for (int i = 0; i < n; ++i) {
        trace += matrix.at(i, i);
        for (int j = 0; j < n; ++j) trace_of_square += matrix.at(i, j) * matrix.at(j, i);
      }
      const auto values = eigenvalues(matrix);
      ASSERT_TRUE(values.has_value());
      ASSERT_EQ(values->size(), static_cast<size_t>(n));
      for (const Complex& value : *values) {
        trace -= value;
        trace_of_square -= value * value;
      }
      EXPECT_LT(std::abs(trace), 1e-10);
      EXPECT_LT(std::abs(trace_of_square), 1e-9);
    }
}

TEST(LintEigenvalues, AreNoneOfWhatIsNotFinite) {
  Matrix matrix(2);
  matrix.at(0, 1) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(eigenvalues(matrix).has_value());
}

}  // namespace
}  // namespace stencilc::lint
