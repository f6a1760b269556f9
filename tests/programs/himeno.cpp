// The Himeno benchmark against its own loops: i, j, k over p[i][j][k], residual included.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

struct Himeno {
  Array p, wrk1, bnd;
  std::array<Array, 4> a;
  std::array<Array, 3> b, c;
  double gosa = 0;
};

// One pass of jacobi(): k is the last index of the benchmark's arrays, and x.
void jacobi(Himeno& m, double omega) {
  const auto [mkmax, mjmax, mimax] = m.p.extents;
  Array wrk2 = m.p;
  const auto p = [&](int64_t i, int64_t j, int64_t k) { return m.p(k, j, i); };
  m.gosa = 0;
  for (int64_t i = 1; i < mimax - 1; ++i)
    for (int64_t j = 1; j < mjmax - 1; ++j)
      for (int64_t k = 1; k < mkmax - 1; ++k) {
        const double s0 = m.a[0](k, j, i) * p(i + 1, j, k) + m.a[1](k, j, i) * p(i, j + 1, k) +
                          m.a[2](k, j, i) * p(i, j, k + 1) +
                          m.b[0](k, j, i) * (p(i + 1, j + 1, k) - p(i + 1, j - 1, k) -
                                             p(i - 1, j + 1, k) + p(i - 1, j - 1, k)) +
                          m.b[1](k, j, i) * (p(i, j + 1, k + 1) - p(i, j - 1, k + 1) -
                                             p(i, j + 1, k - 1) + p(i, j - 1, k - 1)) +
                          m.b[2](k, j, i) * (p(i + 1, j, k + 1) - p(i - 1, j, k + 1) -
                                             p(i + 1, j, k - 1) + p(i - 1, j, k - 1)) +
                          m.c[0](k, j, i) * p(i - 1, j, k) + m.c[1](k, j, i) * p(i, j - 1, k) +
                          m.c[2](k, j, i) * p(i, j, k - 1) + m.wrk1(k, j, i);
        const double ss = (s0 * m.a[3](k, j, i) - p(i, j, k)) * m.bnd(k, j, i);
        m.gosa += ss * ss;
        wrk2(k, j, i) = p(i, j, k) + omega * ss;
      }
  m.p = wrk2;
}

std::string himeno(const std::string& text, const Extents& extents, int steps) {
  Himeno m;
  uint64_t seed = 1;
  const auto fill = [&](Array& array) { array = random(extents, seed++, -0.5, 0.5); };
  fill(m.p), fill(m.wrk1), fill(m.bnd);
  for (Array& array : m.a) fill(array);
  for (Array& array : m.b) fill(array);
  for (Array& array : m.c) fill(array);

  Example run(text, extents);
  run.set("p", m.p);
  run.set("wrk1", m.wrk1);
  run.set("bnd", m.bnd);
  for (size_t n = 0; n < 4; ++n) run.set("a" + std::to_string(n), m.a[n]);
  for (size_t n = 0; n < 3; ++n) run.set("b" + std::to_string(n), m.b[n]);
  for (size_t n = 0; n < 3; ++n) run.set("c" + std::to_string(n), m.c[n]);
  run.param("omega", 0.7);
  run.run(steps);
  for (int n = 0; n < steps; ++n) jacobi(m, 0.7);
  return difference("p", run.get("p"), m.p, 1e-6) +
         difference("gosa", run.reduction("gosa"), m.gosa, 1e-5);
}

TEST(Himeno, PressureAndResidual) {
  const std::string text = example_text("himeno");
  for (const Extents& extents : {Extents{3, 3, 3}, {5, 4, 7}, {33, 3, 5}, {9, 11, 6}})
    for (int steps : {1, 2, 5}) EXPECT_EQ(himeno(text, extents, steps), "");
  EXPECT_NE(himeno(edited(text, "p[x-1, y-1]", "p[x-1, y+1]"), {5, 4, 7}, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
