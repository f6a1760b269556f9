// Diffusion: PolyBench/C's heat-3d, heat on a torus, and seven points with a weight for each.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

constexpr double kX = 0.11, kY = 0.13, kZ = 0.07;

void heat3d_sweep(const Array& from, Array& to) {
  each({1, 1, 1}, {to.extents[0] - 1, to.extents[1] - 1, to.extents[2] - 1},
       [&](int64_t x, int64_t y, int64_t z) {
         const double twice = 2 * from(x, y, z);
         to(x, y, z) = kX * (from(x + 1, y, z) - twice + from(x - 1, y, z)) +
                       kY * (from(x, y + 1, z) - twice + from(x, y - 1, z)) +
                       kZ * (from(x, y, z + 1) - twice + from(x, y, z - 1)) + from(x, y, z);
       });
}

std::string heat3d(const std::string& text, const Extents& extents, int steps) {
  Array a = random(extents, 1), b = random(extents, 2);
  Example run(text, extents);
  run.set("A", a);
  run.set("B", b);
  run.param("ax", kX);
  run.param("ay", kY);
  run.param("az", kZ);
  run.run(steps);
  for (int t = 0; t < steps; ++t) {
    heat3d_sweep(a, b);
    heat3d_sweep(b, a);
  }
  return difference("A", run.get("A"), a, 1e-12) + difference("B", run.get("B"), b, 1e-12);
}

std::string heat(const std::string& text, const Extents& extents, int steps) {
  Array u = random(extents, 1, -1, 1);
  Example run(text, extents);
  run.set("u", u);
  run.param("a", 0.17);
  run.run(steps);
  const auto [nx, ny, nz] = extents;
  for (int t = 0; t < steps; ++t) {
    const Array old = u;
    for (int64_t y = 0; y < ny; ++y)
      for (int64_t x = 0; x < nx; ++x)
        u(x, y) += 0.17 * (old((x + nx - 1) % nx, y) + old((x + 1) % nx, y) +
                           old(x, (y + ny - 1) % ny) + old(x, (y + 1) % ny) - 4 * old(x, y));
  }
  return difference("u", run.get("u"), u, 1e-5);
}

std::string diffusion3d(const std::string& text, const Extents& extents, int steps) {
  Array u = random(extents, 1, -1, 1);
  Example run(text, extents);
  run.set("T", u);
  const char* names[] = {"cc", "cw", "ce", "cn", "cs", "cb", "ct"};
  const double weights[] = {0.31, 0.05, 0.07, 0.11, 0.13, 0.17, 0.19};
  for (int i = 0; i < 7; ++i) run.param(names[i], weights[i]);
  run.run(steps);
  const auto [nx, ny, nz] = extents;
  for (int t = 0; t < steps; ++t) {
    const Array old = u;
    for (int64_t z = 0; z < nz; ++z)
      for (int64_t y = 0; y < ny; ++y)
        for (int64_t x = 0; x < nx; ++x) {
          const int64_t w = x == 0 ? 0 : x - 1, e = x == nx - 1 ? x : x + 1;
          const int64_t n = y == 0 ? 0 : y - 1, s = y == ny - 1 ? y : y + 1;
          const int64_t b = z == 0 ? 0 : z - 1, a = z == nz - 1 ? z : z + 1;
          u(x, y, z) = 0.31 * old(x, y, z) + 0.05 * old(w, y, z) + 0.07 * old(e, y, z) +
                       0.11 * old(x, n, z) + 0.13 * old(x, s, z) + 0.17 * old(x, y, b) +
                       0.19 * old(x, y, a);
        }
  }
  return difference("T", run.get("T"), u, 1e-5);
}

const std::vector<Extents> kBlocks = {{1, 1, 1}, {3, 3, 3}, {2, 5, 4}, {7, 5, 9}, {11, 13, 6}};

TEST(Heat, InABlock) {
  const std::string text = example_text("heat3d");
  for (const Extents& extents : kBlocks)
    for (int steps : {0, 1, 2, 5}) EXPECT_EQ(heat3d(text, extents, steps), "");
  EXPECT_NE(heat3d(edited(text, "az*(f[z+1]", "ay*(f[z+1]"), {7, 5, 9}, 1), "");
}

TEST(Heat, OnATorus) {
  const std::string text = example_text("heat");
  for (const Extents& extents : {Extents{1, 1, 1}, {2, 3, 1}, {13, 7, 1}, {23, 31, 1}})
    for (int steps : {0, 1, 2, 7}) EXPECT_EQ(heat(text, extents, steps), "");
  EXPECT_NE(heat(edited(text, "a*laplacian", "1.001*a*laplacian"), {13, 7, 1}, 1), "");
}

TEST(Heat, SevenPointsWithAWeightForEach) {
  const std::string text = example_text("diffusion3d");
  for (const Extents& extents : kBlocks)
    for (int steps : {0, 1, 2, 5}) EXPECT_EQ(diffusion3d(text, extents, steps), "");
  EXPECT_NE(diffusion3d(edited(text, "cb*T[z-1]", "cn*T[z-1]"), {7, 5, 9}, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
