// Gray and Scott's reaction and diffusion on a torus.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

constexpr double kDu = 0.15, kDv = 0.07, kFeed = 0.04, kKill = 0.06, kStep = 0.9;

std::string gray_scott(const std::string& text, const Extents& extents, int steps) {
  Array u = random(extents, 1), v = random(extents, 2, 0, 0.5);
  Example run(text, extents);
  run.set("u", u);
  run.set("v", v);
  run.param("Du", kDu);
  run.param("Dv", kDv);
  run.param("F", kFeed);
  run.param("k", kKill);
  run.param("dt", kStep);
  run.run(steps);
  const auto [nx, ny, nz] = extents;
  const auto spread = [&](const Array& f, int64_t x, int64_t y) {
    return f(wrapped(x - 1, nx), y) + f(wrapped(x + 1, nx), y) + f(x, wrapped(y - 1, ny)) +
           f(x, wrapped(y + 1, ny)) - 4 * f(x, y);
  };
  for (int t = 0; t < steps; ++t) {
    const Array old_u = u, old_v = v;
    for (int64_t y = 0; y < ny; ++y)
      for (int64_t x = 0; x < nx; ++x) {
        const double a = old_u(x, y), b = old_v(x, y), reaction = a * b * b;
        u(x, y) = a + kStep * (kDu * spread(old_u, x, y) - reaction + kFeed * (1 - a));
        v(x, y) = b + kStep * (kDv * spread(old_v, x, y) + reaction - (kFeed + kKill) * b);
      }
  }
  return difference("u", run.get("u"), u, 1e-5) + difference("v", run.get("v"), v, 1e-5);
}

TEST(GrayScott, ReactionAndDiffusion) {
  const std::string text = example_text("gray_scott");
  for (const Extents& extents : {Extents{1, 1, 1}, {2, 3, 1}, {13, 7, 1}, {23, 31, 1}})
    for (int steps : {0, 1, 2, 9}) EXPECT_EQ(gray_scott(text, extents, steps), "");
  EXPECT_NE(gray_scott(edited(text, "(F+k)", "F"), {13, 7, 1}, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
