// The method of conjugate gradients, made of the three stencils of one file, against the textbook's
// on a dense matrix.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Face by face: a face between two cells conducts their mean, one at the boundary leads to zero.
Matrix assembled(const Array& k) {
  const auto [nx, ny, nz] = k.extents;
  const auto row = [&](int64_t x, int64_t y, int64_t z) {
    return static_cast<size_t>((z * ny + y) * nx + x);
  };
  const size_t count = k.cells.size();
  Matrix a(count, Vector(count, 0.0));
  const auto join = [&](size_t i, size_t j) {
    const double face = (k.cells[i] + k.cells[j]) / 2;
    a[i][i] += face, a[j][j] += face;
    a[i][j] -= face, a[j][i] -= face;
  };
  each(k.extents, [&](int64_t x, int64_t y, int64_t z) {
    const size_t i = row(x, y, z);
    if (x + 1 < k.extents[0]) join(i, row(x + 1, y, z));
    if (y + 1 < k.extents[1]) join(i, row(x, y + 1, z));
    if (z + 1 < k.extents[2]) join(i, row(x, y, z + 1));
    const int faces = (x == 0) + (x + 1 == k.extents[0]) + (y == 0) + (y + 1 == k.extents[1]) +
                      (z == 0) + (z + 1 == k.extents[2]);
    a[i][i] += faces * k.cells[i];
  });
  return a;
}

struct Solution {
  Array u;
  double rr = 0;
};

Solution textbook(const Array& k, const Array& b, int iterations) {
  const Matrix a = assembled(k);
  const size_t count = b.cells.size();
  Solution result{Array(b.extents), 0};
  Vector r = b.cells, p = r, q(count);
  result.rr = dot(r, r);
  for (int n = 0; n < iterations; ++n) {
    for (size_t i = 0; i < count; ++i) q[i] = dot(a[i], p);
    const double alpha = result.rr / dot(p, q);
    for (size_t i = 0; i < count; ++i) result.u.cells[i] += alpha * p[i];
    for (size_t i = 0; i < count; ++i) r[i] -= alpha * q[i];
    const double before = std::exchange(result.rr, dot(r, r));
    for (size_t i = 0; i < count; ++i) p[i] = r[i] + result.rr / before * p[i];
  }
  return result;
}

Solution on_grids(const std::string& text, const Array& k, const Array& b, int iterations) {
  const Extents extents = b.extents;
  Example product(text, extents, "cg_product"), advance(text, extents, "cg_advance"),
      direct(text, extents, "cg_direct");
  product.set("k", k);
  advance.set("u", Array(extents));
  advance.set("r", b);
  direct.set("p", b);
  double rr = dot(b.cells, b.cells);
  for (int n = 0; n < iterations; ++n) {
    const Array p = direct.get("p");
    product.set("p", p);
    product.run(1);
    advance.set("p", p);
    advance.set("q", product.get("q"));
    advance.param("alpha", rr / product.reduction("pq"));
    advance.run(1);
    const double before = std::exchange(rr, advance.reduction("rr"));
    direct.set("r", advance.get("r"));
    direct.param("beta", rr / before);
    direct.run(1);
  }
  return {advance.get("u"), rr};
}

TEST(ConjugateGradient, EachIterate) {
  const std::string text = example_text("conjugate_gradient");
  for (const Extents& extents : {Extents{1, 1, 1}, {3, 2, 1}, {5, 4, 3}, {7, 1, 9}})
    for (int iterations : {1, 2, 5}) {
      if (extents == Extents{1, 1, 1} && iterations > 1) continue;  // solved
      const Array k = random(extents, 1, 0.5, 2), b = random(extents, 2, -1, 1);
      const Solution got = on_grids(text, k, b, iterations), wanted = textbook(k, b, iterations);
      EXPECT_EQ(difference("u", got.u, wanted.u, 1e-11), "");
      EXPECT_NEAR(got.rr, wanted.rr, 1e-11);
    }
}

TEST(ConjugateGradient, ItSolves) {
  const Extents extents{5, 4, 3};
  const Array k = random(extents, 1, 0.5, 2), b = random(extents, 2, -1, 1);
  EXPECT_LT(on_grids(example_text("conjugate_gradient"), k, b, 50).rr, 1e-20);
}

}  // namespace
}  // namespace stencilc::programs
