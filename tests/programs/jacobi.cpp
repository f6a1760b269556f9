// Jacobi sweeps: PolyBench/C's jacobi-1d and jacobi-2d with a weight for each neighbour, and
// Laplace's equation.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

std::string jacobi1d(const std::string& text, const Extents& extents, int steps) {
  Array a = random(extents, 1), b = random(extents, 2);
  Example run(text, extents);
  run.set("A", a);
  run.set("B", b);
  run.param("west", 0.2);
  run.param("centre", 0.5);
  run.param("east", 0.37);
  run.run(steps);
  const int64_t n = extents[0];
  for (int t = 0; t < steps; ++t) {
    for (int64_t i = 1; i < n - 1; ++i) b(i) = 0.2 * a(i - 1) + 0.5 * a(i) + 0.37 * a(i + 1);
    for (int64_t i = 1; i < n - 1; ++i) a(i) = 0.2 * b(i - 1) + 0.5 * b(i) + 0.37 * b(i + 1);
  }
  return difference("A", run.get("A"), a, 1e-12) + difference("B", run.get("B"), b, 1e-12);
}

void jacobi2d_sweep(const Array& from, Array& to) {
  for (int64_t y = 1; y < to.extents[1] - 1; ++y)
    for (int64_t x = 1; x < to.extents[0] - 1; ++x)
      to(x, y) = 0.3 * from(x, y) + 0.11 * from(x - 1, y) + 0.13 * from(x + 1, y) +
                 0.17 * from(x, y - 1) + 0.19 * from(x, y + 1);
}

std::string jacobi2d(const std::string& text, const Extents& extents, int steps) {
  Array a = random(extents, 1), b = random(extents, 2);
  Example run(text, extents);
  run.set("A", a);
  run.set("B", b);
  run.param("centre", 0.3);
  run.param("west", 0.11);
  run.param("east", 0.13);
  run.param("north", 0.17);
  run.param("south", 0.19);
  run.run(steps);
  for (int t = 0; t < steps; ++t) {
    jacobi2d_sweep(a, b);
    jacobi2d_sweep(b, a);
  }
  return difference("A", run.get("A"), a, 1e-12) + difference("B", run.get("B"), b, 1e-12);
}

std::string laplace(const std::string& text, const Extents& extents, int steps) {
  Array u = random(extents, 1, -1, 1);
  Example run(text, extents);
  run.set("u", u);
  run.run(steps);
  for (int t = 0; t < steps; ++t) {
    const Array old = u;
    for (int64_t y = 1; y < extents[1] - 1; ++y)
      for (int64_t x = 1; x < extents[0] - 1; ++x)
        u(x, y) = (old(x - 1, y) + old(x + 1, y) + old(x, y - 1) + old(x, y + 1)) / 4;
  }
  return difference("u", run.get("u"), u, 1e-5);
}

TEST(Jacobi, OnALine) {
  const std::string text = example_text("jacobi1d");
  for (int64_t n : {1, 2, 3, 4, 17, 101})
    for (int steps : {0, 1, 2, 7}) EXPECT_EQ(jacobi1d(text, {n, 1, 1}, steps), "");
  EXPECT_NE(jacobi1d(edited(text, "east*A[x+1]", "west*A[x+1]"), {17, 1, 1}, 1), "");
}

TEST(Jacobi, InThePlane) {
  const std::string text = example_text("jacobi2d");
  for (const Extents& extents : {Extents{1, 1, 1}, {3, 3, 1}, {2, 9, 1}, {13, 7, 1}, {23, 31, 1}})
    for (int steps : {0, 1, 2, 7}) EXPECT_EQ(jacobi2d(text, extents, steps), "");
  EXPECT_NE(jacobi2d(edited(text, "north*f[y-1]", "south*f[y-1]"), {13, 7, 1}, 1), "");
}

TEST(Jacobi, Laplace) {
  const std::string text = example_text("laplace");
  for (const Extents& extents : {Extents{1, 1, 1}, {3, 3, 1}, {2, 9, 1}, {13, 7, 1}, {23, 31, 1}})
    for (int steps : {0, 1, 2, 7}) EXPECT_EQ(laplace(text, extents, steps), "");
  EXPECT_NE(laplace(edited(text, "0.25", "0.2501"), {13, 7, 1}, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
