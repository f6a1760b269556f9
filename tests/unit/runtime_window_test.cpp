// The parts of a window that launches compute, and what memory has to hold for it.
#include <gtest/gtest.h>
#include <stencil/cpu.h>
#include <stencil/window.h>

#include <string>

#include "runtime/expect.h"

namespace {

using stencil::Code;
using stencil::Window;
using stencil::WindowParts;

const stencil::Shape& window_grid() {
  static const stencil::Shape shape = stencil::shape({4, 20}, 4);
  return shape;
}

// "3..7@1 ": its rows, and where memory begins.
std::string parts_text(const WindowParts& parts) {
  std::string text;
  for (const stencil::WindowPart& part : parts) {
    EXPECT_EQ(part.first[0], 0);
    EXPECT_EQ(part.end[0], 4);
    text += std::to_string(part.first[1]) + ".." + std::to_string(part.end[1]) + "@" +
            std::to_string(part.origin) + " ";
  }
  return text;
}

TEST(RuntimeWindow, GrowsAsFarAsTheGrid) {
  const Window middle{5, 9, {2, 10}, 0, false};
  EXPECT_EQ(parts_text(middle.grown(window_grid(), 0, 0)), "5..9@2 ");
  EXPECT_EQ(parts_text(middle.grown(window_grid(), 3, 1)), "2..10@2 ");
  const Window all{0, 20, {0, 20}, 0, false};
  EXPECT_EQ(parts_text(all.grown(window_grid(), 3, 4)), "0..20@0 ");
}

// What lies before plane 0 are the last planes, in memory that begins a grid later.
TEST(RuntimeWindow, GoesOnAroundAPeriodicAxis) {
  const Window low{0, 6, {-3, 12}, 0, true};
  EXPECT_EQ(parts_text(low.grown(window_grid(), 2, 1)), "18..20@17 0..7@-3 ");
  const Window high{15, 20, {12, 11}, 0, true};
  EXPECT_EQ(parts_text(high.grown(window_grid(), 1, 3)), "14..20@12 0..3@-8 ");
  const Window all{0, 20, {-2, 24}, 0, true};
  EXPECT_EQ(parts_text(all.grown(window_grid(), 2, 1)), "18..20@18 0..20@-2 0..1@-22 ");
}

TEST(RuntimeWindow, HasOthersBeside) {
  const Window low{0, 6, {-3, 12}, 0, true};
  EXPECT_EQ(parts_text(low.beside(window_grid(), 2, 1)), "18..20@17 6..7@-3 ");
  const Window middle{5, 9, {2, 10}, 0, false};
  EXPECT_EQ(parts_text(middle.beside(window_grid(), 0, 0)), "");
}

TEST(RuntimeWindow, IsCheckedWithItsMemory) {
  const auto check = [](const Window& window, int64_t beside) {
    return stencil::check_window("s", window_grid(), window, beside);
  };
  EXPECT_TRUE(check({5, 9, {2, 10}, 0, false}, 3).ok());
  EXPECT_TRUE(check({0, 4, {0, 7}, 0, false}, 3).ok());
  EXPECT_TRUE(check({0, 20, {-4, 28}, 0, true}, 4).ok());
  stencil::expect_failure(check({5, 9, {2, 9}, 0, false}, 3), Code::bad_extents,
                          "`s`: memory holds planes 2 to 11, and the call needs 2 to 12");
  stencil::expect_failure(check({0, 4, {0, 7}, 0, true}, 3), Code::bad_extents,
                          "`s`: memory holds planes 0 to 7, and the call needs -3 to 7");
  stencil::expect_failure(check({9, 9, {2, 9}, 0, false}, 3), Code::bad_extents,
                          "`s`: the window is planes 9 to 9 of 20");
  stencil::expect_failure(
      check({0, 20, {-11, 42}, 0, true}, 11), Code::bad_extents,
      "`s`: the steps reach 11 planes in either direction, and the periodic axis has 20; take "
      "fewer steps a leg");
  stencil::expect_failure(
      check({0, 12, {-5, 22}, 0, true}, 5), Code::bad_extents,
      "`s`: memory holds 22 planes of 20, so some twice, and it would not be clear which is "
      "meant; take fewer steps a leg, or pieces of other sizes");
}

// Of a piece at the low end: whole rows beyond the end, and the ends of rows.
TEST(RuntimeWindow, CopiesTheGhostCellsOfAPiece) {
  const stencil::Shape shape = stencil::shape({2, 6}, 8, stencil::Halo<2>{{1, 2}});
  const Window window{0, 3, {-2, 7}, 0, false};
  float from[64], to[64] = {};
  for (int i = 0; i < 64; ++i) from[i] = static_cast<float>(i + 1);
  stencil::copy_ghosts<stencil::HostMemory>(to + 1, from + 1, shape, window, {});
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) {
      const bool row = y < 7 && x < 4, ghost = row && (y < 2 || x == 0 || x == 3);
      EXPECT_EQ(to[y * 8 + x], ghost ? from[y * 8 + x] : 0.0f) << x << ", " << y;
    }
}

TEST(RuntimeWindow, AddsToAReductionFromItsFirstPlaneOn) {
  float values[12];
  const Window window{5, 8, {4, 5}, 0, false};
  const stencil::WindowReduction<float, 1> one(values, nullptr, window_grid(), window);
  EXPECT_EQ(one.partials() + 5 * 4, values);
  using Groups = stencil::WindowReduction<float, 32>;
  EXPECT_EQ(Groups::plane(window_grid()), 1);
  EXPECT_EQ(Groups::all(stencil::shape({33, 5, 7}, 33)), 2 * 5 * 7);
}

}  // namespace
