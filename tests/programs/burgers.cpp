// Burgers' equation in a channel: upwind differences of first order, central ones for the
// diffusion.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

constexpr double kStep = 0.08, kHx = 1.25, kHy = 0.75, kNu = 0.3;

// The flow with the walls around it: a ring along x, below 0 and above `lid`.
struct Flow {
  const Array& cells;
  double lid;

  double operator()(int64_t x, int64_t y) const {
    if (y < 0) return 0;
    if (y >= cells.extents[1]) return lid;
    return cells(wrapped(x, cells.extents[0]), y);
  }
};

double moved(const Flow& f, double u, double v, int64_t x, int64_t y) {
  const double here = f(x, y);
  const double slope_x = (u > 0 ? here - f(x - 1, y) : f(x + 1, y) - here) / kHx;
  const double slope_y = (v > 0 ? here - f(x, y - 1) : f(x, y + 1) - here) / kHy;
  const double bend_x = (f(x - 1, y) - 2 * here + f(x + 1, y)) / (kHx * kHx);
  const double bend_y = (f(x, y - 1) - 2 * here + f(x, y + 1)) / (kHy * kHy);
  return here - kStep * (u * slope_x + v * slope_y) + kStep * kNu * (bend_x + bend_y);
}

std::string burgers2d(const std::string& text, const Extents& extents, int steps) {
  Array u = random(extents, 1, -1, 1), v = random(extents, 2, -1, 1);
  Example run(text, extents);
  run.set("u", u);
  run.set("v", v);
  run.param("dt", kStep);
  run.param("hx", kHx);
  run.param("hy", kHy);
  run.param("nu", kNu);
  run.run(steps);
  for (int t = 0; t < steps; ++t) {
    const Array old_u = u, old_v = v;
    for (int64_t y = 0; y < extents[1]; ++y)
      for (int64_t x = 0; x < extents[0]; ++x) {
        u(x, y) = moved({old_u, 1}, old_u(x, y), old_v(x, y), x, y);
        v(x, y) = moved({old_v, 0}, old_u(x, y), old_v(x, y), x, y);
      }
  }
  return difference("u", run.get("u"), u, 1e-5) + difference("v", run.get("v"), v, 1e-5);
}

TEST(Burgers, InAChannel) {
  const std::string text = example_text("burgers2d");
  for (const Extents& extents : {Extents{1, 1, 1}, {3, 1, 1}, {2, 3, 1}, {13, 7, 1}, {23, 31, 1}})
    for (int steps : {0, 1, 2, 7}) EXPECT_EQ(burgers2d(text, extents, steps), "");
  EXPECT_NE(burgers2d(edited(text, "upwind = v", "upwind = -v"), {13, 7, 1}, 1), "");
  EXPECT_NE(burgers2d(edited(text, "constant 1", "constant 1.01"), {13, 7, 1}, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
