// Offsets and what is displaced by them: lets, functions, windows; finite differences as they are
// written: which cells they read, in which order, and what is refused.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "support/analysed.h"
#include "support/tables.h"

namespace stencilc {
namespace {

using testing::complaints;
using testing::expect_pages;
using testing::expect_rows;

constexpr ir::Numerics kAsWritten{ir::Numerics::source, false};

std::string one_d(const std::string& statements) {
  return testing::value_of("stencil s { axes x; field f32 u boundary clamp; " + statements + " }",
                           kAsWritten);
}
std::string two_d(const std::string& statements) {
  return testing::value_of(
      "stencil s { axes x, y; field f32 u boundary clamp; " + statements + " }", kAsWritten);
}
TEST(SemaPlaces, InALine) {
  expect_rows(one_d, R"(
--- lets may stand in any order but not in a circle
let b = a + 1; let a = 2*u; u[t+1] = b; => b
--- arguments of functions are read at offsets
fn d(a) = a[x+1] - a; u[t+1] = d(u); => sub(u[x+1], u)
fn d(a) = a[x+1] - a; u[t+1] = d(u*u); => sub(mul(u[x+1], u[x+1]), mul(u, u))
fn d(a) = a[x+1] - a; u[t+1] = d(u[x-3]); => sub(u[x-2], u[x-3])
fn d(a, k) = a[x+k] - a; u[t+1] = sum(i in 1..2 : d(u, i)); => add(sub(u[x+1], u), sub(u[x+2], u))
--- functions nest
fn d(a) = a[x+1] - a; fn dd(a) = d(a) - d(a[x-1]); u[t+1] = dd(u); => sub(sub(u[x+1], u), sub(u, u[x-1]))
--- The argument of a call inside an argument is displaced by both bodies.
fn f(a, b) = a[x+1]*b[x-1]; u[t+1] = f(u, f(u[x+5], u)); => mul(u[x+1], mul(u[x+5], u[x-2]))
--- A parameter hides the names of the stencil, and only in the body.
let a = 2*u; fn f(a) = 3*a; u[t+1] = f(u[x+1]) + 1; => add(mul(3, u[x+1]), 1)
--- the laplacian sums over all axes
u[t+1] = laplacian(u*u); => add(add(mul(-2, mul(u, u)), mul(u[x-1], u[x-1])), mul(u[x+1], u[x+1]))
)");
}

TEST(SemaPlaces, InThePlane) {
  expect_rows(two_d, R"(
--- offsets by name and by position
u[t+1] = u[x-1]; => u[x-1]
u[t+1] = u[y+2, x-1]; => u[x-1, y+2]
u[t+1] = u[x-1, y]; => u[x-1]
u[t+1] = u[-1, 2]; => u[x-1, y+2]
u[t+1] = u[1+x]; => u[x+1]
u[t+1] = u[0, 0]; => u
u[t+1] = u[t-1, x+1]; => u[x+1, t-1]
const i32 k = 2; u[t+1] = u[x-k+1, y+2*k]; => u[x-1, y+4]
--- windows run the last variable fastest
u[t+1] = sum(i in 0..1, j in 0..1 : u[x+i, y+j]); => add(add(add(u, u[y+1]), u[x+1]), u[x+1, y+1])
u[t+1] = prod(i in -1..1 : u[x+i]); => mul(mul(u[x-1], u), u[x+1])
u[t+1] = min(i in 0..2 : u[y+i]); => min(min(u, u[y+1]), u[y+2])
u[t+1] = max(i in 3..3 : u[y+i]); => u[y+3]
--- windows nest
const f32 w[0..1, 0..2] = {1, 2, 3, 4, 5, 6}; u[t+1] = sum(i in 0..1 : sum(j in 0..2 : w[i,j]*u[x+i, y+j]));
=> add(add(add(u, mul(2, u[y+1])), mul(3, u[y+2])), add(add(mul(4, u[x+1]), mul(5, u[x+1, y+1])), mul(6, u[x+1, y+2])))
u[t+1] = sum(i in 1..2 : sum(j in i..2 : u[x+i, y+j])); => add(add(u[x+1, y+1], u[x+1, y+2]), u[x+2, y+2])
)");
}

TEST(SemaPlaces, ALetAtAnOffsetIsEvaluatedThere) {
  expect_rows(testing::statements_of, R"(
stencil s { axes x, y; field f32 u boundary clamp; let a = u[x+1]; let b = a[x+1] - a[y-1]; u[t+1] = b[x-2]; }
=> let a[x-1]: f32 = u
   let a[x-2, y-1]: f32 = u[x-1, y-1]
   let b[x-2]: f32 = sub(a[x-1], a[x-2, y-1])
   u[t+1] = b[x-2]
stencil s { axes x; field f32 u boundary clamp; let l = x*u; u[t+1] = l[x+2]; }
=> let l[x+2]: f32 = mul(f32((x+2)), u[x+2])
   u[t+1] = l[x+2]
)");
}

TEST(SemaPlaces, WhatIsRefused) {
  const auto error = [](const std::string& site) {
    const std::string text =
        complaints("stencil s { axes x, y; param i32 n; field f32 u boundary clamp;\nu[t+1] = u[" +
                   site + "]; }");
    return text.substr(0, text.find('\n'));
  };
  expect_rows(error, R"(
-1 => in.stn:2:10: error: 1 offset for 2 axes [STN0402]
1, 2, 3 => in.stn:2:10: error: 3 offsets for 2 axes [STN0402]
x-1, 2 => in.stn:2:10: error: some offsets in this bracket name their axis, and some do not [STN0402]
x-1, x+1 => in.stn:2:10: error: `x` appears twice in one bracket [STN0402]
x+y => in.stn:2:12: error: the index does not have the form `axis + constant` [STN0401]
2*x => in.stn:2:12: error: an offset must be known when the stencil is compiled [STN0401]
x+n => in.stn:2:14: error: an offset must be known when the stencil is compiled [STN0401]
x+0.5 => in.stn:2:14: error: an offset must be a whole number [STN0401]
)");
  expect_pages(complaints, R"(
stencil s { axes x; field f32 u boundary clamp;
  let a = b[x+1];
      ^ note: the cycle is `a` -> `b` -> `a`
  let b = a[x-1];
          ^~~~~~ error: `a` depends on itself [STN0405]
  u[t+1] = a; }
)");
}

TEST(SemaPlaces, DefinesMakeConstantsOfParams) {
  const std::string text =
      "stencil s { axes x; param i32 k = 3; field f32 u boundary clamp; u[t+1] = u[x-k]; }";
  const testing::Analysed with = testing::analysed(text, {{"k", "2"}});
  ASSERT_TRUE(with.stencil);
  EXPECT_TRUE(with.stencil->params.empty());
  EXPECT_EQ(ir::print(with.stencil->updates[0].cases[0].value, *with.stencil), "u[x-2]");
  const std::pair<sema::Defines, const char*> refused[] = {
      {{}, "[STN0401]"},
      {{{"k", "2.5"}}, "2.5 does not fit `i32`"},
      {{{"k", "2"}, {"q", "1"}}, "`-D q=...`: there is no such param in `s` [STN0214]"},
      {{{"k", "two"}}, "`-D k=two` does not give a number [STN0214]"}};
  for (const auto& [defines, said] : refused)
    EXPECT_NE(testing::rendered(testing::analysed(text, defines).parsed).find(said),
              std::string::npos)
        << said;
}

// Fornberg, Generation of finite difference formulas on arbitrarily spaced grids, Math. Comp. 51
// (1988), table 1: order 2 to 8; the rows for 10 to 16 continue it.
TEST(SemaPlaces, LaplacianWeightsAreThePublishedOnes) {
  struct Weight {
    double above, below;
  };
  const std::vector<std::vector<Weight>> rows = {
      {{-2, 1}, {1, 1}},
      {{-5, 2}, {4, 3}, {-1, 12}},
      {{-49, 18}, {3, 2}, {-3, 20}, {1, 90}},
      {{-205, 72}, {8, 5}, {-1, 5}, {8, 315}, {-1, 560}},
      {{-5269, 1800}, {5, 3}, {-5, 21}, {5, 126}, {-5, 1008}, {1, 3150}},
      {{-5369, 1800}, {12, 7}, {-15, 56}, {10, 189}, {-1, 112}, {2, 1925}, {-1, 16632}},
      {{-266681, 88200}, {7, 4}, {-7, 24}, {7, 108}, {-7, 528}, {7, 3300}, {-7, 30888}, {1, 84084}},
      {{-1077749, 352800},
       {16, 9},
       {-14, 45},
       {112, 1485},
       {-7, 396},
       {112, 32175},
       {-2, 3861},
       {16, 315315},
       {-1, 411840}}};
  for (size_t row = 0; row < rows.size(); ++row) {
    const int order = 2 * static_cast<int>(row + 1);
    const ir::Stencil s = testing::canonical(
        "stencil s { axes x; field f64 u boundary clamp; u[t+1] = laplacian(u, order = " +
        std::to_string(order) + "); }");
    const auto* sum = ir::as<ir::Sum>(s.updates[0].cases[0].value);
    ASSERT_TRUE(sum) << order;
    ASSERT_EQ(sum->terms.size(), 2 * row + 3) << order;
    for (const ir::Sum::Term& term : sum->terms) {
      const int distance = std::abs(ir::as<ir::Read>(term.tap)->offset[0]);
      const Weight expected = rows[row][distance];
      EXPECT_EQ(ir::as<ir::Constant>(term.weight)->value.real, expected.above / expected.below)
          << order << " at " << distance;
    }
  }
}

TEST(SemaPlaces, RoundedInTheCanonicalOrder) {
  expect_rows([](const std::string& text) { return testing::value_of(text); }, R"(
--- windows of narrow types keep them
stencil s { axes x; field u8 a in boundary clamp; field u8 r out; r = max(i in -1..1 : a[x+i]); }
=> max(max(a[x-1], a), a[x+1])
--- the laplacian sums over all axes
stencil s { axes x, y, z; field f32 u boundary clamp; u[t+1] = laplacian(u); }
=> sum(1 * u[z-1], 1 * u[x-1], -6 * u, 1 * u[x+1], 1 * u[y-1], 1 * u[y+1], 1 * u[z+1])
--- differences in functions are displaced
fn slope(q) = dx(q, side = 1);
stencil s { axes x; field f32 u boundary clamp; field f32 d out; d = slope(u[x+2]); }
=> sum(-1 * u[x+2], 1 * u[x+3])
)");
}

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

TEST(SemaOperators, ReadInOrder) {
  expect_rows(as_written, R"(
--- terms ascend
x | dx(u) => add(mul(-0.5, u[x-1]), mul(0.5, u[x+1]))
x | dxx(u) => add(add(u[x-1], mul(-2, u)), u[x+1])
x | dx(u, at = +1/2) => add(neg(u), u[x+1])
x | dx(u, at = -1/2) => add(neg(u[x-1]), u)
x | dx(u, side = +1) => add(neg(u), u[x+1])
x | dx(u, side = -1) => add(neg(u[x-1]), u)
x | dxx(u, side = -1) => add(add(u[x-2], mul(-2, u[x-1])), u)
x | dx(u, order = 2, side = 1) => add(add(mul(-1.5, u), mul(2, u[x+1])), mul(-0.5, u[x+2]))
--- mixed differences are products
x, y | dxy(u)
=> add(add(add(mul(0.25, u[x-1, y-1]), mul(-0.25, u[x-1, y+1])), mul(-0.25, u[x+1, y-1])), mul(0.25, u[x+1, y+1]))
--- differences of expressions and of differences
x | dx(u*u, side = 1) => add(neg(mul(u, u)), mul(u[x+1], u[x+1]))
--- upwind chooses the side the flow comes from
x | dx(u, upwind = v) => select(gt(v, 0), add(neg(u[x-1]), u), add(neg(u), u[x+1]))
)");
  expect_rows(canonical, R"(
--- names follow the axes
a, b | da(u) => sum(-0.5 * u[a-1], 0.5 * u[a+1])
a, b | dbb(u) => sum(1 * u[b-1], -2 * u, 1 * u[b+1])
lon, lat | dlat(u) => sum(-0.5 * u[lat-1], 0.5 * u[lat+1])
lon, lat | dlonlon(u) => sum(1 * u[lon-1], -2 * u, 1 * u[lon+1])
x, xx | dxx(u) => sum(-0.5 * u[xx-1], 0.5 * u[xx+1])
)");
}

TEST(SemaOperators, AreMadeOfEachOther) {
  using Same = std::array<const char*, 3>;
  for (const auto& [axes, one, other] : {
           Same{"x, y, z", "dxz(u)", "dx(dz(u))"},
           {"x, y", "dxy(u)", "dx(dy(u))"},
           {"x", "dx(dx(u, at = +1/2), at = -1/2)", "dxx(u)"},
           {"x", "dx(dx(u, at = -1/2), at = +1/2)", "dxx(u)"},
           {"x, y", "dxx(u) + dyy(u)", "laplacian(u)"},
           {"x, y", "dxx(u, order = 8) + dyy(u, order = 8)", "laplacian(u, order = 8)"},
       })
    EXPECT_EQ(canonical(axes, one), canonical(axes, other)) << one;
  for (const auto& [axes, one, other] : {
           Same{"x, y", "dyx(u)", "dxy(u)"},
           {"x", "dx(u, upwind = 0.5)", "dx(u, side = -1)"},
           {"x", "dx(u, upwind = 0)", "dx(u, side = +1)"},
       })
    EXPECT_EQ(as_written(axes, one), as_written(axes, other)) << one;
  EXPECT_EQ(as_written("x", "dx(u, order = 2, upwind = u)"),
            "select(gt(u, 0), " + as_written("x", "dx(u, order = 2, side = -1)") + ", " +
                as_written("x", "dx(u, order = 2, side = +1)") + ")");
}

TEST(SemaOperators, DifferencesInLetsAreDisplaced) {
  const std::string displaced = ir::print(testing::canonical(
      "stencil s { axes x; field f32 u boundary clamp; field f32 d out, e out; let q = dx(u); d = "
      "q[x+1]; e = q[x+1]; }"));
  EXPECT_NE(displaced.find("let q[x+1]: f32 = sum(-0.5 * u, 0.5 * u[x+2])"), std::string::npos)
      << displaced;
}

TEST(SemaOperators, OfIntegersTheyHaveTheTypeOfTheirWeights) {
  expect_rows([](const std::string& text) { return testing::value_of(text, kAsWritten); }, R"(
stencil s { axes x; field u8 u in boundary clamp; field i32 d out; d = dx(u, side = 1); }
=> add(neg(i32(u)), i32(u[x+1]))
stencil s { axes x; field u8 u in boundary clamp; field f32 d out; d = dx(u); }
=> add(mul(-0.5, f32(u[x-1])), mul(0.5, f32(u[x+1])))
--- a function of the name takes its place
fn dx(a) = 2*a; stencil s { axes x; field f32 u boundary clamp; u[t+1] = dx(u); }
=> mul(2, u)
)");
}

TEST(SemaOperators, ADeclaredNameTakesThePlaceOfTheOperator) {
  expect_pages(complaints, R"(
stencil s { axes x; param f32 dx; field f32 u boundary clamp; u[t+1] = (u[x+1] - u) / dx; }

stencil s { axes x;
param f32 dx;
          ^~ note: it is declared here
field f32 u boundary clamp;
u[t+1] = dx(u) / dx; }
         ^~ error: `dx` is called, but it is not a function [STN0206]
  help: rename it to use the difference `dx`

fn slope(q, dx) = dx(q) / dx;
                  ^~ error: `dx` is called, but it is not a function [STN0206]
  help: rename the argument to use the difference `dx`
stencil s { axes x; field f32 u boundary clamp;
u[t+1] = slope(u, 0.1); }
)");
}

TEST(SemaOperators, WhatIsRefused) {
  const auto refusal = [](const std::string& axes, const std::string& value) {
    return testing::messages(program(axes, value));
  };
  expect_rows(refusal, R"(
--- orders that are not
x | dx(u, order = 3) => the order is 3; central differences have an even order from 2 to 16 [STN0309]
x | dxx(u, order = 18) => the order is 18; central differences have an even order from 2 to 16 [STN0309]
x, y | dxy(u, order = 0) => the order is 0; central differences have an even order from 2 to 16 [STN0309]
x | dx(u, at = 1/2, order = 1) => the order is 1; staggered differences have an even order from 2 to 16 [STN0309]
x | dx(u, order = 9, side = 1) => the order is 9; one-sided differences have an order from 1 to 8 [STN0309]
x | dx(u, order = 0, upwind = v) => the order is 0; one-sided differences have an order from 1 to 8 [STN0309]
x | laplacian(u, order = 3) => the order is 3; central differences have an even order from 2 to 16 [STN0309]
--- forms that are not
x | dx(u, at = 1/3) => `at` is 0.3333333333333333 [STN0310]
   help: write `at = +1/2` or `at = -1/2`; without `at` it is taken at the cell
x | dx(u, at = 0) => `at` is 0 [STN0310]
   help: write `at = +1/2` or `at = -1/2`; without `at` it is taken at the cell
x | dx(u, side = 2) => `side` is 2 [STN0310]
   help: write `side = -1` for the cells below or `side = +1` for those above
x | dx(u, side = v) => the argument `side` must be known when the stencil is compiled [STN0303]
   help: use a number, a `const`, or a window variable; `-D name=value` turns a param into a constant
x | dx(u, at = 1/2, side = 1) => one difference cannot take both `at` and `side` [STN0310]
   help: `at` is for a place between two cells, `side` for one side, `upwind` for a velocity
x | dx(u, side = 1, upwind = v) => one difference cannot take both `side` and `upwind` [STN0310]
   help: `at` is for a place between two cells, `side` for one side, `upwind` for a velocity
x | dxx(u, at = 1/2) => `dxx` does not take `at` [STN0310]
   help: write `dx(dx(u, at = +1/2), at = -1/2)`
x | dxx(u, upwind = v) => `dxx` does not take `upwind` [STN0310]
   help: write `dxx(u, side = -1)` or `dxx(u, side = +1)`
x, y | dyx(u, side = -1) => `dyx` does not take `side` [STN0310]
   help: put one inside the other: `dx(dy(u, side = ...), side = ...)`
--- arguments that are not
x | dx(u, 4) => `dx` takes 1 argument, and 2 are given [STN0205]
   note: it is used as `dx(u)` or `dx(u, order = 4)`, with `at = +1/2`, `side = -1` or `upwind = v` for other forms
x | dxx(u, ordr = 4) => `dxx` has no argument `ordr` [STN0205]
   note: it is used as `dxx(u)` or `dxx(u, order = 4)`
x | dx(u, order = 4, order = 2) => `order` is given twice [STN0205]
   note: it is used as `dx(u)` or `dx(u, order = 4)`, with `at = +1/2`, `side = -1` or `upwind = v` for other forms
x | laplacian(u, at = 1/2) => `laplacian` has no argument `at` [STN0205]
   note: it is used as `laplacian(u)` or `laplacian(u, order = 4)`
x, y | dz(u) => there is no function `dz` [STN0201]
   note: the differences of this stencil are `dx`, `dy`, `dxx`, `dxy`, `dyy`
lon, lat | dlo(u) => there is no function `dlo` [STN0201]
   help: did you mean `dlon`?
)");
}

}  // namespace
}  // namespace stencilc
