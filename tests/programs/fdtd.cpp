// Yee's scheme in the plane as PolyBench/C's fdtd-2d has it: three sweeps, each in place.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

std::string fdtd2d(const std::string& text, const Extents& extents, int steps) {
  Array ex = random(extents, 1), ey = random(extents, 2), hz = random(extents, 3);
  Example run(text, extents);
  run.set("ex", ex);
  run.set("ey", ey);
  run.set("hz", hz);
  run.param("cx", 0.45);
  run.param("cy", 0.55);
  run.param("ch", 0.65);
  run.run(steps);
  const auto [nx, ny, nz] = extents;
  for (int t = 0; t < steps; ++t) {
    for (int64_t j = 0; j < ny; ++j) ey(0, j) = t;
    for (int64_t i = 1; i < nx; ++i)
      for (int64_t j = 0; j < ny; ++j) ey(i, j) -= 0.55 * (hz(i, j) - hz(i - 1, j));
    for (int64_t i = 0; i < nx; ++i)
      for (int64_t j = 1; j < ny; ++j) ex(i, j) -= 0.45 * (hz(i, j) - hz(i, j - 1));
    for (int64_t i = 0; i < nx - 1; ++i)
      for (int64_t j = 0; j < ny - 1; ++j)
        hz(i, j) -= 0.65 * (ex(i, j + 1) - ex(i, j) + ey(i + 1, j) - ey(i, j));
  }
  return difference("ex", run.get("ex"), ex, 1e-12) + difference("ey", run.get("ey"), ey, 1e-12) +
         difference("hz", run.get("hz"), hz, 1e-12);
}

TEST(Fdtd, InThePlane) {
  const std::string text = example_text("fdtd2d");
  for (const Extents& extents :
       {Extents{1, 1, 1}, {1, 6, 1}, {6, 1, 1}, {2, 2, 1}, {13, 7, 1}, {23, 31, 1}})
    for (int steps : {0, 1, 2, 9}) EXPECT_EQ(fdtd2d(text, extents, steps), "");
  EXPECT_NE(fdtd2d(edited(text, "x >= 1", "x >= 2"), {13, 7, 1}, 1), "");
  EXPECT_NE(fdtd2d(edited(text, "ex[t+1, y+1]", "ex[y+1]"), {13, 7, 1}, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
