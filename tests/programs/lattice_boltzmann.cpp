// D2Q9 with walls as it is often taught: loops over nine directions, streamed by pushing.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

constexpr int kX[] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, kY[] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr int kBack[] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
constexpr double kWeight[] = {4 / 9.0,  1 / 9.0,  1 / 9.0,  1 / 9.0, 1 / 9.0,
                              1 / 36.0, 1 / 36.0, 1 / 36.0, 1 / 36.0};

using Populations = std::array<Array, 9>;

void step(Populations& f, const Array& solid, double omega, double force) {
  const auto [nx, ny, nz] = solid.extents;
  Populations arrived = f;
  for (int64_t y = 0; y < ny; ++y)
    for (int64_t x = 0; x < nx; ++x)
      for (int q = 0; q < 9; ++q) {
        if (solid(x, y) != 0) continue;
        const int64_t tx = (x + kX[q] + nx) % nx, ty = (y + kY[q] + ny) % ny;
        if (solid(tx, ty) != 0)
          arrived[kBack[q]](x, y) = f[q](x, y);
        else
          arrived[q](tx, ty) = f[q](x, y);
      }
  for (int64_t y = 0; y < ny; ++y)
    for (int64_t x = 0; x < nx; ++x) {
      if (solid(x, y) != 0) continue;
      double rho = 0, ux = 0, uy = 0;
      for (int q = 0; q < 9; ++q) {
        rho += arrived[q](x, y);
        ux += kX[q] * arrived[q](x, y);
        uy += kY[q] * arrived[q](x, y);
      }
      ux /= rho;
      uy /= rho;
      for (int q = 0; q < 9; ++q) {
        const double eu = kX[q] * ux + kY[q] * uy;
        const double still =
            kWeight[q] * rho * (1 + 3 * eu + 9 * eu * eu / 2 - 3 * (ux * ux + uy * uy) / 2);
        f[q](x, y) =
            (1 - omega) * arrived[q](x, y) + omega * still + 3 * kWeight[q] * kX[q] * force;
      }
    }
}

std::string lattice_boltzmann(const std::string& text, const Extents& extents, int steps) {
  Populations f;
  for (int q = 0; q < 9; ++q) f[q] = random(extents, 10 + q, 0.8 * kWeight[q], 1.2 * kWeight[q]);
  Array solid = random(extents, 2, 0, 3, true);
  for (double& cell : solid.cells) cell = cell == 0;
  Example run(text, extents);
  for (int q = 0; q < 9; ++q) run.set("f" + std::to_string(q), f[q]);
  run.set("solid", solid);
  run.param("omega", 1.3);
  run.param("force", 0.002);
  run.run(steps);
  for (int n = 0; n < steps; ++n) step(f, solid, 1.3, 0.002);
  std::string found;
  for (int q = 0; q < 9; ++q)
    found += difference("f" + std::to_string(q), run.get("f" + std::to_string(q)), f[q], 1e-5);
  return found;
}

TEST(LatticeBoltzmann, WithWalls) {
  const std::string text = example_text("lattice_boltzmann");
  for (const Extents& extents : {Extents{1, 1, 1}, {3, 2, 1}, {7, 5, 1}, {33, 17, 1}})
    for (int steps : {1, 2, 6}) EXPECT_EQ(lattice_boltzmann(text, extents, steps), "");
  EXPECT_NE(lattice_boltzmann(edited(text, "? f8 : f6", "? f5 : f6"), {7, 5, 1}, 2), "");
}

}  // namespace
}  // namespace stencilc::programs
