// Transport with limited fluxes, in the form of Sweby: a limiter phi of the ratio of slopes.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

double sweby(double r) { return std::max({0.0, std::min(1.5 * r, 1.0), std::min(r, 1.5)}); }
double van_leer(double r) { return (r + std::abs(r)) / (1 + std::abs(r)); }

std::string tvd(const std::string& text, double (*phi)(double), int64_t nx, int steps) {
  Array q = random({nx, 1, 1}, 1);
  Example run(text, q.extents);
  run.set("q", q);
  run.param("c", 0.4);
  run.run(steps);
  for (int n = 0; n < steps; ++n) {
    const auto at = [&](int64_t i) { return q((i % nx + nx) % nx); };
    const auto flux = [&](int64_t i) {
      const double ahead = at(i + 1) - at(i), behind = at(i) - at(i - 1);
      return at(i) + (ahead == 0 ? 0 : (1 - 0.4) / 2 * phi(behind / ahead) * ahead);
    };
    Array next(q.extents);
    for (int64_t i = 0; i < nx; ++i) next(i) = at(i) - 0.4 * (flux(i) - flux(i - 1));
    q = next;
  }
  return difference("q", run.get("q"), q, 1e-13);
}

TEST(Tvd, LimitersOfALibrary) {
  const std::string text = example_text("tvd"), other = edited(text, "sweby(", "van_leer(");
  for (int64_t nx : {1, 2, 3, 7, 65})
    for (int steps : {1, 2, 9}) {
      EXPECT_EQ(tvd(text, sweby, nx, steps), "");
      EXPECT_EQ(tvd(other, van_leer, nx, steps), "");
    }
  EXPECT_NE(tvd(text, van_leer, 65, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
