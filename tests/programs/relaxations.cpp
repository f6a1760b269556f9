// Smoothers of Poisson's equation: Gauss and Seidel's in red and black, and Chebyshev's.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

// The value at the cell, 0 outside the grid.
double at(const Array& a, int64_t x, int64_t y, int64_t z = 0) {
  const auto [nx, ny, nz] = a.extents;
  const bool inside = x >= 0 && x < nx && y >= 0 && y < ny && z >= 0 && z < nz;
  return inside ? a(x, y, z) : 0;
}

// In place: first the cells with an even sum of coordinates, then the odd ones.
void sweep(Array& p, const Array& rhs, double h2) {
  for (int color : {0, 1})
    each(p.extents, [&](int64_t x, int64_t y, int64_t z) {
      if ((x + y + z) % 2 != color) return;
      const double around = at(p, x - 1, y, z) + at(p, x + 1, y, z) + at(p, x, y - 1, z) +
                            at(p, x, y + 1, z) + at(p, x, y, z - 1) + at(p, x, y, z + 1);
      p(x, y, z) = (around - h2 * rhs(x, y, z)) / 6;
    });
}

std::string gauss_seidel(const std::string& text, const Extents& extents, int sweeps) {
  Array p = random(extents, 1, -1, 1);
  const Array rhs = random(extents, 2, -1, 1);
  Example run(text, extents);
  run.set("p", p);
  run.set("rhs", rhs);
  run.param("h2", 0.25);
  run.run(sweeps);
  for (int n = 0; n < sweeps; ++n) sweep(p, rhs, 0.25);
  return difference("p", run.get("p"), p, 1e-13);
}

TEST(Relaxations, GaussSeidelInRedAndBlack) {
  const std::string text = example_text("gauss_seidel");
  for (const Extents& extents : {Extents{1, 1, 1}, {2, 1, 3}, {7, 5, 3}, {33, 4, 5}})
    for (int sweeps : {1, 2, 6}) EXPECT_EQ(gauss_seidel(text, extents, sweeps), "");
  EXPECT_NE(gauss_seidel(edited(text, "(x+y+z)", "(x+y+z+1)"), {7, 5, 3}, 1), "");
}

// Saad's algorithm 12.1, with its vectors: residual r, direction d, scalar rho.
Array chebyshev_iteration(Array u, const Array& b, double ax, double ay, double low, double high,
                          int steps) {
  const Extents extents = u.extents;
  const double theta = (high + low) / 2, delta = (high - low) / 2, sigma = theta / delta;
  const auto product = [&](const Array& v) {
    Array result(extents);
    each(extents, [&](int64_t x, int64_t y, int64_t) {
      result(x, y) = 2 * (ax + ay) * v(x, y) - ax * (at(v, x - 1, y) + at(v, x + 1, y)) -
                     ay * (at(v, x, y - 1) + at(v, x, y + 1));
    });
    return result;
  };
  const size_t count = u.cells.size();
  Array r = product(u), d(extents);
  for (size_t i = 0; i < count; ++i) r.cells[i] = b.cells[i] - r.cells[i];
  for (size_t i = 0; i < count; ++i) d.cells[i] = r.cells[i] / theta;
  double rho = 1 / sigma;
  for (int n = 0; n < steps; ++n) {
    const Array ad = product(d);
    for (size_t i = 0; i < count; ++i) u.cells[i] += d.cells[i];
    for (size_t i = 0; i < count; ++i) r.cells[i] -= ad.cells[i];
    const double next = 1 / (2 * sigma - rho);
    for (size_t i = 0; i < count; ++i)
      d.cells[i] = next * rho * d.cells[i] + 2 * next / delta * r.cells[i];
    rho = next;
  }
  return u;
}

std::string chebyshev(const std::string& text, const Extents& extents, int steps) {
  const Array u = random(extents, 3, -1, 1), b = random(extents, 4, -1, 1);
  Example run(text, extents);
  run.set("u", u);
  run.set("u", random(extents, 5, -1, 1), 1);  // no part of the method
  run.set("b", b);
  run.param("ax", 0.8);
  run.param("ay", 0.3);
  run.param("low", 0.9);
  run.param("high", 4.4);
  run.run(steps);
  return difference("u", run.get("u"), chebyshev_iteration(u, b, 0.8, 0.3, 0.9, 4.4, steps), 1e-12);
}

TEST(Relaxations, Chebyshev) {
  const std::string text = example_text("chebyshev");
  for (const Extents& extents : {Extents{1, 1, 1}, {1, 6, 1}, {7, 5, 1}, {19, 33, 1}})
    for (int steps : {1, 2, 3, 12}) EXPECT_EQ(chebyshev(text, extents, steps), "");
  EXPECT_NE(chebyshev(edited(text, "rho(g, t - 1)", "rho(g, t)"), {7, 5, 1}, 2), "");
}

}  // namespace
}  // namespace stencilc::programs
