// Diffusion with what a program of its own brings: cells of 16 bits, coefficients on some of the
// axes, another boundary on each side.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

int64_t clamped(int64_t i, int64_t n) { return std::min(std::max<int64_t>(i, 0), n - 1); }

// The nearest number of 11 bits, ties to even.
double half(double value) {
  if (value == 0) return value;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 11)), exponent - 11);
}

std::string half_storage(const std::string& text, const Extents& extents, int steps) {
  Array u = random(extents, 1, 1, 100);
  for (double& cell : u.cells) cell = half(cell);
  Example run(text, extents);
  run.set("u", u);
  run.run(steps);
  const auto [nx, ny, nz] = extents;
  for (int n = 0; n < steps; ++n) {
    Array next(extents);
    each(extents, [&, nx = nx, ny = ny, nz = nz](int64_t x, int64_t y, int64_t z) {
      next(x, y, z) = half(0.45 * u(x, y, z) + 0.1 * u(clamped(x - 1, nx), y, z) +
                           0.12 * u(clamped(x + 1, nx), y, z) + 0.07 * u(x, clamped(y - 1, ny), z) +
                           0.09 * u(x, clamped(y + 1, ny), z) + 0.06 * u(x, y, clamped(z - 1, nz)) +
                           0.11 * u(x, y, clamped(z + 1, nz)));
    });
    u = next;
  }
  const Array got = run.get("u");
  std::string found = difference("u", got, u, std::ldexp(1, -11));  // one last bit of the largest
  for (double cell : got.cells)
    if (cell != half(cell)) found += fmt::format("{} has more than 11 bits\n", cell);
  return found;
}

TEST(Diffusions, CellsOf16Bits) {
  const std::string text = example_text("half_storage");
  for (const Extents& extents : {Extents{1, 1, 1}, {2, 3, 5}, {7, 5, 6}, {33, 4, 3}})
    for (int steps : {1, 2, 4}) EXPECT_EQ(half_storage(text, extents, steps), "");
  EXPECT_NE(half_storage(edited(text, "f16", "f32"), {7, 5, 6}, 1), "");
  EXPECT_NE(half_storage(edited(text, "cw*u[x-1]", "cw*u[x-2]"), {7, 5, 6}, 1), "");
}

std::string atmosphere(const std::string& text, const Extents& extents, int steps) {
  const auto [nx, ny, nz] = extents;
  Array temp = random(extents, 1, 0, 10);
  const Array thick = random({1, 1, nz}, 2, 1, 2), lift = random({1, 1, nz}, 3, 0.1, 1),
              mix = random({nx, ny, 1}, 4, 0.1, 1), ground = random({nx, ny, 1}, 5, 0, 2);
  Example run(text, extents);
  run.set("temp", temp);
  run.set("thick", thick);
  run.set("lift", lift);
  run.set("mix", mix);
  run.set("ground", ground);
  run.param("dt", 0.125);
  run.run(steps);
  for (int n = 0; n < steps; ++n) {
    Array gain(extents);  // of heat, for each cell
    each(extents, [&, nx = nx, ny = ny](int64_t x, int64_t y, int64_t z) {
      const double sides = temp((x + 1) % nx, y, z) + temp((x + nx - 1) % nx, y, z) +
                           temp(x, (y + 1) % ny, z) + temp(x, (y + ny - 1) % ny, z);
      gain(x, y, z) += thick(0, 0, z) * mix(x, y) * (sides - 4 * temp(x, y, z));
      if (z == 0) gain(x, y, z) += ground(x, y);
      if (z == 0) return;
      const double distance = (thick(0, 0, z - 1) + thick(0, 0, z)) / 2;
      const double flux = lift(0, 0, z) * (temp(x, y, z) - temp(x, y, z - 1)) / distance;
      gain(x, y, z - 1) += flux;
      gain(x, y, z) -= flux;
    });
    each(extents, [&](int64_t x, int64_t y, int64_t z) {
      temp(x, y, z) += 0.125 * gain(x, y, z) / thick(0, 0, z);
    });
  }
  return difference("temp", run.get("temp"), temp, 1e-13);
}

TEST(Diffusions, LayersOfAnAtmosphere) {
  const std::string text = example_text("atmosphere");
  for (const Extents& extents : {Extents{1, 1, 1}, {2, 3, 5}, {7, 5, 6}, {33, 4, 3}})
    for (int steps : {1, 2, 5}) EXPECT_EQ(atmosphere(text, extents, steps), "");
  EXPECT_NE(atmosphere(edited(text, "on z == 0", "on z == 1"), {7, 5, 6}, 1), "");
}

// Two cells of ghosts on each side, filled before each step.
std::string duct(const std::string& text, const Extents& extents, int steps, double speed) {
  const auto [nx, ny, nz] = extents;
  Array padded({nx + 4, ny + 4, 1});
  const Array start = random(extents, 6, 0, 2);
  const auto temp = [&](int64_t x, int64_t y) -> double& { return padded(x + 2, y + 2); };
  for (int64_t y = 0; y < ny; ++y)
    for (int64_t x = 0; x < nx; ++x) temp(x, y) = start(x, y);
  Example run(text, extents);
  run.set("temp", start);
  run.param("speed", speed);
  run.run(steps);
  for (int n = 0; n < steps; ++n) {
    for (int64_t away = 1; away <= 2; ++away) {
      for (int64_t y = 0; y < ny; ++y) {
        temp(-away, y) = 1 + 0.1 * static_cast<double>(y);
        temp(nx - 1 + away, y) = temp(nx - 1, y);
      }
      for (int64_t x = 0; x < nx; ++x) {
        temp(x, -away) = temp(x, 0) + 0.2 * static_cast<double>(away);
        temp(x, ny - 1 + away) = -temp(x, ny - away);
      }
    }
    const Array old = padded;
    const auto was = [&](int64_t x, int64_t y) { return old(x + 2, y + 2); };
    for (int64_t y = 0; y < ny; ++y)
      for (int64_t x = 0; x < nx; ++x) {
        const double wind = speed > 0 ? was(x, y) - was(x - 1, y) : was(x + 1, y) - was(x, y);
        const double near = was(x - 1, y) + was(x + 1, y) + was(x, y - 1) + was(x, y + 1),
                     far = was(x - 2, y) + was(x + 2, y) + was(x, y - 2) + was(x, y + 2);
        temp(x, y) = was(x, y) - speed * wind + 0.1 * (16 * near - far - 60 * was(x, y)) / 12;
      }
  }
  Array wanted(extents);
  each(extents, [&](int64_t x, int64_t y, int64_t) { wanted(x, y) = temp(x, y); });
  return difference("temp", run.get("temp"), wanted, 1e-5);
}

TEST(Diffusions, AnotherBoundaryOnEachSide) {
  const std::string text = example_text("duct");
  for (const Extents& extents : {Extents{1, 2, 1}, {2, 3, 1}, {7, 5, 1}, {33, 18, 1}})
    for (int steps : {1, 2, 6})
      for (double speed : {0.3, -0.2}) EXPECT_EQ(duct(text, extents, steps, speed), "");
  EXPECT_NE(duct(edited(text, "antireflect", "reflect"), {7, 5, 1}, 1, 0.3), "");
}

}  // namespace
}  // namespace stencilc::programs
