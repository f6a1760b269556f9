// The wave equation: order 2 in a square with reflecting walls, order 8 in space with a speed for
// each cell.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

// What stands beyond a mirror at the middle of the outermost cell.
int64_t mirrored(int64_t index, int64_t count) {
  if (count == 1) return 0;
  if (index < 0) return -index;
  return index >= count ? 2 * (count - 1) - index : index;
}

std::string wave2d(const std::string& text, const Extents& extents, int steps) {
  Array older = random(extents, 1, -1, 1), u = random(extents, 2, -1, 1);
  Example run(text, extents);
  run.set("u", u);
  run.set("u", older, 1);
  run.param("c2", 0.3);
  run.run(steps);
  const auto [nx, ny, nz] = extents;
  for (int t = 0; t < steps; ++t) {
    Array next(extents);
    for (int64_t y = 0; y < ny; ++y)
      for (int64_t x = 0; x < nx; ++x) {
        const double neighbours = u(mirrored(x - 1, nx), y) + u(mirrored(x + 1, nx), y) +
                                  u(x, mirrored(y - 1, ny)) + u(x, mirrored(y + 1, ny));
        next(x, y) = 2 * u(x, y) - older(x, y) + 0.3 * (neighbours - 4 * u(x, y));
      }
    older = u;
    u = next;
  }
  return difference("u", run.get("u"), u, 1e-5) +
         difference("u[t-1]", run.get("u", 1), older, 1e-5);
}

std::string wave3d(const std::string& text, const Extents& extents, int steps) {
  constexpr double kWeights[] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  Array older = random(extents, 1, -1, 1), u = random(extents, 2, -1, 1);
  const Array c = random(extents, 3, 0.5, 1.5);
  Example run(text, extents);
  run.set("u", u);
  run.set("u", older, 1);
  run.set("c", c);
  run.param("dt", 0.25);
  run.param("h", 1.5);
  run.run(steps);
  const auto at = [&](int64_t x, int64_t y, int64_t z) {
    const bool inside =
        x >= 0 && x < extents[0] && y >= 0 && y < extents[1] && z >= 0 && z < extents[2];
    return inside ? u(x, y, z) : 0;
  };
  for (int t = 0; t < steps; ++t) {
    Array next(extents);
    each(extents, [&](int64_t x, int64_t y, int64_t z) {
      double second = 3 * kWeights[0] * u(x, y, z);
      for (int64_t r = 1; r <= 4; ++r)
        second += kWeights[r] * (at(x - r, y, z) + at(x + r, y, z) + at(x, y - r, z) +
                                 at(x, y + r, z) + at(x, y, z - r) + at(x, y, z + r));
      const double reached = 0.25 * c(x, y, z);
      next(x, y, z) = 2 * u(x, y, z) - older(x, y, z) + reached * reached * second / (1.5 * 1.5);
    });
    older = u;
    u = next;
  }
  return difference("u", run.get("u"), u, 1e-5) +
         difference("u[t-1]", run.get("u", 1), older, 1e-5);
}

TEST(Wave, OfOrder2BetweenReflectingWalls) {
  const std::string text = example_text("wave2d");
  for (const Extents& extents : {Extents{1, 1, 1}, {1, 2, 1}, {2, 9, 1}, {13, 7, 1}, {23, 31, 1}})
    for (int steps : {0, 1, 2, 9}) EXPECT_EQ(wave2d(text, extents, steps), "");
  EXPECT_NE(wave2d(edited(text, "boundary mirror", "boundary reflect"), {13, 7, 1}, 1), "");
}

TEST(Wave, OfOrder8InSpace) {
  const std::string text = example_text("wave3d");
  for (const Extents& extents : {Extents{1, 1, 1}, {3, 2, 4}, {9, 9, 9}, {11, 7, 10}})
    for (int steps : {0, 1, 2, 5}) EXPECT_EQ(wave3d(text, extents, steps), "");
  EXPECT_NE(wave3d(edited(text, "order = 8", "order = 6"), {9, 9, 9}, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
