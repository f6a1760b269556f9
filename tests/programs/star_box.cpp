// Stars and boxes of radius 1 to 4, a weight for each point, walls that stay.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

constexpr double kMiddle[] = {0, 0, 0.21, 0.03};  // by the number of axes
// [axis][0 before, 1 behind][distance - 1]
constexpr double kSides[3][2][4] = {
    {{0.11, 0.045, 0.021, 0.009}, {0.12, 0.041, 0.019, 0.008}},
    {{0.13, 0.037, 0.017, 0.007}, {0.10, 0.033, 0.015, 0.006}},
    {{0.09, 0.029, 0.013, 0.005}, {0.14, 0.025, 0.011, 0.004}},
};
constexpr double kPrimes[3][9] = {{2, 3, 5, 7, 11, 13, 17, 19, 23},
                                  {29, 31, 37, 41, 43, 47, 53, 59, 61},
                                  {67, 71, 73, 79, 83, 89, 97, 101, 103}};

double star(const Array& u, int rank, int radius, int64_t x, int64_t y, int64_t z) {
  double sum = kMiddle[rank] * u(x, y, z);
  for (int r = 1; r <= radius; ++r) {
    sum += kSides[0][0][r - 1] * u(x - r, y, z) + kSides[0][1][r - 1] * u(x + r, y, z) +
           kSides[1][0][r - 1] * u(x, y - r, z) + kSides[1][1][r - 1] * u(x, y + r, z);
    if (rank == 3)
      sum += kSides[2][0][r - 1] * u(x, y, z - r) + kSides[2][1][r - 1] * u(x, y, z + r);
  }
  return sum;
}

double box(const Array& u, int rank, int radius, int64_t x, int64_t y, int64_t z) {
  const int deep = rank == 3 ? radius : 0;
  double sum = 0;
  for (int k = -deep; k <= deep; ++k)
    for (int j = -radius; j <= radius; ++j)
      for (int i = -radius; i <= radius; ++i) {
        const double in_plane = kPrimes[0][i + 4] / 100 * kPrimes[1][j + 4] / 401;
        const double weight = rank == 3 ? in_plane * kPrimes[2][k + 4] / 763 : in_plane;
        sum += weight * u(x + i, y + j, z + k);
      }
  return sum;
}

using Point = double (*)(const Array&, int, int, int64_t, int64_t, int64_t);

std::string swept(Point point, const std::string& text, const std::string& stencil, int rank,
                  int radius, const Extents& extents, int steps) {
  Array u = random(extents, 1, -1, 1);
  Example run(text, extents, stencil);
  run.set("u", u);
  run.run(steps);
  const int64_t deep = rank == 3 ? radius : 0;
  for (int t = 0; t < steps; ++t) {
    const Array old = u;
    each({radius, radius, deep}, {extents[0] - radius, extents[1] - radius, extents[2] - deep},
         [&](int64_t x, int64_t y, int64_t z) { u(x, y, z) = point(old, rank, radius, x, y, z); });
  }
  return difference(stencil, run.get("u"), u, 1e-5);
}

void every_radius(Point point, const std::string& family, int rank) {
  const std::string text = example_text(family);
  for (int radius = 1; radius <= 4; ++radius) {
    const std::string stencil = family + std::to_string(radius);
    const int64_t r = radius, deep = rank == 3 ? 2 * r + 3 : 1;
    const Extents smallest = {2 * r + 1, 2 * r + 1, rank == 3 ? 2 * r + 1 : 1};
    for (const Extents& extents : {Extents{1, 1, 1}, {2 * r, 5, 1}, smallest, {13, 11, deep}})
      for (int steps : {1, 2})
        EXPECT_EQ(swept(point, text, stencil, rank, radius, extents, steps), "");
  }
}

TEST(Star, InThePlane) {
  every_radius(star, "star2d", 2);
  const std::string text = edited(example_text("star2d"), "0.021", "0.022");
  EXPECT_EQ(swept(star, text, "star2d2", 2, 2, {13, 11, 1}, 1), "");
  EXPECT_NE(swept(star, text, "star2d3", 2, 3, {13, 11, 1}, 1), "");
}

TEST(Star, InSpace) {
  every_radius(star, "star3d", 3);
  const std::string text = edited(example_text("star3d"), "0.005", "0.006");
  EXPECT_EQ(swept(star, text, "star3d3", 3, 3, {13, 11, 9}, 1), "");
  EXPECT_NE(swept(star, text, "star3d4", 3, 4, {13, 11, 9}, 1), "");
}

TEST(Box, InThePlane) {
  every_radius(box, "box2d", 2);
  const std::string text = edited(example_text("box2d"), "61", "67");
  EXPECT_EQ(swept(box, text, "box2d3", 2, 3, {13, 11, 1}, 1), "");
  EXPECT_NE(swept(box, text, "box2d4", 2, 4, {13, 11, 1}, 1), "");
}

TEST(Box, InSpace) {
  every_radius(box, "box3d", 3);
  const std::string text = edited(example_text("box3d"), "101", "102");
  EXPECT_EQ(swept(box, text, "box3d2", 3, 2, {13, 11, 9}, 1), "");
  EXPECT_NE(swept(box, text, "box3d3", 3, 3, {13, 11, 9}, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
