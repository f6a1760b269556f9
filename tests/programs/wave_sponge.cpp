// Waves from sources to receivers, with a sponge along the boundary: order 2 in the plane, order 8
// in space.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

using Places = std::vector<std::array<double, 3>>;

// Two sources in one cell, and one outside.
const Places kSources = {{2, 3, 1}, {4, 1, 2}, {2, 3, 1}, {-1, 3, 0}};
// Between cells, in one, half outside, and outside.
const Places kReceivers = {{2.25, 3.5, 1.75}, {4, 1, 2}, {-0.25, 2.5, 0.5}, {40, 2, 2}};

// By linear interpolation along each axis; what lies outside is 0.
double between(const Array& u, const std::array<double, 3>& place) {
  double sum = 0;
  each(u.extents, [&](int64_t x, int64_t y, int64_t z) {
    double share = 1;
    const std::array<int64_t, 3> cell = {x, y, z};
    for (int a = 0; a < (u.extents[2] == 1 ? 2 : 3); ++a)
      share *= std::max(0.0, 1 - std::abs(place[a] - static_cast<double>(cell[a])));
    sum += share * u(x, y, z);
  });
  return sum;
}

bool inside(const Array& u, const std::array<double, 3>& place) {
  return place[0] >= 0 && place[0] < static_cast<double>(u.extents[0]) && place[1] >= 0 &&
         place[1] < static_cast<double>(u.extents[1]);
}

// The second derivative of u with the weights for distances 0, 1, ... along each axis.
double second(const Array& u, const std::vector<double>& weights, int64_t x, int64_t y, int64_t z) {
  const auto at = [&](int64_t i, int64_t j, int64_t k) {
    const bool in =
        i >= 0 && i < u.extents[0] && j >= 0 && j < u.extents[1] && k >= 0 && k < u.extents[2];
    return in ? u(i, j, k) : 0;
  };
  const bool flat = u.extents[2] == 1;
  double sum = (flat ? 2 : 3) * weights[0] * u(x, y, z);
  for (int64_t r = 1; r < static_cast<int64_t>(weights.size()); ++r) {
    sum += weights[r] * (at(x - r, y, z) + at(x + r, y, z) + at(x, y - r, z) + at(x, y + r, z));
    if (!flat) sum += weights[r] * (at(x, y, z - r) + at(x, y, z + r));
  }
  return sum;
}

// Runs the program and the reference, which has the same sponge in `brake`.
std::string wave(Example& run, const Array& brake, const std::vector<double>& weights, double dt,
                 int steps) {
  Array older = random(brake.extents, 1, -1, 1), u = random(brake.extents, 2, -1, 1);
  const Array c = random(brake.extents, 3, 0.5, 1.5);
  const auto sources = static_cast<int64_t>(kSources.size());
  const Array pressure = random({sources, steps, 1}, 4, -1, 1);
  run.set("u", u);
  run.set("u", older, 1);
  run.set("c", c);
  run.param("dt", dt);
  run.points("sources", kSources);
  run.points("receivers", kReceivers);
  run.series("pressure", pressure.cells);
  run.series("trace", std::vector<double>(kReceivers.size() * static_cast<size_t>(steps)));
  run.run(steps);
  std::vector<double> trace;
  for (int t = 0; t < steps; ++t) {
    for (const auto& place : kReceivers) trace.push_back(between(u, place));
    Array next(u.extents);
    each(u.extents, [&](int64_t x, int64_t y, int64_t z) {
      const double s = brake(x, y, z), reach = dt * dt * c(x, y, z) * c(x, y, z);
      next(x, y, z) =
          (2 * u(x, y, z) - (1 - s) * older(x, y, z) + reach * second(u, weights, x, y, z)) /
          (1 + s);
    });
    for (int64_t s = 0; s < sources; ++s) {
      if (!inside(u, kSources[s])) continue;
      const auto x = static_cast<int64_t>(kSources[s][0]), y = static_cast<int64_t>(kSources[s][1]);
      const int64_t z = u.extents[2] == 1 ? 0 : static_cast<int64_t>(kSources[s][2]);
      next(x, y, z) += dt * dt * c(x, y, z) * c(x, y, z) * pressure(s, t);
    }
    older = u;
    u = next;
  }
  return difference("u", run.get("u"), u, 1e-5) +
         difference("u[t-1]", run.get("u", 1), older, 1e-5) +
         difference("trace", row(run.series("trace")), row(trace), 1e-5);
}

std::string in_the_plane(const std::string& text, const Extents& extents, int steps) {
  const double dt = 0.35, brake = 0.4, width = 3;
  Array sponge(extents);
  for (int64_t y = 0; y < extents[1]; ++y)
    for (int64_t x = 0; x < extents[0]; ++x) {
      const int64_t to_boundary = std::min({x, y, extents[0] - 1 - x, extents[1] - 1 - y});
      if (to_boundary < 3)
        sponge(x, y) = dt / 2 * brake * (width - static_cast<double>(to_boundary)) / width;
    }
  Example run(text, extents, "wave_sponge2d");
  run.param("brake", brake);
  run.param("width", width);
  return wave(run, sponge, {-2, 1}, dt, steps);
}

std::string in_space(const std::string& text, const Extents& extents, int steps) {
  const Array sponge = random(extents, 5, 0, 0.2);
  Example run(text, extents, "wave_sponge3d");
  run.set("sponge", sponge);
  return wave(run, sponge, {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560}, 0.25, steps);
}

TEST(WaveSponge, OfOrder2InThePlane) {
  const std::string text = example_text("wave_sponge");
  for (const Extents& extents : {Extents{5, 4, 1}, {13, 7, 1}, {23, 31, 1}})
    for (int steps : {1, 2, 9}) EXPECT_EQ(in_the_plane(text, extents, steps), "");
  EXPECT_NE(
      in_the_plane(edited(text, "brake * f32(max(width", "brake * f32(min(width"), {13, 7, 1}, 1),
      "");
}

TEST(WaveSponge, OfOrder8InSpace) {
  const std::string text = example_text("wave_sponge");
  for (const Extents& extents : {Extents{5, 4, 3}, {9, 7, 8}, {11, 10, 9}})
    for (int steps : {1, 2, 5}) EXPECT_EQ(in_space(text, extents, steps), "");
  EXPECT_NE(in_space(edited(text, "order = 8", "order = 6"), {9, 7, 8}, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
