// Offsets and what is displaced by them: lets, functions, windows, differences.
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/analysed.h"

namespace stencilc {
namespace {

constexpr ir::Numerics kAsWritten{ir::Numerics::source, false};

std::string one_d(const std::string& statements) {
  return testing::value_of("stencil s { axes x; field f32 u boundary clamp; " + statements + " }",
                           kAsWritten);
}
std::string two_d(const std::string& statements) {
  return testing::value_of(
      "stencil s { axes x, y; field f32 u boundary clamp; " + statements + " }", kAsWritten);
}
// The lines of the update and its lets.
std::string lines(const std::string& text) {
  const std::string printed = ir::print(testing::canonical(text, kAsWritten));
  const size_t let = printed.find("  let ");
  return printed.substr(let == std::string::npos ? printed.find("[t+1] =") - 3 : let);
}

TEST(SemaPlaces, OffsetsByNameAndByPosition) {
  EXPECT_EQ(two_d("u[t+1] = u[x-1];"), "u[x-1]");
  EXPECT_EQ(two_d("u[t+1] = u[y+2, x-1];"), "u[x-1, y+2]");
  EXPECT_EQ(two_d("u[t+1] = u[x-1, y];"), "u[x-1]");
  EXPECT_EQ(two_d("u[t+1] = u[-1, 2];"), "u[x-1, y+2]");
  EXPECT_EQ(two_d("u[t+1] = u[1+x];"), "u[x+1]");
  EXPECT_EQ(two_d("u[t+1] = u[0, 0];"), "u");
  EXPECT_EQ(two_d("u[t+1] = u[t-1, x+1];"), "u[x+1, t-1]");
  EXPECT_EQ(two_d("const i32 k = 2; u[t+1] = u[x-k+1, y+2*k];"), "u[x-1, y+4]");
}

TEST(SemaPlaces, OffsetsThatSayNothing) {
  const auto error = [](const std::string& site) {
    const std::string text = testing::complaints(
        "stencil s { axes x, y; param i32 n; field f32 u boundary clamp;\nu[t+1] = u[" + site +
        "]; }");
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(error("-1"), "in.stn:2:10: error: 1 offset for 2 axes [STN0402]");
  EXPECT_EQ(error("1, 2, 3"), "in.stn:2:10: error: 3 offsets for 2 axes [STN0402]");
  EXPECT_EQ(error("x-1, 2"),
            "in.stn:2:10: error: offsets with and without an axis in one bracket [STN0402]");
  EXPECT_EQ(error("x-1, x+1"), "in.stn:2:10: error: `x` stands twice in one bracket [STN0402]");
  EXPECT_EQ(error("x+y"), "in.stn:2:12: error: the index is not `axis + constant` [STN0401]");
  EXPECT_EQ(error("2*x"),
            "in.stn:2:12: error: an offset must be known when the stencil is compiled [STN0401]");
  EXPECT_EQ(error("x+n"),
            "in.stn:2:14: error: an offset must be known when the stencil is compiled [STN0401]");
  EXPECT_EQ(error("x+0.5"), "in.stn:2:14: error: an offset must be a whole number [STN0401]");
}

TEST(SemaPlaces, ALetAtAnOffsetIsEvaluatedThere) {
  EXPECT_EQ(lines("stencil s { axes x, y; field f32 u boundary clamp; let a = u[x+1]; let b = "
                  "a[x+1] - a[y-1]; "
                  "u[t+1] = b[x-2]; }"),
            "  let a[x-1]: f32 = u\n"
            "  let a[x-2, y-1]: f32 = u[x-1, y-1]\n"
            "  let b[x-2]: f32 = sub(a[x-1], a[x-2, y-1])\n"
            "  u[t+1] = b[x-2]\n"
            "}\n");
  EXPECT_EQ(
      lines("stencil s { axes x; field f32 u boundary clamp; let l = x*u; u[t+1] = l[x+2]; }"),
      "  let l[x+2]: f32 = mul(f32((x+2)), u[x+2])\n"
      "  u[t+1] = l[x+2]\n"
      "}\n");
}

TEST(SemaPlaces, LetsMayStandInAnyOrderButNotInACircle) {
  EXPECT_EQ(one_d("let b = a + 1; let a = 2*u; u[t+1] = b;"), "b");
  const std::string text = testing::complaints(
      "stencil s {\n  axes x; field f32 u boundary clamp;\n  let a = b[x+1];\n  let b = a[x-1];\n  "
      "u[t+1] = a;\n}\n");
  EXPECT_EQ(text,
            "in.stn:4:11: error: `a` depends on itself [STN0405]\n"
            "   4 |   let b = a[x-1];\n"
            "     |           ^~~~~~\n"
            "in.stn:3:7: note: the cycle is `a` -> `b` -> `a`\n"
            "   3 |   let a = b[x+1];\n"
            "     |       ^\n");
}

TEST(SemaPlaces, ArgumentsOfFunctionsAreReadAtOffsets) {
  EXPECT_EQ(one_d("fn d(a) = a[x+1] - a; u[t+1] = d(u);"), "sub(u[x+1], u)");
  EXPECT_EQ(one_d("fn d(a) = a[x+1] - a; u[t+1] = d(u*u);"), "sub(mul(u[x+1], u[x+1]), mul(u, u))");
  EXPECT_EQ(one_d("fn d(a) = a[x+1] - a; u[t+1] = d(u[x-3]);"), "sub(u[x-2], u[x-3])");
  EXPECT_EQ(one_d("fn d(a, k) = a[x+k] - a; u[t+1] = sum(i in 1..2 : d(u, i));"),
            "add(sub(u[x+1], u), sub(u[x+2], u))");
}

TEST(SemaPlaces, FunctionsNest) {
  EXPECT_EQ(one_d("fn d(a) = a[x+1] - a; fn dd(a) = d(a) - d(a[x-1]); u[t+1] = dd(u);"),
            "sub(sub(u[x+1], u), sub(u, u[x-1]))");
  // The argument of a call inside an argument is displaced by both bodies.
  EXPECT_EQ(one_d("fn f(a, b) = a[x+1]*b[x-1]; u[t+1] = f(u, f(u[x+5], u));"),
            "mul(u[x+1], mul(u[x+5], u[x-2]))");
  // A parameter hides the names of the stencil, and only in the body.
  EXPECT_EQ(one_d("let a = 2*u; fn f(a) = 3*a; u[t+1] = f(u[x+1]) + 1;"), "add(mul(3, u[x+1]), 1)");
}

TEST(SemaPlaces, WindowsRunTheLastVariableFastest) {
  EXPECT_EQ(two_d("u[t+1] = sum(i in 0..1, j in 0..1 : u[x+i, y+j]);"),
            "add(add(add(u, u[y+1]), u[x+1]), u[x+1, y+1])");
  EXPECT_EQ(two_d("u[t+1] = prod(i in -1..1 : u[x+i]);"), "mul(mul(u[x-1], u), u[x+1])");
  EXPECT_EQ(two_d("u[t+1] = min(i in 0..2 : u[y+i]);"), "min(min(u, u[y+1]), u[y+2])");
  EXPECT_EQ(two_d("u[t+1] = max(i in 3..3 : u[y+i]);"), "u[y+3]");
}

TEST(SemaPlaces, WindowsNest) {
  EXPECT_EQ(two_d("const f32 w[0..1, 0..2] = {1, 2, 3, 4, 5, 6}; "
                  "u[t+1] = sum(i in 0..1 : sum(j in 0..2 : w[i,j]*u[x+i, y+j]));"),
            "add(add(add(u, mul(2, u[y+1])), mul(3, u[y+2])), "
            "add(add(mul(4, u[x+1]), mul(5, u[x+1, y+1])), mul(6, u[x+1, y+2])))");
  EXPECT_EQ(two_d("u[t+1] = sum(i in 1..2 : sum(j in i..2 : u[x+i, y+j]));"),
            "add(add(u[x+1, y+1], u[x+1, y+2]), u[x+2, y+2])");
}

TEST(SemaPlaces, WindowsOfNarrowTypesKeepThem) {
  EXPECT_EQ(testing::value_of("stencil s { axes x; field u8 a in boundary clamp; field u8 r out; "
                              "r = max(i in -1..1 : a[x+i]); }"),
            "max(max(a[x-1], a), a[x+1])");
}

TEST(SemaPlaces, DefinesMakeConstantsOfParams) {
  const std::string text =
      "stencil s { axes x; param i32 k = 3; field f32 u boundary clamp; u[t+1] = u[x-k]; }";
  const testing::Analysed with = testing::analysed(text, {{"k", "2"}});
  ASSERT_TRUE(with.stencil);
  EXPECT_TRUE(with.stencil->params.empty());
  EXPECT_EQ(ir::print(with.stencil->updates[0].cases[0].value, *with.stencil), "u[x-2]");
  EXPECT_NE(testing::complaints(text).find("[STN0401]"), std::string::npos);
  EXPECT_NE(testing::complaints(text, {{"k", "2.5"}}).find("2.5 does not fit `i32`"),
            std::string::npos);
  EXPECT_NE(testing::complaints(text, {{"k", "2"}, {"q", "1"}})
                .find("`-D q=...` names no param of `s` [STN0214]"),
            std::string::npos);
  EXPECT_NE(testing::complaints(text, {{"k", "two"}}).find("`-D k=two` gives no number [STN0214]"),
            std::string::npos);
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

TEST(SemaPlaces, TheLaplacianSumsOverAllAxes) {
  EXPECT_EQ(testing::value_of(
                "stencil s { axes x, y, z; field f32 u boundary clamp; u[t+1] = laplacian(u); }"),
            "sum(1 * u[z-1], 1 * u[x-1], -6 * u, 1 * u[x+1], 1 * u[y-1], 1 * u[y+1], 1 * u[z+1])");
  EXPECT_EQ(one_d("u[t+1] = laplacian(u*u);"),
            "add(add(mul(-2, mul(u, u)), mul(u[x-1], u[x-1])), mul(u[x+1], u[x+1]))");
}

}  // namespace
}  // namespace stencilc
