// Beam and Warming's upwind scheme on a ring, in the form of its fluxes.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

std::string advection(const std::string& text, const Extents& extents, int steps) {
  const double c = 0.7;
  Array q = random(extents, 1, -1, 1);
  Example run(text, extents);
  run.set("q", q);
  run.param("c", c);
  run.run(steps);
  const int64_t n = extents[0];
  for (int t = 0; t < steps; ++t) {
    Array flux(extents);  // through the right side of each cell
    for (int64_t i = 0; i < n; ++i)
      flux(i) = c * (q(i) + 0.5 * (1 - c) * (q(i) - q(wrapped(i - 1, n))));
    for (int64_t i = 0; i < n; ++i) q(i) -= flux(i) - flux(wrapped(i - 1, n));
  }
  return difference("q", run.get("q"), q, 1e-12);
}

TEST(Advection, Upwind) {
  const std::string text = example_text("advection");
  for (int64_t n : {1, 2, 3, 4, 17, 101})
    for (int steps : {0, 1, 2, 9}) EXPECT_EQ(advection(text, {n, 1, 1}, steps), "");
  EXPECT_NE(advection(edited(text, "3*q", "2*q"), {17, 1, 1}, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
