// The cells of a plane near its ends.
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "stencil/device_edges.h"
#include "stencil/shape.h"

namespace {

// Each cell near the ends of x or y has one number, below those that `edge_rows` blocks hold, even
// where these are asked for up to `more` cells; no other cell has one.
void expect_each_once(int nx, int ny, int low_x, int high_x, int low_y, int high_y, int more) {
  constexpr int kBlockX = 4, kBlockY = 2;
  const int64_t rows = stencil::edge_rows(stencil::shape({nx, ny}, nx), low_x + high_x + more,
                                          low_y + high_y + more, kBlockX, kBlockY);
  const int64_t held = rows * kBlockY * stencil::blocks(nx, kBlockX) * kBlockX;
  std::map<std::pair<int, int>, int> found;
  for (int number = 0; number < held; ++number) {
    const int x = st::edge_x(number, nx, ny, low_x, high_x, low_y, high_y);
    const int y = st::edge_y(number, nx, ny, low_x, high_x, low_y, high_y);
    ASSERT_GE(x, 0);
    ASSERT_GE(y, 0);
    if (x < nx && y < ny) ++found[{x, y}];
  }
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      const bool near = x < low_x || x >= nx - high_x || y < low_y || y >= ny - high_y;
      EXPECT_EQ((found[{x, y}]), near ? 1 : 0) << x << ", " << y << " of " << nx << " x " << ny;
    }
}

TEST(RuntimeEdges, EachCellNearTheEndsHasOneNumber) {
  const int margins[][5] = {{1, 1, 1, 1, 0}, {2, 1, 0, 3, 0}, {0, 0, 2, 1, 0}, {1, 2, 0, 0, 0},
                            {0, 2, 1, 0, 0}, {4, 7, 2, 3, 0}, {4, 5, 1, 1, 2}};
  for (const auto& [low_x, high_x, low_y, high_y, more] : margins)
    for (int nx = 1; nx <= 13; ++nx)
      for (int ny = 1; ny <= 7; ++ny) expect_each_once(nx, ny, low_x, high_x, low_y, high_y, more);
}

}  // namespace
