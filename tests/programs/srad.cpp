// Rodinia's srad: statistics of a smooth region, diffusion coefficients, then the picture.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

struct Region {
  int64_t x1, x2, y1, y2;
};

double roughness(const Array& picture, const Region& region) {
  double sum = 0, squares = 0;
  for (int64_t y = region.y1; y <= region.y2; ++y)
    for (int64_t x = region.x1; x <= region.x2; ++x) {
      sum += picture(x, y);
      squares += picture(x, y) * picture(x, y);
    }
  const auto count = static_cast<double>((region.x2 - region.x1 + 1) * (region.y2 - region.y1 + 1));
  const double mean = sum / count;
  return (squares / count - mean * mean) / (mean * mean);
}

// One step of the picture; returns the coefficients.
Array despeckled(Array& picture, const Region& region, double lambda) {
  const auto [nx, ny, nz] = picture.extents;
  const double q0 = roughness(picture, region);
  Array north(picture.extents), south = north, west = north, east = north, c = north;
  for (int64_t y = 0; y < ny; ++y)
    for (int64_t x = 0; x < nx; ++x) {
      const double here = picture(x, y);
      north(x, y) = picture(x, y == 0 ? 0 : y - 1) - here;
      south(x, y) = picture(x, y == ny - 1 ? y : y + 1) - here;
      west(x, y) = picture(x == 0 ? 0 : x - 1, y) - here;
      east(x, y) = picture(x == nx - 1 ? x : x + 1, y) - here;
      const double g2 = (north(x, y) * north(x, y) + south(x, y) * south(x, y) +
                         west(x, y) * west(x, y) + east(x, y) * east(x, y)) /
                        (here * here);
      const double l = (north(x, y) + south(x, y) + west(x, y) + east(x, y)) / here;
      const double root = 1 + 0.25 * l;
      const double q = (0.5 * g2 - 1.0 / 16 * l * l) / (root * root);
      c(x, y) = std::clamp(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0.0, 1.0);
    }
  for (int64_t y = 0; y < ny; ++y)
    for (int64_t x = 0; x < nx; ++x) {
      const double c_south = c(x, y == ny - 1 ? y : y + 1), c_east = c(x == nx - 1 ? x : x + 1, y);
      picture(x, y) += 0.25 * lambda *
                       (c(x, y) * north(x, y) + c_south * south(x, y) + c(x, y) * west(x, y) +
                        c_east * east(x, y));
    }
  return c;
}

std::string srad(const std::string& text, const Extents& extents, const Region& region, int steps) {
  Array picture = random(extents, 1, 1, 6), c = random(extents, 2);
  Example run(text, extents);
  run.set("J", picture);
  run.set("c", c);
  run.param("lambda", 0.4);
  run.param("x1", static_cast<double>(region.x1));
  run.param("x2", static_cast<double>(region.x2));
  run.param("y1", static_cast<double>(region.y1));
  run.param("y2", static_cast<double>(region.y2));
  run.run(steps);
  for (int t = 0; t < steps; ++t) c = despeckled(picture, region, 0.4);
  return difference("J", run.get("J"), picture, 1e-5) + difference("c", run.get("c"), c, 1e-5);
}

TEST(Srad, StagesAndReductions) {
  const std::string text = example_text("srad");
  for (int steps : {0, 1, 2, 5}) {
    EXPECT_EQ(srad(text, {3, 4, 1}, {0, 2, 0, 3}, steps), "");
    EXPECT_EQ(srad(text, {13, 7, 1}, {2, 5, 1, 4}, steps), "");
    EXPECT_EQ(srad(text, {23, 31, 1}, {0, 22, 3, 30}, steps), "");
  }
  for (const auto& [from, to] : {std::pair{"c[y+1]*south", "c*south"}, {"sum(J*J)", "sum(J)"}})
    EXPECT_NE(srad(edited(text, from, to), {13, 7, 1}, {2, 5, 1, 4}, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
