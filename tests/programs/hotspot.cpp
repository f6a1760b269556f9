// Rodinia's hotspot: the temperature of a chip, neighbours beyond its boundary left out of the sum.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

constexpr double kStepPerCap = 0.05, kRx = 1.7, kRy = 2.3, kRz = 4.1, kAmbient = 75;

std::string hotspot(const std::string& text, const Extents& extents, int steps) {
  Array heat = random(extents, 1, 320, 340);
  const Array power = random(extents, 2, 0, 5);
  Example run(text, extents);
  run.set("temperature", heat);
  run.set("power", power);
  run.param("step_per_cap", kStepPerCap);
  run.param("rx", kRx);
  run.param("ry", kRy);
  run.param("rz", kRz);
  run.param("ambient", kAmbient);
  run.run(steps);
  const auto [nx, ny, nz] = extents;
  for (int t = 0; t < steps; ++t) {
    const Array old = heat;
    for (int64_t y = 0; y < ny; ++y)
      for (int64_t x = 0; x < nx; ++x) {
        const double here = old(x, y);
        double flow = power(x, y) + (kAmbient - here) / kRz;
        if (x > 0) flow += (old(x - 1, y) - here) / kRx;
        if (x < nx - 1) flow += (old(x + 1, y) - here) / kRx;
        if (y > 0) flow += (old(x, y - 1) - here) / kRy;
        if (y < ny - 1) flow += (old(x, y + 1) - here) / kRy;
        heat(x, y) = here + kStepPerCap * flow;
      }
  }
  return difference("temperature", run.get("temperature"), heat, 1e-5);
}

TEST(Hotspot, Temperature) {
  const std::string text = example_text("hotspot");
  for (const Extents& extents : {Extents{1, 1, 1}, {1, 5, 1}, {2, 3, 1}, {13, 7, 1}, {23, 31, 1}})
    for (int steps : {0, 1, 2, 9}) EXPECT_EQ(hotspot(text, extents, steps), "");
  EXPECT_NE(hotspot(edited(text, "/ ry", "/ rx"), {13, 7, 1}, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
