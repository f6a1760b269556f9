// Finite differences as they are written: which cells they read, in which order, and what is
// refused.
#include <gtest/gtest.h>

#include <sstream>

#include "support/analysed.h"

namespace stencilc {
namespace {

constexpr ir::Numerics kAsWritten{ir::Numerics::source, false};

std::string program(const std::string& axes, const std::string& value) {
  return "stencil s { axes " + axes +
         "; param f32 v; field f32 u boundary clamp; field f32 d out;\nd = " + value + "; }";
}
std::string as_written(const std::string& axes, const std::string& value) {
  return testing::value_of(program(axes, value), kAsWritten);
}
std::string canonical(const std::string& axes, const std::string& value) {
  return testing::value_of(program(axes, value));
}
// What is said of a text: the error and what is added to it, without the lines of source.
std::string refusal(const std::string& axes, const std::string& value) {
  std::istringstream all(testing::complaints(program(axes, value)));
  std::string text;
  for (std::string line; std::getline(all, line);)
    for (const std::string mark : {" error: ", " note: ", " help: "})
      if (const size_t at = line.find(mark); at != std::string::npos)
        text += line.substr(at + (mark == " error: " ? mark.size() : 1)) + "\n";
  return text;
}

TEST(SemaOperators, TermsAscend) {
  EXPECT_EQ(as_written("x", "dx(u)"), "add(mul(-0.5, u[x-1]), mul(0.5, u[x+1]))");
  EXPECT_EQ(as_written("x", "dxx(u)"), "add(add(u[x-1], mul(-2, u)), u[x+1])");
  EXPECT_EQ(as_written("x", "dx(u, at = +1/2)"), "add(neg(u), u[x+1])");
  EXPECT_EQ(as_written("x", "dx(u, at = -1/2)"), "add(neg(u[x-1]), u)");
  EXPECT_EQ(as_written("x", "dx(u, side = +1)"), "add(neg(u), u[x+1])");
  EXPECT_EQ(as_written("x", "dx(u, side = -1)"), "add(neg(u[x-1]), u)");
  EXPECT_EQ(as_written("x", "dxx(u, side = -1)"), "add(add(u[x-2], mul(-2, u[x-1])), u)");
  EXPECT_EQ(as_written("x", "dx(u, order = 2, side = 1)"),
            "add(add(mul(-1.5, u), mul(2, u[x+1])), mul(-0.5, u[x+2]))");
}

TEST(SemaOperators, NamesFollowTheAxes) {
  EXPECT_EQ(canonical("a, b", "da(u)"), "sum(-0.5 * u[a-1], 0.5 * u[a+1])");
  EXPECT_EQ(canonical("a, b", "dbb(u)"), "sum(1 * u[b-1], -2 * u, 1 * u[b+1])");
  EXPECT_EQ(canonical("lon, lat", "dlat(u)"), "sum(-0.5 * u[lat-1], 0.5 * u[lat+1])");
  EXPECT_EQ(canonical("lon, lat", "dlonlon(u)"), "sum(1 * u[lon-1], -2 * u, 1 * u[lon+1])");
  EXPECT_EQ(canonical("x, xx", "dxx(u)"), "sum(-0.5 * u[xx-1], 0.5 * u[xx+1])");
}

TEST(SemaOperators, MixedDifferencesAreProducts) {
  EXPECT_EQ(as_written("x, y", "dxy(u)"),
            "add(add(add(mul(0.25, u[x-1, y-1]), mul(-0.25, u[x-1, y+1])), mul(-0.25, u[x+1, "
            "y-1])), mul(0.25, u[x+1, y+1]))");
  EXPECT_EQ(as_written("x, y", "dyx(u)"), as_written("x, y", "dxy(u)"));
  EXPECT_EQ(canonical("x, y, z", "dxz(u)"), canonical("x, y, z", "dx(dz(u))"));
  EXPECT_EQ(canonical("x, y", "dxy(u)"), canonical("x, y", "dx(dy(u))"));
}

TEST(SemaOperators, DifferencesOfExpressionsAndOfDifferences) {
  EXPECT_EQ(as_written("x", "dx(u*u, side = 1)"), "add(neg(mul(u, u)), mul(u[x+1], u[x+1]))");
  EXPECT_EQ(canonical("x", "dx(dx(u, at = +1/2), at = -1/2)"), canonical("x", "dxx(u)"));
  EXPECT_EQ(canonical("x", "dx(dx(u, at = -1/2), at = +1/2)"), canonical("x", "dxx(u)"));
  EXPECT_EQ(canonical("x, y", "dxx(u) + dyy(u)"), canonical("x, y", "laplacian(u)"));
  EXPECT_EQ(canonical("x, y", "dxx(u, order = 8) + dyy(u, order = 8)"),
            canonical("x, y", "laplacian(u, order = 8)"));
}

TEST(SemaOperators, UpwindChoosesTheSideTheFlowComesFrom) {
  EXPECT_EQ(as_written("x", "dx(u, upwind = v)"),
            "select(gt(v, 0), add(neg(u[x-1]), u), add(neg(u), u[x+1]))");
  EXPECT_EQ(as_written("x", "dx(u, order = 2, upwind = u)"),
            "select(gt(u, 0), " + as_written("x", "dx(u, order = 2, side = -1)") + ", " +
                as_written("x", "dx(u, order = 2, side = +1)") + ")");
  EXPECT_EQ(as_written("x", "dx(u, upwind = 0.5)"), as_written("x", "dx(u, side = -1)"));
  EXPECT_EQ(as_written("x", "dx(u, upwind = 0)"), as_written("x", "dx(u, side = +1)"));
}

TEST(SemaOperators, DifferencesInLetsAndFunctionsAreDisplaced) {
  EXPECT_EQ(
      testing::value_of("fn slope(q) = dx(q, side = 1);\n"
                        "stencil s { axes x; field f32 u boundary clamp; field f32 d out; d = "
                        "slope(u[x+2]); }"),
      "sum(-1 * u[x+2], 1 * u[x+3])");
  const std::string displaced = ir::print(testing::canonical(
      "stencil s { axes x; field f32 u boundary clamp; field f32 d out, e out; let q = dx(u); d = "
      "q[x+1]; e = q[x+1]; }"));
  EXPECT_NE(displaced.find("let q[x+1]: f32 = sum(-0.5 * u, 0.5 * u[x+2])"), std::string::npos)
      << displaced;
}

TEST(SemaOperators, OfIntegersTheyHaveTheTypeOfTheirWeights) {
  const std::string image = "stencil s { axes x; field u8 u in boundary clamp; field ";
  EXPECT_EQ(testing::value_of(image + "i32 d out; d = dx(u, side = 1); }", kAsWritten),
            "add(neg(i32(u)), i32(u[x+1]))");
  EXPECT_EQ(testing::value_of(image + "f32 d out; d = dx(u); }", kAsWritten),
            "add(mul(-0.5, f32(u[x-1])), mul(0.5, f32(u[x+1])))");
}

TEST(SemaOperators, ADeclaredNameTakesThePlaceOfTheOperator) {
  EXPECT_EQ(testing::complaints("stencil s { axes x; param f32 dx; field f32 u boundary clamp; "
                                "u[t+1] = (u[x+1] - u) / dx; }"),
            "");
  EXPECT_EQ(testing::value_of("fn dx(a) = 2*a;\n"
                              "stencil s { axes x; field f32 u boundary clamp; u[t+1] = dx(u); }",
                              kAsWritten),
            "mul(2, u)");
  EXPECT_EQ(testing::complaints("stencil s { axes x;\nparam f32 dx;\nfield f32 u boundary clamp;\n"
                                "u[t+1] = dx(u) / dx; }"),
            "in.stn:4:10: error: `dx` is called, and it is no function [STN0206]\n"
            "   4 | u[t+1] = dx(u) / dx; }\n"
            "     |          ^~\n"
            "in.stn:2:11: note: it is declared here\n"
            "   2 | param f32 dx;\n"
            "     |           ^~\n"
            "  help: rename it to use the difference `dx`\n");
  EXPECT_EQ(testing::complaints("fn slope(q, dx) = dx(q) / dx;\nstencil s { axes x; field f32 u "
                                "boundary clamp;\nu[t+1] = slope(u, 0.1); }"),
            "in.stn:1:19: error: `dx` is called, and it is no function [STN0206]\n"
            "   1 | fn slope(q, dx) = dx(q) / dx;\n"
            "     |                   ^~\n"
            "  help: rename the argument to use the difference `dx`\n");
}

TEST(SemaOperators, OrdersThatAreNot) {
  EXPECT_EQ(refusal("x", "dx(u, order = 3)"),
            "order 3; central differences have an even order from 2 to 16 [STN0309]\n");
  EXPECT_EQ(refusal("x", "dxx(u, order = 18)"),
            "order 18; central differences have an even order from 2 to 16 [STN0309]\n");
  EXPECT_EQ(refusal("x, y", "dxy(u, order = 0)"),
            "order 0; central differences have an even order from 2 to 16 [STN0309]\n");
  EXPECT_EQ(refusal("x", "dx(u, at = 1/2, order = 1)"),
            "order 1; staggered differences have an even order from 2 to 16 [STN0309]\n");
  EXPECT_EQ(refusal("x", "dx(u, order = 9, side = 1)"),
            "order 9; one-sided differences have an order from 1 to 8 [STN0309]\n");
  EXPECT_EQ(refusal("x", "dx(u, order = 0, upwind = v)"),
            "order 0; one-sided differences have an order from 1 to 8 [STN0309]\n");
  EXPECT_EQ(refusal("x", "laplacian(u, order = 3)"),
            "order 3; central differences have an even order from 2 to 16 [STN0309]\n");
}

TEST(SemaOperators, FormsThatAreNot) {
  EXPECT_EQ(refusal("x", "dx(u, at = 1/3)"),
            "`at` is 0.3333333333333333 [STN0310]\n"
            "help: write `at = +1/2` or `at = -1/2`; without `at` it stands on the cell\n");
  EXPECT_EQ(refusal("x", "dx(u, at = 0)"),
            "`at` is 0 [STN0310]\n"
            "help: write `at = +1/2` or `at = -1/2`; without `at` it stands on the cell\n");
  EXPECT_EQ(refusal("x", "dx(u, side = 2)"),
            "`side` is 2 [STN0310]\n"
            "help: write `side = -1` for the cells below or `side = +1` for those above\n");
  EXPECT_EQ(refusal("x", "dx(u, side = v)"),
            "the argument `side` must be known when the stencil is compiled [STN0303]\n"
            "help: use a number, a `const`, or a window variable; `-D name=value` turns a param "
            "into a constant\n");
  EXPECT_EQ(
      refusal("x", "dx(u, at = 1/2, side = 1)"),
      "`at` and `side` in one difference [STN0310]\n"
      "help: a difference stands `at` a place between two cells, on one `side`, or `upwind`\n");
  EXPECT_EQ(
      refusal("x", "dx(u, side = 1, upwind = v)"),
      "`side` and `upwind` in one difference [STN0310]\n"
      "help: a difference stands `at` a place between two cells, on one `side`, or `upwind`\n");
  EXPECT_EQ(refusal("x", "dxx(u, at = 1/2)"),
            "`dxx` takes no `at` [STN0310]\n"
            "help: write `dx(dx(u, at = +1/2), at = -1/2)`\n");
  EXPECT_EQ(refusal("x", "dxx(u, upwind = v)"),
            "`dxx` takes no `upwind` [STN0310]\n"
            "help: write `dxx(u, side = -1)` or `dxx(u, side = +1)`\n");
  EXPECT_EQ(refusal("x, y", "dyx(u, side = -1)"),
            "`dyx` takes no `side` [STN0310]\n"
            "help: put one inside the other: `dx(dy(u, side = ...), side = ...)`\n");
}

TEST(SemaOperators, ArgumentsThatAreNot) {
  EXPECT_EQ(refusal("x", "dx(u, 4)"),
            "`dx` takes 1 argument, and 2 are given [STN0205]\n"
            "note: it is used as `dx(u)` or `dx(u, order = 4)`, with `at = +1/2`, `side = -1` or "
            "`upwind = v` for other forms\n");
  EXPECT_EQ(refusal("x", "dxx(u, ordr = 4)"),
            "`dxx` has no argument `ordr` [STN0205]\n"
            "note: it is used as `dxx(u)` or `dxx(u, order = 4)`\n");
  EXPECT_EQ(refusal("x", "dx(u, order = 4, order = 2)"),
            "`order` is given twice [STN0205]\n"
            "note: it is used as `dx(u)` or `dx(u, order = 4)`, with `at = +1/2`, `side = -1` or "
            "`upwind = v` for other forms\n");
  EXPECT_EQ(refusal("x", "laplacian(u, at = 1/2)"),
            "`laplacian` has no argument `at` [STN0205]\n"
            "note: it is used as `laplacian(u)` or `laplacian(u, order = 4)`\n");
  EXPECT_EQ(refusal("x, y", "dz(u)"),
            "there is no function `dz` [STN0201]\n"
            "note: the differences of this stencil are `dx`, `dy`, `dxx`, `dxy`, `dyy`\n");
  EXPECT_EQ(refusal("lon, lat", "dlo(u)"),
            "there is no function `dlo` [STN0201]\n"
            "help: did you mean `dlon`?\n");
}

}  // namespace
}  // namespace stencilc
