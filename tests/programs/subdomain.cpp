// A grid in pieces whose halos are exchanged, against the whole.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

Array torus(Array u, int steps, double a) {
  const auto [nx, ny, nz] = u.extents;
  for (int n = 0; n < steps; ++n) {
    const Array old = u;
    const auto was = [&, nx = nx, ny = ny](int64_t x, int64_t y) {
      return old(wrapped(x, nx), wrapped(y, ny));
    };
    each(u.extents, [&](int64_t x, int64_t y, int64_t) {
      const double near = was(x - 1, y) + was(x + 1, y) + was(x, y - 1) + was(x, y + 1),
                   far = was(x - 2, y) + was(x + 2, y) + was(x, y - 2) + was(x, y + 2);
      u(x, y) = was(x, y) + a * (16 * near - far - 60 * was(x, y)) / 12;
    });
  }
  return u;
}

// The torus in pieces of these widths along x, each with the two cells of its neighbours at either
// end.
std::string pieces(const std::string& text, const std::vector<int64_t>& widths, int64_t ny,
                   int steps) {
  std::vector<int64_t> begins;
  int64_t nx = 0;
  for (const int64_t width : widths) {
    begins.push_back(nx);
    nx += width;
  }
  const Array start = random({nx, ny, 1}, 3, -1, 1);
  Array whole = start;
  for (int n = 0; n < steps; ++n) {
    Array next = whole;
    for (size_t piece = 0; piece < widths.size(); ++piece) {
      Array u({widths[piece] + 4, ny, 1});
      each(u.extents, [&](int64_t x, int64_t y, int64_t) {
        u(x, y) = whole(wrapped(begins[piece] + x - 2, nx), y);
      });
      Example run(text, {widths[piece], ny, 1});
      run.set("u", u);
      run.run(1);
      const Array made = run.get("u");
      if (made.extents != u.extents) return "the halo is lost";
      each({2, 0, 0}, {widths[piece] + 2, ny, 1},
           [&](int64_t x, int64_t y, int64_t) { next(begins[piece] + x - 2, y) = made(x, y); });
    }
    whole = next;
  }
  return difference("u", whole, torus(start, steps, 0.15f), 1e-5);
}

TEST(Subdomain, PiecesMakeAWhole) {
  const std::string text = example_text("subdomain");
  for (const std::vector<int64_t>& widths :
       {std::vector<int64_t>{1, 1, 3}, {9}, {6, 5}, {2, 13, 1, 4}})
    for (const int64_t ny : {1, 2, 7})
      for (const int steps : {1, 2, 5}) EXPECT_EQ(pieces(text, widths, ny, steps), "");
  EXPECT_NE(pieces(edited(text, "u + a*", "u - a*"), {6, 5}, 7, 1), "");
}

// Without an exchange the halo stays what it was: a step later its values are old.
TEST(Subdomain, TheHaloStaysAsItWas) {
  Example run(example_text("subdomain"), {6, 4, 1});
  const Array start = random({10, 4, 1}, 5);
  run.set("u", start);
  run.run(3);
  const Array end = run.get("u");
  each(start.extents, [&](int64_t x, int64_t y, int64_t) {
    if (x < 2 || x >= 8) {
      EXPECT_EQ(end(x, y), start(x, y)) << x << ", " << y;
    }
  });
  EXPECT_NE(difference("u", end, start, 1e-3), "");
}

}  // namespace
}  // namespace stencilc::programs
