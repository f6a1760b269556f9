// Conway's Game of Life on a torus: births on three neighbours, survival on two or three.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

Array generation(const Array& a) {
  const auto [nx, ny, nz] = a.extents;
  Array next(a.extents);
  for (int64_t y = 0; y < ny; ++y)
    for (int64_t x = 0; x < nx; ++x) {
      int neighbours = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if (dx != 0 || dy != 0) neighbours += a((x + dx + nx) % nx, (y + dy + ny) % ny) != 0;
      next(x, y) = neighbours == 3 || (neighbours == 2 && a(x, y) != 0);
    }
  return next;
}

std::string life(const std::string& text, const Extents& extents, int steps) {
  Array a = random(extents, 3, 0, 1, true);
  Example run(text, extents);
  run.set("a", a);
  run.run(steps);
  for (int t = 0; t < steps; ++t) a = generation(a);
  return difference("a", run.get("a"), a, 0);
}

TEST(Life, EveryGeneration) {
  const std::string text = example_text("life");
  for (const Extents& extents : {Extents{1, 1, 1}, {3, 2, 1}, {7, 5, 1}, {19, 23, 1}})
    for (int steps : {0, 1, 2, 9}) EXPECT_EQ(life(text, extents, steps), "");
  EXPECT_NE(life(edited(text, "n == 2", "n == 4"), {19, 23, 1}, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
