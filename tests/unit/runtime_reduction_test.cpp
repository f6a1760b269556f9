// Reductions against the tree as docs/language.md has it, and what a call with reductions, weights
// and grids on some of the axes is refused for.
#include <gtest/gtest.h>
#include <stencil/cpu.h>
#include <stencil/weights.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "runtime/expect.h"

namespace {

using stencil::Code;
using stencil::expect_failure;

template <typename T>
T joined(st::Sum, T a, T b) {
  return a + b;
}
template <typename T>
T joined(st::Greatest, T a, T b) {
  if (a != a) return a;
  if (b != b) return b;
  return a < b ? b : a;
}

// 32 values: the upper half onto the lower, until one is left.
template <typename Fold, typename T>
T pairwise(std::vector<T> values) {
  if (values.size() == 1) return values[0];
  const size_t half = values.size() / 2;
  for (size_t i = 0; i < half; ++i) values[i] = joined(Fold(), values[i], values[i + half]);
  values.resize(half);
  return pairwise<Fold>(values);
}

// One value for each 32, the last ones filled up with what changes nothing.
template <typename Fold, typename T>
std::vector<T> level(const std::vector<T>& values, T none) {
  std::vector<T> result;
  for (size_t begin = 0; begin < values.size(); begin += 32) {
    std::vector<T> group(32, none);
    for (size_t i = begin; i < values.size() && i < begin + 32; ++i) group[i - begin] = values[i];
    result.push_back(pairwise<Fold>(group));
  }
  return result;
}

template <typename Fold, typename T>
T tree(const std::vector<T>& cells, size_t row, T none) {
  std::vector<T> values;
  for (size_t begin = 0; begin < cells.size(); begin += row)
    for (const T& value : level<Fold>({cells.begin() + static_cast<std::ptrdiff_t>(begin),
                                       cells.begin() + static_cast<std::ptrdiff_t>(begin + row)},
                                      none))
      values.push_back(value);
  while (values.size() > 1) values = level<Fold>(values, none);
  return values[0];
}

// Of magnitudes so different that another order of the sum gives other bits.
std::vector<float> uneven(size_t count) {
  std::vector<float> values(count);
  unsigned seed = static_cast<unsigned>(count);
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = std::ldexp(static_cast<float>(seed >> 8), -static_cast<int>(seed % 40));
    if (seed & 64) value = -value;
  }
  return values;
}

stencil::Shape line(int64_t cells) { return stencil::shape({cells}, cells); }

template <typename Fold>
float reduced(const std::vector<float>& cells, const stencil::Shape& shape) {
  stencil::Reduction<float> reduction;
  EXPECT_TRUE(reduction.make("`heat`", shape).ok());
  std::memcpy(reduction.partials(), cells.data(), cells.size() * sizeof(float));
  reduction.template fold<Fold>({});
  float result = -1;
  EXPECT_TRUE(reduction.read(&result, {}).ok());
  return result;
}

TEST(RuntimeReduction, SumsOfALineFollowTheTree) {
  int differs = 0;
  for (int64_t nx = 1; nx <= 2100; ++nx) {
    const std::vector<float> cells = uneven(static_cast<size_t>(nx));
    const float sum = reduced<st::Sum>(cells, line(nx));
    ASSERT_EQ(sum, (tree<st::Sum>(cells, cells.size(), 0.0f))) << nx;
    float from_left = 0;
    for (const float value : cells) from_left += value;
    differs += from_left != sum;
  }
  EXPECT_GT(differs, 1000);  // the values tell one order from another
}

TEST(RuntimeReduction, RowsAreFoldedBeforeTheirResults) {
  for (const int64_t nx : {1, 31, 32, 33, 100})
    for (const int64_t ny : {1, 2, 32, 33})
      for (const int64_t nz : {1, 3, 35}) {
        const std::vector<float> cells = uneven(static_cast<size_t>(nx * ny * nz));
        const stencil::Shape shape = stencil::shape({nx, ny, nz}, nx, nx * ny);
        ASSERT_EQ(reduced<st::Sum>(cells, shape),
                  (tree<st::Sum>(cells, static_cast<size_t>(nx), 0.0f)))
            << nx << ' ' << ny << ' ' << nz;
      }
}

TEST(RuntimeReduction, TheGreatestIsFoundWhereverItStands) {
  for (size_t at = 0; at < 1100; at += 11) {
    std::vector<float> cells(1100, -2.0f);
    cells[at] = -1.0f;
    EXPECT_EQ(reduced<st::Greatest>(cells, line(1100)), -1.0f) << at;
    EXPECT_EQ((tree<st::Greatest>(cells, cells.size(), -INFINITY)), -1.0f);
  }
}

TEST(RuntimeReduction, ANanIsTheResultOfMinAndMax) {
  for (size_t at = 0; at < 70; ++at) {
    std::vector<float> cells(70, 1.0f);
    cells[at] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(std::isnan(reduced<st::Greatest>(cells, line(70)))) << at;
    EXPECT_TRUE(std::isnan(reduced<st::Least>(cells, line(70)))) << at;
  }
}

TEST(RuntimeReduction, WhatChangesNothing) {
  EXPECT_EQ(st::Sum::identity<int>(), 0);
  EXPECT_EQ(st::Product::identity<double>(), 1.0);
  EXPECT_EQ(st::Least::identity<float>(), INFINITY);
  EXPECT_EQ(st::Greatest::identity<double>(), -INFINITY);
  EXPECT_EQ(st::Least::identity<int32_t>(), INT32_MAX);
  EXPECT_EQ(st::Greatest::identity<int64_t>(), INT64_MIN);
}

TEST(RuntimeReduction, IntegersWrap) {
  EXPECT_EQ(st::Sum::join<int32_t>(INT32_MAX, 1), INT32_MIN);
  EXPECT_EQ(st::Product::join<int64_t>(INT64_MAX, 2), -2);
}

TEST(RuntimeReduction, TheRootIsTakenInTheEnd) {
  stencil::Reduction<double> reduction;
  ASSERT_TRUE(reduction.make("`heat`", line(2)).ok());
  reduction.partials()[0] = 9;
  reduction.partials()[1] = 16;
  reduction.fold<st::Sum, true>({});
  EXPECT_EQ(*reduction.result(), 5.0);
}

TEST(RuntimeReduction, TooMuchMemoryIsAStatus) {
  stencil::Reduction<double> reduction;
  expect_failure(reduction.make("`heat`", line(int64_t{1} << 58)), Code::out_of_memory,
                 "`heat`: a reduction needs 2305843009213693960 bytes of memory");
}

TEST(RuntimeTemporary, TooMuchMemoryIsAStatus) {
  stencil::Temporary<double> value({});
  stencil::Workspace none;
  expect_failure(value.make("`heat`", "flux", line(int64_t{1} << 58), none, {1}),
                 Code::out_of_memory,
                 "`heat`: the value `flux` needs 2305843009213694208 bytes of memory");
}

// Each ghost cell has a place of its own, and the coordinates of a place lead back to it; any other
// cell has some place.
TEST(RuntimeTemporary, GhostCellsHavePlacesOfTheirOwn) {
  const int nx = 3, ny = 4, nz = 2;
  for (const auto& w : {std::vector<int>{2, 1, 3}, {0, 2, 1}, {1, 0, 2}, {2, 2, 0}, {0, 0, 1}}) {
    const int count = st::ghost_cells(nx, ny, nz, w[0], w[1], w[2]);
    std::vector<int> taken(count);
    for (int z = -w[2]; z < nz + w[2]; ++z)
      for (int y = -w[1]; y < ny + w[1]; ++y)
        for (int x = -w[0]; x < nx + w[0]; ++x) {
          const int place = st::ghost_place(x, y, z, nx, ny, nz, w[0], w[1], w[2]);
          ASSERT_TRUE(place >= 0 && place < count);
          if (st::inside(x, nx) && st::inside(y, ny) && st::inside(z, nz)) continue;
          ++taken[place];
          EXPECT_EQ(st::ghost_x(place, nx, ny, nz, w[0], w[1], w[2]), x);
          EXPECT_EQ(st::ghost_y(place, nx, ny, nz, w[0], w[1], w[2]), y);
          EXPECT_EQ(st::ghost_z(place, nx, ny, nz, w[0], w[1], w[2]), z);
        }
    EXPECT_EQ(taken, std::vector<int>(count, 1));
  }
}

TEST(RuntimeWeights, AreTakenFromTheCaller) {
  const float values[] = {0.25f, 0.5f, 0.125f};
  stencil::Weights<float, 3> weights;
  ASSERT_TRUE(stencil::take("blur", "w", values, weights).ok());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(weights[i], values[i]);
  expect_failure(stencil::take("blur", "w", static_cast<const float*>(nullptr), weights),
                 Code::null_pointer, "`blur`: the weights `w` are a null pointer; pass 3 values");
}

TEST(RuntimeColors, AnExtentAroundAPeriodicAxisIsAMultiple) {
  EXPECT_TRUE(stencil::check_multiple("gsrb", "nx", 12, 3).ok());
  expect_failure(stencil::check_multiple("gsrb", "ny", 7, 2), Code::bad_extents,
                 "`gsrb`: `ny` is 7; with colours and a periodic boundary it must be a multiple of "
                 "2");
}

TEST(RuntimeParts, AGridOnSomeAxesHasTheirExtents) {
  stencil::Grid<float, 3> u({5, 4, 3});
  const stencil::Grid<float, 1> along_y({4}), wrong({5});
  const stencil::Grid<float, 2> plane({5, 3}), turned({3, 5});
  {
    stencil::Call<3> call("wave", {});
    call.output("u", u);
    EXPECT_EQ(call.part("sy", along_y, {1}), along_y.data());
    EXPECT_EQ(call.part("p", plane, {0, 2}), plane.data());
    EXPECT_TRUE(call.ok()) << call.status().message();
  }
  {
    stencil::Call<3> call("wave", {});
    call.output("u", u);
    call.part("sy", wrong, {1});
    expect_failure(call.status(), Code::bad_extents,
                   "`wave`: `sy` has 5 cells where `u` has 4; a grid on some of the axes has the "
                   "extents of those");
    EXPECT_EQ(call.part("p", plane, {0, 2}), nullptr);  // the first failure stays
    EXPECT_EQ(std::string(call.status().message()).find("`p`"), std::string::npos);
  }
  stencil::Call<3> call("wave", {});
  call.output("u", u);
  call.part("p", turned, {0, 2});
  expect_failure(call.status(), Code::bad_extents,
                 "`wave`: `p` has 3 cells where `u` has 5; a grid on some of the axes has the "
                 "extents of those");
}

TEST(RuntimeParts, AnArrayOnSomeAxesEndsWhereItEnds) {
  std::vector<float> memory(64 * 4 + 8);
  const stencil::Shape shape = stencil::shape({60, 4}, 64);
  const auto check = [&](const float* part, int64_t cells) {
    stencil::Buffers<2> buffers;
    buffers.read("sx", part, cells);
    buffers.written("u", memory.data() + 8);
    return stencil::check("wave", shape, stencil::Steps{1}, buffers);
  };
  EXPECT_TRUE(check(memory.data(), 8).ok());
  expect_failure(check(memory.data(), 9), Code::aliasing,
                 "`wave`: `sx` and `u` share memory and `u` is written; give each its own");
  // Between the rows of the other, too: what lies there is not looked at.
  EXPECT_EQ(check(memory.data() + 8 + 61, 2).code(), Code::aliasing);
  expect_failure(check(nullptr, 8), Code::null_pointer,
                 "`wave`: `sx` is a null pointer; pass an array of 60 x 4 elements");
}

}  // namespace
