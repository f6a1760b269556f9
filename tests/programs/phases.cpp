// Phases that part and grow: Cahn and Hilliard's equation, Kobayashi's dendrites.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

Array around(const Array& a) {  // five-point Laplacian on a torus
  const auto [nx, ny, nz] = a.extents;
  Array result(a.extents);
  for (int64_t y = 0; y < ny; ++y)
    for (int64_t x = 0; x < nx; ++x)
      result(x, y) = a((x + 1) % nx, y) + a((x + nx - 1) % nx, y) + a(x, (y + 1) % ny) +
                     a(x, (y + ny - 1) % ny) - 4 * a(x, y);
  return result;
}

std::string cahn_hilliard(const std::string& text, const Extents& extents, int steps) {
  Array c = random(extents, 1, -1, 1), mu(extents);
  Example run(text, extents);
  run.set("c", c);
  run.param("dt", 0.02);
  run.param("mobility", 0.75);
  run.param("gamma", 0.4);
  run.run(steps);
  for (int n = 0; n < steps; ++n) {
    const Array bend = around(c);
    for (size_t i = 0; i < c.cells.size(); ++i)
      mu.cells[i] = std::pow(c.cells[i], 3) - c.cells[i] - 0.4 * bend.cells[i];
    const Array flow = around(mu);
    for (size_t i = 0; i < c.cells.size(); ++i) c.cells[i] += 0.02 * 0.75 * flow.cells[i];
  }
  return difference("c", run.get("c"), c, 1e-13) + difference("mu", run.get("mu"), mu, 1e-13);
}

TEST(Phases, CahnHilliard) {
  const std::string text = example_text("cahn_hilliard");
  for (const Extents& extents : {Extents{1, 1, 1}, {2, 5, 1}, {7, 5, 1}, {33, 19, 1}})
    for (int steps : {1, 2, 6}) EXPECT_EQ(cahn_hilliard(text, extents, steps), "");
  EXPECT_NE(cahn_hilliard(edited(text, "laplacian(mu)", "laplacian(c)"), {7, 5, 1}, 1), "");
}

// tau dphase/dt = d/dy(eps eps' dphase/dx) - d/dx(eps eps' dphase/dy) + div(eps^2 grad phase)
//                 + phase (1 - phase) (phase - 1/2 + m), with the angle itself.
void grow(Array& phase, Array& temp, double dt, double h) {
  const double tau = 3e-4, width = 0.012, delta = 0.04, alpha = 0.4, gamma = 8, latent = 1.2;
  const auto [nx, ny, nz] = phase.extents;
  const auto clamped = [nx = nx, ny = ny](const Array& a, int64_t x, int64_t y) {
    return a(std::min(std::max<int64_t>(x, 0), nx - 1), std::min(std::max<int64_t>(y, 0), ny - 1));
  };
  const auto by_x = [&](auto f, int64_t x, int64_t y) {
    return (f(x + 1, y) - f(x - 1, y)) / (2 * h);
  };
  const auto by_y = [&](auto f, int64_t x, int64_t y) {
    return (f(x, y + 1) - f(x, y - 1)) / (2 * h);
  };
  const auto p = [&](int64_t x, int64_t y) { return clamped(phase, x, y); };
  const auto angle = [&](int64_t x, int64_t y) { return std::atan2(by_y(p, x, y), by_x(p, x, y)); };
  const auto eps = [&](int64_t x, int64_t y) {
    return width * (1 + delta * std::cos(4 * angle(x, y)));
  };
  const auto eps2 = [&](int64_t x, int64_t y) { return eps(x, y) * eps(x, y); };
  const auto turn = [&](int64_t x, int64_t y) {
    return eps(x, y) * width * delta * -4 * std::sin(4 * angle(x, y));
  };
  const auto along_x = [&](int64_t x, int64_t y) { return turn(x, y) * by_x(p, x, y); };
  const auto along_y = [&](int64_t x, int64_t y) { return turn(x, y) * by_y(p, x, y); };
  const auto bend = [&](const Array& a, int64_t x, int64_t y) {
    return (clamped(a, x - 1, y) + clamped(a, x + 1, y) + clamped(a, x, y - 1) +
            clamped(a, x, y + 1) - 4 * a(x, y)) /
           (h * h);
  };
  Array new_phase(phase.extents), new_temp(phase.extents);
  for (int64_t y = 0; y < ny; ++y)
    for (int64_t x = 0; x < nx; ++x) {
      const double m = alpha * std::tanh(gamma * (1 - temp(x, y))), here = phase(x, y);
      const double rate = by_y(along_x, x, y) - by_x(along_y, x, y) +
                          by_x(eps2, x, y) * by_x(p, x, y) + by_y(eps2, x, y) * by_y(p, x, y) +
                          eps2(x, y) * bend(phase, x, y) + here * (1 - here) * (here - 0.5 + m);
      new_phase(x, y) = here + dt / tau * rate;
      new_temp(x, y) = temp(x, y) + dt * bend(temp, x, y) + latent * (new_phase(x, y) - here);
    }
  phase = new_phase;
  temp = new_temp;
}

std::string phase_field(const std::string& text, const Extents& extents, int steps) {
  Array phase = random(extents, 2), temp = random(extents, 3, 0.5, 1.5);
  Example run(text, extents);
  run.set("phase", phase);
  run.set("temp", temp);
  run.param("h", 0.04);
  run.param("width", 0.012);
  run.param("delta", 0.04);
  run.param("alpha", 0.4);
  run.param("gamma", 8);
  run.param("latent", 1.2);
  run.run(steps);
  for (int n = 0; n < steps; ++n) grow(phase, temp, 1e-4, 0.04);
  return difference("phase", run.get("phase"), phase, 1e-11) +
         difference("temp", run.get("temp"), temp, 1e-11);
}

TEST(Phases, Dendrites) {
  const std::string text = example_text("phase_field");
  for (const Extents& extents : {Extents{1, 1, 1}, {2, 3, 1}, {7, 5, 1}, {17, 19, 1}})
    for (int steps : {1, 2, 4}) EXPECT_EQ(phase_field(text, extents, steps), "");
  EXPECT_NE(phase_field(edited(text, "dy(turn*px)", "dy(turn*py)"), {7, 5, 1}, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
