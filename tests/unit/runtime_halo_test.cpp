// Grids with cells outside the grid that belong to their caller.
#include <gtest/gtest.h>
#include <stencil/cpu.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/expect.h"

namespace {

using stencil::Code;
using stencil::expect_failure;
using Cube = stencil::Grid<float, 3>;
using Line = stencil::Grid<float, 1>;

constexpr int64_t kCells[] = {5, 4, 3}, kHalo[] = {2, 1, 3};
constexpr int64_t kBox[] = {9, 6, 9};

// 0, 1, 2, ... for the cells and the halo of such a cube.
std::vector<float> numbers() {
  std::vector<float> all(kBox[0] * kBox[1] * kBox[2]);
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<float>(i);
  return all;
}
bool is_cell(int64_t i) {
  const int64_t at[] = {i % kBox[0] - kHalo[0], i / kBox[0] % kBox[1] - kHalo[1],
                        i / kBox[0] / kBox[1] - kHalo[2]};
  bool inside = true;
  for (int axis = 0; axis < 3; ++axis) inside &= at[axis] >= 0 && at[axis] < kCells[axis];
  return inside;
}
Cube cube() { return Cube({5, 4, 3}, {2, 1, 3}); }

TEST(RuntimeHalo, LiesAroundTheCells) {
  Cube u = cube();
  ASSERT_TRUE(u.status().ok()) << u.status().message();
  EXPECT_EQ(u.pitch(), 64);
  EXPECT_EQ(u.plane(), 64 * 6);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(u.data()) % 256, 0u);  // as without a halo
  const std::vector<float> all = numbers();
  ASSERT_TRUE(u.copy_from(all.data(), u.halo()).ok());
  std::vector<float> back(all.size(), -1);
  ASSERT_TRUE(u.copy_to(back.data(), u.halo()).ok());
  EXPECT_EQ(back, all);
  EXPECT_EQ(u.data()[-3 * u.plane() - u.pitch() - 2], 0);
  EXPECT_EQ(u.data()[5 * u.plane() + 4 * u.pitch() + 6], all.back());
}

TEST(RuntimeHalo, CopiesMayLeaveItOutOrTakeAPart) {
  Cube u = cube();
  const std::vector<float> all = numbers();
  ASSERT_TRUE(u.copy_from(all.data(), u.halo()).ok());
  const std::vector<float> cells(5 * 4 * 3, -7);
  ASSERT_TRUE(u.copy_from(cells.data()).ok());
  std::vector<float> back(all.size());
  ASSERT_TRUE(u.copy_to(back.data(), u.halo()).ok());
  for (size_t i = 0; i < back.size(); ++i)
    EXPECT_EQ(back[i], is_cell(static_cast<int64_t>(i)) ? -7 : all[i]) << i;
  std::vector<float> part(7 * 4 * 3);
  ASSERT_TRUE(u.copy_to(part.data(), {1, 0, 0}).ok());
  EXPECT_EQ(part[0], u.data()[-1]);
  EXPECT_EQ(part[6], u.data()[5]);
  expect_failure(
      u.copy_to(part.data(), {1, 2, 0}), Code::bad_extents,
      "a grid of 5 x 4 x 3 with a halo of 2 x 1 x 3 is copied as 5 x 4 x 3 with a halo of 1 x 2 x "
      "0; its halo is smaller");
}

TEST(RuntimeHalo, IsCopiedToAnotherBufferWithoutTheCells) {
  Cube u = cube(), v = cube();
  const std::vector<float> all = numbers(), other(all.size(), -1);
  ASSERT_TRUE(u.copy_from(all.data(), u.halo()).ok());
  ASSERT_TRUE(v.copy_from(other.data(), v.halo()).ok());
  stencil::copy_halo(v.data(), u.data(), u.shape(), {});
  std::vector<float> back(all.size());
  ASSERT_TRUE(v.copy_to(back.data(), v.halo()).ok());
  for (size_t i = 0; i < back.size(); ++i)
    EXPECT_EQ(back[i], is_cell(static_cast<int64_t>(i)) ? -1 : all[i]) << i;
}

TEST(RuntimeHalo, MemoryOfTheCallerHoldsIt) {
  std::vector<float> memory = {8, 9, 1, 2, 3, 4, 6, 7};
  auto u = Line::wrap(memory.data() + 2, {4}, 8, {2});
  ASSERT_TRUE(u.status().ok()) << u.status().message();
  std::vector<float> back(8);
  ASSERT_TRUE(u.copy_to(back.data(), u.halo()).ok());
  EXPECT_EQ(back, memory);
  expect_failure(Line::wrap(memory.data() + 2, {4}, 7, {2}).status(), Code::bad_pitch,
                 "a wrapped grid: the pitch is 7, less than a row of 8 elements with their halo; "
                 "count it in elements");
  expect_failure(Cube::wrap(memory.data(), {1, 2, 1}, 4, 15, {1, 1, 0}).status(), Code::bad_pitch,
                 "a wrapped grid: planes start every 15 elements, less than 4 rows of 4 with their "
                 "halo; count in elements");
  expect_failure(Line({4}, {-1}).status(), Code::bad_extents,
                 "a grid: the extents are 4 with a halo of -1; a halo is at least 0 and fits");
  expect_failure(Line({4}, {INT64_MAX / 2}).status(), Code::bad_extents,
                 "a grid: the extents are 4 with a halo of 4611686018427387903; a halo is at least "
                 "0 and fits");
}

// Levels and a spare change places, and every level finds home with its halo.
TEST(RuntimeHalo, TurnsWithItsLevel) {
  for (int turns = 0; turns <= 4; ++turns)
    for (const bool wrapped : {false, true}) {
      std::vector<float> a(9, 1), b(9, 2);
      Line u = wrapped ? Line::wrap(a.data() + 1, {7}, 9, {1}) : Line({7}, {1});
      Line u_prev = wrapped ? Line::wrap(b.data() + 1, {7}, 9, {1}) : Line({7}, {1});
      stencil::Call<1> call("three", {}, {1});
      auto levels = call.levels<3>("u", u, u_prev);
      ASSERT_TRUE(call.ok()) << call.status().message();
      for (int level = 0; level < 3; ++level)
        for (const int64_t at : {int64_t{-1}, int64_t{0}, int64_t{7}})
          levels.at[level][at] = static_cast<float>(10 * level + at);
      for (int t = 0; t < turns; ++t) stencil::rotate(levels.at);
      ASSERT_TRUE(call.finish(0, levels).ok());
      for (const int64_t at : {int64_t{-1}, int64_t{0}, int64_t{7}}) {
        EXPECT_EQ(u.data()[at], static_cast<float>(10 * ((3 - turns % 3) % 3) + at));
        EXPECT_EQ(u_prev.data()[at], static_cast<float>(10 * ((4 - turns % 3) % 3) + at));
      }
    }
}

TEST(RuntimeHalo, CallsAskForOneThatSuffices) {
  using Sheet = stencil::Grid<float, 2>;
  Sheet none({8, 6}), one({8, 6}, {1, 1}), wide({8, 6}, {2, 1});
  const auto joined = [](Sheet& u, Sheet& v) {
    stencil::Call<2> call("heat", {}, {1, 1});
    call.output("u", u);
    call.input("v", v);
    return call.status();
  };
  Sheet other({8, 6}, {1, 1});
  EXPECT_TRUE(joined(one, other).ok());
  Sheet wider({8, 6}, {2, 1});
  EXPECT_TRUE(joined(wide, wider).ok());
  expect_failure(joined(none, one), Code::bad_extents,
                 "`heat`: `u` is 8 x 6 and the stencil reads a halo of 1 x 1; construct the grids "
                 "of the call with one");
  expect_failure(joined(one, none), Code::bad_extents,
                 "`heat`: `u` is 8 x 6 with a halo of 1 x 1 and `v` is 8 x 6; the grids of one "
                 "call have the same halo");
  Line depth({6});
  stencil::Call<2> call("heat", {}, {1, 1});
  call.output("u", one);
  call.part("depth", depth, {1}, {2});
  expect_failure(call.status(), Code::bad_extents,
                 "`heat`: `depth` is 6 and the stencil reads a halo of 2; construct the grids of "
                 "the call with one");
}

TEST(RuntimeHalo, TakesPartInChecks) {
  std::vector<float> memory(200);
  const stencil::Shape shape = stencil::shape({6, 4}, 8, {1, 1});  // 8 x 6 elements
  const auto checked = [&](int64_t first, int64_t second) {
    return stencil::check("s", shape, {},
                          {stencil::written("u", memory.data() + 9 + first),
                           stencil::read("v", memory.data() + 9 + second)});
  };
  EXPECT_TRUE(checked(0, 48).ok());
  EXPECT_EQ(checked(0, 47).code(), Code::aliasing);
  EXPECT_EQ(checked(47, 0).code(), Code::aliasing);
  // An array without all axes: ten elements, three of them before cell 0.
  const auto beside = [&](int64_t first) {
    stencil::Buffers<2> buffers;
    buffers.written("u", memory.data() + 9);
    buffers.read("d", memory.data() + first, 10, 3);
    return stencil::check("s", shape, {}, buffers);
  };
  EXPECT_TRUE(beside(51).ok());
  EXPECT_EQ(beside(50).code(), Code::aliasing);
  EXPECT_EQ(stencil::check("s", stencil::shape({6, 4}, 7, {1, 1}), {}, {}).message(),
            std::string("`s`: the pitch is 7, less than a row of 8 elements with their halo; count "
                        "it in elements"));
}

}  // namespace
