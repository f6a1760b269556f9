// Finite differences from the source text to the numbers the interpreter computes: their order of
// accuracy is measured.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "interp/interpreter.h"
#include "support/analysed.h"

namespace stencilc {
namespace {

using Function = std::function<double(double x, double y)>;  // of the coordinates of a cell
using Cells = std::vector<double>;                           // x fastest

Cells sampled(const interp::Extents& extents, const Function& function) {
  Cells cells;
  for (int64_t y = 0; y < extents[1]; ++y)
    for (int64_t x = 0; x < extents[0]; ++x)
      cells.push_back(function(static_cast<double>(x), static_cast<double>(y)));
  return cells;
}

// `value`, an expression of the f64 fields u and v, in each cell of a grid.
Cells computed(const std::string& value, const std::string& axes, const std::string& boundary,
               const interp::Extents& extents, const Cells& u, const Cells& v) {
  const ir::Stencil stencil =
      testing::canonical("stencil s { axes " + axes + "; field f64 u, v in boundary " + boundary +
                         "; field f64 d out; d = " + value + "; }");
  interp::State state = interp::make_state(stencil, extents);
  for (size_t i = 0; i < u.size(); ++i) state.fields[0][0][i] = ir::make_real(ir::Type::f64, u[i]);
  for (size_t i = 0; i < v.size(); ++i) state.fields[1][0][i] = ir::make_real(ir::Type::f64, v[i]);
  interp::run(stencil, state, 1);
  Cells result;
  for (const ir::Scalar& cell : state.fields[2][0]) result.push_back(cell.real);
  return result;
}

std::string call(const std::string& name, const std::string& arguments, int order) {
  return name + "(u, order = " + std::to_string(order) + arguments + ")";
}

// Periodic functions of angles: what u holds, the derivative an operator is to give and what v
// holds. The places of the last two are in cells; `degree` powers of the spacing divide what is
// computed on a grid of unit spacing.
struct Problem {
  Function solution, derivative;
  int degree = 1;
  double place = 0;
  Function velocity = [](double, double) { return 0.0; };
  double velocity_place = 0;
};

// The root mean square of the error on n cells along each axis.
double error_on(int n, const std::string& value, const std::string& axes, const Problem& problem) {
  const double h = 2 * std::numbers::pi / n;
  const interp::Extents extents = {n, axes.find(',') == std::string::npos ? 1 : n, 1};
  const auto at_angles = [&](const Function& function, double place) {
    return sampled(extents,
                   [&, place](double x, double y) { return function((x + place) * h, y * h); });
  };
  const Cells result = computed(value, axes, "periodic", extents, at_angles(problem.solution, 0),
                                at_angles(problem.velocity, problem.velocity_place));
  const Cells expected = at_angles(problem.derivative, problem.place);
  double sum = 0;
  for (size_t i = 0; i < result.size(); ++i)
    sum += std::pow(result[i] / std::pow(h, problem.degree) - expected[i], 2);
  return std::sqrt(sum / static_cast<double>(result.size()));
}

void expect_order(int order, const std::vector<int>& grids, const std::string& value,
                  const std::string& axes, const Problem& problem) {
  double coarse = error_on(grids[0], value, axes, problem);
  for (size_t i = 1; i < grids.size(); ++i) {
    const double fine = error_on(grids[i], value, axes, problem);
    EXPECT_NEAR(std::log(coarse / fine) / std::log(static_cast<double>(grids[i]) / grids[i - 1]),
                order, 0.1)
        << value << " on " << grids[i - 1] << " and " << grids[i] << " cells";
    coarse = fine;
  }
}

// exp(sin(x)/2) has all harmonics; on the grids of kWide the leading error exceeds both the terms
// behind it and, up to order 8, the rounding. From there on a sine and coarser grids do, to 12.
const std::vector<int> kWide = {64, 96, 128};
const std::vector<int> kNarrow = {20, 22, 24};

double wave(double x, double) { return std::exp(std::sin(x) / 2); }
double wave_x(double x, double) { return std::cos(x) / 2 * wave(x, 0); }
double wave_xx(double x, double) {
  return (std::cos(x) * std::cos(x) / 4 - std::sin(x) / 2) * wave(x, 0);
}
double sine(double x, double) { return std::sin(x); }
double sine_x(double x, double) { return std::cos(x); }
double sine_xx(double x, double) { return -std::sin(x); }

// The orders `first`, `first + step`, ... `last` of a difference.
struct Family {
  const char *name, *arguments, *axes;
  int first, last, step;
  const std::vector<int>& grids;
  Problem problem;
};

TEST(Convergence, OrdersAreWhatTheySay) {
  const auto plane = [](double x, double y) { return std::sin(x + 0.3) * std::cos(y + 0.2); };
  const auto plane_x = [](double x, double y) { return std::cos(x + 0.3) * std::cos(y + 0.2); };
  const auto plane_yy = [=](double x, double y) { return -plane(x, y); };
  const auto plane_xy = [](double x, double y) { return -std::cos(x + 0.3) * std::sin(y + 0.2); };
  const auto plane_lap = [=](double x, double y) { return -2 * plane(x, y); };
  const Problem flow{sine, sine_x, 1, 0, [](double x, double) { return std::cos(2 * x + 0.1); }};
  const Family families[] = {
      {"dx", "", "x", 2, 8, 2, kWide, {wave, wave_x, 1}},
      {"dxx", "", "x", 2, 8, 2, kWide, {wave, wave_xx, 2}},
      {"dx", "", "x", 2, 12, 2, kNarrow, {sine, sine_x, 1}},
      {"dxx", "", "x", 2, 12, 2, kNarrow, {sine, sine_xx, 2}},
      {"dx", ", at = +1/2", "x", 2, 8, 2, kWide, {wave, wave_x, 1, 0.5}},
      {"dx", ", at = -1/2", "x", 2, 8, 2, kWide, {wave, wave_x, 1, -0.5}},
      {"dx", ", at = +1/2", "x", 2, 12, 2, kNarrow, {sine, sine_x, 1, 0.5}},
      {"dx", ", side = -1", "x", 1, 8, 1, kWide, {wave, wave_x, 1}},
      {"dx", ", side = +1", "x", 1, 8, 1, kWide, {wave, wave_x, 1}},
      {"dxx", ", side = -1", "x", 1, 8, 1, kWide, {wave, wave_xx, 2}},
      {"dxx", ", side = +1", "x", 1, 8, 1, kWide, {wave, wave_xx, 2}},
      {"dx", ", upwind = v", "x", 1, 8, 1, kWide, flow},
      {"dxy", "", "x, y", 2, 12, 2, kNarrow, {plane, plane_xy, 2}},
      {"dba", "", "a, b", 2, 12, 2, kNarrow, {plane, plane_xy, 2}},
      {"da", "", "a, b", 2, 12, 2, kNarrow, {plane, plane_x, 1}},
      {"dbb", "", "a, b", 2, 12, 2, kNarrow, {plane, plane_yy, 2}},
      {"laplacian", "", "x, y", 2, 12, 2, kNarrow, {plane, plane_lap, 2}},
  };
  for (const Family& one : families)
    for (int order = one.first; order <= one.last; order += one.step)
      expect_order(order, one.grids, call(one.name, one.arguments, order), one.axes, one.problem);
}

// (k u')' in flux form: what is between the cells is made of what is on them, and back.
TEST(Convergence, NestedDifferences) {
  const auto k = [](double x, double) { return 2 + std::sin(x); };
  const auto flux_x = [](double x, double) {
    return std::cos(x) * std::cos(x) - (2 + std::sin(x)) * std::sin(x);
  };
  for (int order = 2; order <= 8; order += 2) {
    const std::string n = ", order = " + std::to_string(order) + ")";
    expect_order(order, {36, 40, 48}, "dx(v * dx(u, at = +1/2" + n + ", at = -1/2" + n, "x",
                 {sine, flux_x, 2, 0, k, 0.5});
  }
}

// What measuring cannot tell from rounding: the powers that a difference of order n is exact for,
// and the first that it is not, for all orders, computed in one cell far from the boundary.
void expect_degree(const std::string& value, int derivative, int order, int reach,
                   double place = 0) {
  constexpr int kCell = 20;
  const interp::Extents extents = {2 * kCell + 1, 1, 1};
  for (int power = 0; power <= derivative + order; ++power) {
    const Cells u =
        sampled(extents, [&](double x, double) { return std::pow(x - kCell - place, power); });
    const double result = computed(value, "x", "none", extents, u, u)[kCell];
    const double scale = std::pow(reach, power);
    if (power < derivative + order)
      EXPECT_NEAR(result, power == derivative ? derivative : 0, 1e-12 * scale) << value << power;
    else
      EXPECT_GT(std::fabs(result), 1e-9 * scale) << value;
  }
}

TEST(Convergence, EveryDifferenceIsExactForThePowersOfItsOrder) {
  for (int order = 2; order <= 16; order += 2) {
    expect_degree(call("dx", "", order), 1, order, order / 2);
    expect_degree(call("dxx", "", order), 2, order, order / 2);
    expect_degree(call("laplacian", "", order), 2, order, order / 2);
    expect_degree(call("dx", ", at = +1/2", order), 1, order, order / 2, 0.5);
    expect_degree(call("dx", ", at = -1/2", order), 1, order, order / 2, -0.5);
  }
  for (int order = 1; order <= 8; ++order)
    for (const std::string side : {", side = -1", ", side = +1"}) {
      expect_degree(call("dx", side, order), 1, order, order);
      expect_degree(call("dxx", side, order), 2, order, order + 1);
    }
}

TEST(Convergence, UpwindIsTheOneSideOrTheOtherToTheLastBit) {
  const interp::Extents extents = {40, 1, 1};
  const Cells u = sampled(extents, [](double x, double) { return std::sin(x * x); });
  const double velocities[] = {1, -1, 0, -0.0, 1e-310, -1e-310, NAN, INFINITY, -INFINITY, 3};
  const Cells v =
      sampled(extents, [&](double x, double) { return velocities[static_cast<int>(x) % 10]; });
  for (int order = 1; order <= 8; ++order) {
    const auto run = [&](const std::string& form) {
      return computed(call("dx", form, order), "x", "clamp", extents, u, v);
    };
    const Cells upwind = run(", upwind = v"), below = run(", side = -1"), above = run(", side = 1");
    for (size_t i = 0; i < u.size(); ++i)
      EXPECT_EQ(upwind[i], v[i] > 0 ? below[i] : above[i]) << order << " at " << i;
  }
}

}  // namespace
}  // namespace stencilc
