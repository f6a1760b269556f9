// Horizontal diffusion with a flux limiter, stage by stage over arrays, level by level.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

std::string hdiff(const std::string& text, const Extents& extents) {
  const Array phi = random(extents, 1, -1, 1), k = random(extents, 2);
  Array dst = random(extents, 3);  // outside of the valid cells it stays so
  Example run(text, extents);
  run.set("phi", phi);
  run.set("k", k);
  run.set("dst", dst);
  run.run(1);
  const auto [nx, ny, nz] = extents;
  for (int64_t z = 0; z < nz; ++z) {
    Array lap({nx, ny, 1}), flux_x({nx, ny, 1}), flux_y({nx, ny, 1});
    for (int64_t y = 1; y < ny - 1; ++y)
      for (int64_t x = 1; x < nx - 1; ++x)
        lap(x, y) = 4 * phi(x, y, z) - phi(x - 1, y, z) - phi(x + 1, y, z) - phi(x, y - 1, z) -
                    phi(x, y + 1, z);
    for (int64_t y = 2; y < ny - 2; ++y)
      for (int64_t x = 1; x < nx - 2; ++x) {
        flux_x(x, y) = lap(x + 1, y) - lap(x, y);
        if (flux_x(x, y) * (phi(x + 1, y, z) - phi(x, y, z)) > 0) flux_x(x, y) = 0;
      }
    for (int64_t y = 1; y < ny - 2; ++y)
      for (int64_t x = 2; x < nx - 2; ++x) {
        flux_y(x, y) = lap(x, y + 1) - lap(x, y);
        if (flux_y(x, y) * (phi(x, y + 1, z) - phi(x, y, z)) > 0) flux_y(x, y) = 0;
      }
    for (int64_t y = 2; y < ny - 2; ++y)
      for (int64_t x = 2; x < nx - 2; ++x)
        dst(x, y, z) = phi(x, y, z) - k(x, y, z) * (flux_x(x, y) - flux_x(x - 1, y) + flux_y(x, y) -
                                                    flux_y(x, y - 1));
  }
  return difference("dst", run.get("dst"), dst, 1e-12);
}

TEST(HorizontalDiffusion, WithALimiter) {
  const std::string text = example_text("hdiff");
  for (const Extents& extents : {Extents{1, 1, 1}, {4, 9, 2}, {5, 5, 1}, {13, 7, 3}, {23, 31, 2}})
    EXPECT_EQ(hdiff(text, extents), "");
  EXPECT_NE(hdiff(edited(text, "fy * (phi[y+1] - phi) > 0", "fy > 0"), {13, 7, 3}), "");
}

}  // namespace
}  // namespace stencilc::programs
