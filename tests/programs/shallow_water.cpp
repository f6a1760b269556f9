// The shallow water equations, loop by loop as in SPEC's swim: arrays with a row and a column more,
// filled from the other side.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

constexpr double kTwoSteps = 0.06, kHx = 1.25, kHy = 0.75, kAlpha = 0.01;

// Cells 1 .. m+1, 1 .. n+1 as in Fortran.
struct Grid {
  int64_t m, n;
  std::vector<double> cells;

  Grid(int64_t columns, int64_t rows)
      : m(columns), n(rows), cells(static_cast<size_t>((m + 1) * (n + 1))) {}
  double& operator()(int64_t i, int64_t j) {
    return cells.at(static_cast<size_t>((j - 1) * (m + 1) + i - 1));
  }
};

// Values that stand for the whole torus, from those at 1 .. m, 1 .. n.
Grid continued(const Array& array) {
  const auto [m, n, one] = array.extents;
  Grid grid(m, n);
  for (int64_t j = 1; j <= n + 1; ++j)
    for (int64_t i = 1; i <= m + 1; ++i)
      grid(i, j) = array(i == m + 1 ? 0 : i - 1, j == n + 1 ? 0 : j - 1);
  return grid;
}
Array inner(Grid& grid) {
  Array array({grid.m, grid.n, 1});
  for (int64_t j = 1; j <= grid.n; ++j)
    for (int64_t i = 1; i <= grid.m; ++i) array(i - 1, j - 1) = grid(i, j);
  return array;
}

struct State {
  Array u, v, p;
};

// From `old` and `now` what comes next.
State stepped(const State& old, const State& now) {
  Grid u = continued(now.u), v = continued(now.v), p = continued(now.p);
  const int64_t m = u.m, n = u.n;
  Grid cu(m, n), cv(m, n), z(m, n), h(m, n);
  for (int64_t j = 1; j <= n; ++j)
    for (int64_t i = 1; i <= m; ++i) {
      cu(i + 1, j) = 0.5 * (p(i + 1, j) + p(i, j)) * u(i + 1, j);
      cv(i, j + 1) = 0.5 * (p(i, j + 1) + p(i, j)) * v(i, j + 1);
      z(i + 1, j + 1) =
          (4 / kHx * (v(i + 1, j + 1) - v(i, j + 1)) - 4 / kHy * (u(i + 1, j + 1) - u(i + 1, j))) /
          (p(i, j) + p(i + 1, j) + p(i + 1, j + 1) + p(i, j + 1));
      h(i, j) = p(i, j) + 0.25 * (u(i + 1, j) * u(i + 1, j) + u(i, j) * u(i, j) +
                                  v(i, j + 1) * v(i, j + 1) + v(i, j) * v(i, j));
    }
  for (int64_t j = 1; j <= n; ++j) {
    cu(1, j) = cu(m + 1, j);
    cv(m + 1, j + 1) = cv(1, j + 1);
    z(1, j + 1) = z(m + 1, j + 1);
    h(m + 1, j) = h(1, j);
  }
  for (int64_t i = 1; i <= m; ++i) {
    cu(i + 1, n + 1) = cu(i + 1, 1);
    cv(i, 1) = cv(i, n + 1);
    z(i + 1, 1) = z(i + 1, n + 1);
    h(i, n + 1) = h(i, 1);
  }
  cu(1, n + 1) = cu(m + 1, 1);
  cv(m + 1, 1) = cv(1, n + 1);
  z(1, 1) = z(m + 1, n + 1);
  h(m + 1, n + 1) = h(1, 1);

  Grid u_new = continued(old.u), v_new = continued(old.v), p_new = continued(old.p);
  for (int64_t j = 1; j <= n; ++j)
    for (int64_t i = 1; i <= m; ++i) {
      u_new(i + 1, j) += kTwoSteps / 8 * (z(i + 1, j + 1) + z(i + 1, j)) *
                             (cv(i + 1, j + 1) + cv(i, j + 1) + cv(i, j) + cv(i + 1, j)) -
                         kTwoSteps / kHx * (h(i + 1, j) - h(i, j));
      v_new(i, j + 1) -= kTwoSteps / 8 * (z(i + 1, j + 1) + z(i, j + 1)) *
                             (cu(i + 1, j + 1) + cu(i, j + 1) + cu(i, j) + cu(i + 1, j)) +
                         kTwoSteps / kHy * (h(i, j + 1) - h(i, j));
      p_new(i, j) -=
          kTwoSteps / kHx * (cu(i + 1, j) - cu(i, j)) + kTwoSteps / kHy * (cv(i, j + 1) - cv(i, j));
    }
  for (int64_t j = 1; j <= n; ++j) u_new(1, j) = u_new(m + 1, j);
  for (int64_t i = 1; i <= m; ++i) v_new(i, 1) = v_new(i, n + 1);
  return {inner(u_new), inner(v_new), inner(p_new)};
}

Array filtered(const Array& later, const Array& now, const Array& earlier) {
  Array result(now.extents);
  for (size_t i = 0; i < result.cells.size(); ++i)
    result.cells[i] =
        now.cells[i] + kAlpha * (later.cells[i] - 2 * now.cells[i] + earlier.cells[i]);
  return result;
}

std::string shallow_water(const std::string& text, const Extents& extents, int steps) {
  State now = {random(extents, 1, -1, 1), random(extents, 2, -1, 1), random(extents, 3, 4, 5)};
  State old = {random(extents, 4, -1, 1), random(extents, 5, -1, 1), random(extents, 6, 4, 5)};
  Example run(text, extents);
  run.set("u", now.u);
  run.set("v", now.v);
  run.set("p", now.p);
  run.set("u_old", old.u);
  run.set("v_old", old.v);
  run.set("p_old", old.p);
  run.param("dt2", kTwoSteps);
  run.param("hx", kHx);
  run.param("hy", kHy);
  run.param("alpha", kAlpha);
  run.run(steps);
  for (int t = 0; t < steps; ++t) {
    const State next = stepped(old, now);
    old = {filtered(next.u, now.u, old.u), filtered(next.v, now.v, old.v),
           filtered(next.p, now.p, old.p)};
    now = next;
  }
  return difference("u", run.get("u"), now.u, 1e-11) + difference("v", run.get("v"), now.v, 1e-11) +
         difference("p", run.get("p"), now.p, 1e-11) +
         difference("u_old", run.get("u_old"), old.u, 1e-11) +
         difference("v_old", run.get("v_old"), old.v, 1e-11) +
         difference("p_old", run.get("p_old"), old.p, 1e-11);
}

TEST(ShallowWater, StaggeredOnATorus) {
  const std::string text = example_text("shallow_water");
  for (const Extents& extents : {Extents{1, 1, 1}, {1, 4, 1}, {2, 3, 1}, {13, 7, 1}, {17, 19, 1}})
    for (int steps : {0, 1, 2, 7}) EXPECT_EQ(shallow_water(text, extents, steps), "");
  EXPECT_NE(shallow_water(edited(text, "cv[x-1, y+1]", "cv[x+1, y+1]"), {13, 7, 1}, 1), "");
  EXPECT_NE(shallow_water(edited(text, "later - 2*now", "later - now"), {13, 7, 1}, 1), "");
}

}  // namespace
}  // namespace stencilc::programs
