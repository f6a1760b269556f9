// Sweeps in place, one colour after the other.
#include <gtest/gtest.h>

#include "support/interpreted.h"

namespace stencilc {
namespace {

using testing::complaints;
using testing::Interpreted;
using testing::statements_of;
using Numbers = Interpreted::Numbers;

// "": the sweep is legal.
std::string verdict(const std::string& colors, const std::string& boundary,
                    const std::string& value) {
  const std::string text = complaints("stencil s { axes x, y;\nfield f64 p boundary " + boundary +
                                      ";\ncolor " + colors + ";\np = " + value + "; }");
  const size_t begin = text.find(": error: "), end = text.find(" [STN");
  return begin == std::string::npos ? text : text.substr(begin + 9, end - begin - 9);
}

TEST(SemaColors, TheColourIsALinearForm) {
  const auto colors = [](const std::string& form) {
    const std::string all = statements_of(
        "stencil s { axes x, y; field f32 p; const i32 n = 2; color "
        "a, b, c by " +
        form + "; p = 1; }");
    return all.substr(0, all.find('\n'));
  };
  EXPECT_EQ(colors("(x + y) % 3"), "colors 3 by 1*x 1*y + 0");
  EXPECT_EQ(colors("(x - y + 4) % 3"), "colors 3 by 1*x 2*y + 1");
  EXPECT_EQ(colors("(n*(x + y) - (1 - x)) % 3"), "colors 3 by 0*x 2*y + 2");
  EXPECT_EQ(colors("-y % 3"), "colors 3 by 0*x 2*y + 0");
}

TEST(SemaColors, EachColourSeesWhatTheOnesBeforeMade) {
  Interpreted run(
      "stencil s { axes x; field i32 p boundary zero; color red, black by x % 2; p = p[x-1] + "
      "p[x+1]; }",
      {5, 1, 1});
  run.field("p", {1, 2, 3, 4, 5}).run(1);
  EXPECT_EQ(run.field("p"), (Numbers{2, 8, 6, 10, 4}));
}

// The cell as the statements before left it, its neighbours as the colours before did.
TEST(SemaColors, AStatementGoesOnFromTheOneBefore) {
  const auto swept = [](const std::string& statements, const Numbers& begin) {
    return Interpreted("stencil s { axes x; field f64 p boundary zero; color a, b by x % 2; " +
                           statements + " }",
                       {4, 1, 1})
        .field("p", begin)
        .run(1)
        .field("p");
  };
  EXPECT_EQ(swept("p = 0.5*(p[x-1] + p[x+1]) - 1; p = max(p, 0);", {1, 2, 3, 4}),
            (Numbers{0, 0, 2, 0}));
  EXPECT_EQ(
      swept("p = p[x-1] + p[x+1]; p += 100 on x >= 2; p *= 0.5 where p > 50;", {0, -1, -2, -3}),
      (Numbers{-1, 47, 48, 74}));
  EXPECT_EQ(swept("p = 2*p; p = p[t+1] + 1;", {1, 2, 3, 4}), (Numbers{3, 5, 7, 9}));
  EXPECT_EQ(swept("let old = p; p = p[x-1] + p[x+1]; p -= old;", {1, 2, 3, 4}),
            (Numbers{1, 2, 3, -1}));
}

TEST(SemaColors, ReductionsOfASweepByStatementsSeeBeforeAndAfter) {
  Interpreted run(
      "stencil s { axes x; field f64 p boundary zero; color a, b by x % 2; p = p[x-1] + p[x+1]; "
      "p += 100; reduce before = sum(p); reduce after = sum(p[t+1]); }",
      {2, 1, 1});
  run.field("p", {1, 2}).run(1);
  EXPECT_EQ(run.field("p"), (Numbers{102, 202}));
  EXPECT_EQ(run.reduction("before"), 3);
  EXPECT_EQ(run.reduction("after"), 304);
}

TEST(SemaColors, AnotherFieldSeesTheCellBeforeTheColour) {
  Interpreted run(
      "stencil s { axes x; field f64 p, q boundary zero; color a, b by x % 2; p = p + 1; "
      "q = q + p; }",
      {4, 1, 1});
  run.field("p", {1, 2, 3, 4}).field("q", {0, 0, 0, 0}).run(1);
  EXPECT_EQ(run.field("p"), (Numbers{2, 3, 4, 5}));
  EXPECT_EQ(run.field("q"), (Numbers{1, 2, 3, 4}));
}

TEST(SemaColors, TheFirstStatementHasNothingToGoOnFrom) {
  EXPECT_NE(complaints("stencil s { axes x; field f64 p boundary zero; color a, b by x % 2; p = "
                       "p[t+1] + 1; }")
                .find("`p[t+1]` in a coloured stencil"),
            std::string::npos);
}

TEST(SemaColors, ASweepConvergesFasterThanJacobi) {
  const auto steps = [](const std::string& target, const std::string& color) {
    return Interpreted("stencil s { axes x; field f64 p boundary zero; field f64 f in; " + color +
                           target +
                           " = 0.5*(p[x-1] + p[x+1] + f); reduce r = max(abs(p[x-1] + p[x+1] - 2*p "
                           "+ f)); iterate until r < 1e-6, limit 5000; }",
                       {9, 1, 1})
        .field("f", Numbers(9, 1.0))
        .run()
        .taken();
  };
  const int64_t jacobi = steps("p[t+1]", ""), colored = steps("p", "color r0, r1 by x % 2; ");
  EXPECT_LT(colored, 0.6 * static_cast<double>(jacobi));
  EXPECT_GT(colored, 10);
}

TEST(SemaColors, ReadsOfOtherColoursAreLegal) {
  EXPECT_EQ(verdict("a, b by (x+y) % 2", "zero", "p[x-1] + p[x+1] + p[y-1] + p[y+3]"), "");
  EXPECT_EQ(verdict("a, b, c, d by (x + 2*y) % 4", "zero", "p[x-1] + p[y-1] + p[x+1,y+1]"), "");
  EXPECT_EQ(verdict("a, b, c by (x + y) % 3", "zero", "p[x-2] + p[x+2] + p[y-1] + p[x+1,y+1]"), "");
  EXPECT_EQ(verdict("a, b by (x+y) % 2", "zero", "p[x-2] + p"),
            "`p[x-2]` has the colour of the cell that reads it");
  EXPECT_EQ(verdict("a, b by (x+y) % 2", "zero", "p[x+1,y-1]"),
            "`p[x+1, y-1]` has the colour of the cell that reads it");
  EXPECT_EQ(verdict("a, b by x % 2", "zero", "p[x+1,y-1] + p[y+1]"),
            "`p[y+1]` has the colour of the cell that reads it");
}

TEST(SemaColors, BeyondTheRimTheCellCountsThatStandsThere) {
  const std::string red_black = "a, b by (x+y) % 2",
                    beyond = " is a cell of the colour that reads it";
  for (const std::string kind : {"clamp", "reflect", "mirror", "periodic", "neumann 1", "fixed"})
    EXPECT_EQ(verdict(red_black, kind, "p[x-1] + p[x+1] + p[y-1] + p[y+1]"), "") << kind;
  // c b a | a b c: the cell 0 reads 2 at -3, of its colour.
  EXPECT_EQ(verdict(red_black, "reflect", "p[x-3]"), "beyond the rim `p[x-3]`" + beyond);
  EXPECT_EQ(verdict(red_black, "antireflect", "p[x+3]"), "beyond the rim `p[x+3]`" + beyond);
  EXPECT_EQ(verdict(red_black, "mirror", "p[x-3]"), "");
  // The cell 2 reads 0 for -1.
  EXPECT_EQ(verdict(red_black, "clamp", "p[y-3]"), "beyond the rim `p[y-3]`" + beyond);
  EXPECT_EQ(verdict(red_black, "{ x: zero; y.lo: constant 2; y.hi: clamp }", "p[y-3]"), "");
  EXPECT_EQ(verdict(red_black, "{ x: zero; y.hi: constant 2; y.lo: clamp }", "p[y-3]"),
            "beyond the rim `p[y-3]`" + beyond);
  // In a corner both axes step back.
  EXPECT_EQ(verdict("a, b, c by (x+y) % 3", "clamp", "p[x-1,y-1]"), "");
  EXPECT_EQ(verdict("a, b, c by (x+y) % 3", "clamp", "p[x-1,y-2]"),
            "`p[x-1, y-2]` has the colour of the cell that reads it");
  EXPECT_EQ(verdict("a, b, c by (x-y) % 3", "clamp", "p[x-1,y-2]"),
            "beyond the rim `p[x-1, y-2]`" + beyond);
}

TEST(SemaColors, TheWholeMessage) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f64 p boundary reflect;\n"
                       "  color a, b by x % 2;\n"
                       "  p = p[x-3];\n"
                       "}\n"),
            "in.stn:4:7: error: beyond the rim `p[x-3]` is a cell of the colour that reads it "
            "[STN0409]\n"
            "   4 |   p = p[x-3];\n"
            "     |       ^~~~~~\n"
            "in.stn:2:21: note: its boundary there is declared here\n"
            "   2 |   axes x; field f64 p boundary reflect;\n"
            "     |                     ^\n"
            "  help: write `color c0, c1, c2, c3 by x % 4;`, or choose a boundary that stands for "
            "no cell, "
            "such as `zero`\n");
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f64 p boundary zero;\n"
                       "  color a, b by x % 2;\n"
                       "  p = p[x+4];\n"
                       "}\n"),
            "in.stn:4:7: error: `p[x+4]` has the colour of the cell that reads it [STN0409]\n"
            "   4 |   p = p[x+4];\n"
            "     |       ^~~~~~\n"
            "  note: the cells of one colour are updated together, in no order\n"
            "  help: write `color c0, c1, c2 by x % 3;`, or step the field: `p[t+1] = ...`\n");
}

TEST(SemaColors, MessagesSuggestTheFewestColoursThatWork) {
  const auto advice = [](const std::string& value, const std::string& boundary = "zero") {
    const std::string all = complaints("stencil s { axes x, y; field f64 p boundary " + boundary +
                                       "; color a, b by (x + y) % 2; p = " + value + "; }");
    const size_t help = all.rfind("  help: ");
    return help == std::string::npos ? all : all.substr(help + 8);
  };
  const std::string step = "`, or step the field: `p[t+1] = ...`\n";
  EXPECT_EQ(advice("p[x+2]"), "write `color c0, c1, c2 by x % 3;" + step);
  EXPECT_EQ(advice("p[y+2] + p[y-1]"), "write `color c0, c1, c2 by y % 3;" + step);
  EXPECT_EQ(advice("p[x+1,y-1] + p[x-1]"), "write `color red, black by x % 2;" + step);
  EXPECT_EQ(advice("p[x-2] + p[x+2] + p[y-1]"), "write `color c0, c1, c2 by (x + y) % 3;" + step);
  EXPECT_EQ(advice("sum(i in -1..1, j in -1..1 : p[x+i,y+j])"),
            "write `color c0, c1, c2, c3 by (x + 2*y) % 4;" + step);
  EXPECT_EQ(advice("sum(i in -64..64 : p[x+i])"),
            "no rule of 64 colours or fewer separates the cells; step the field: `p[t+1] = ...`\n");
  // Beyond the rim, too.
  const std::string zero = "`, or choose a boundary that stands for no cell, such as `zero`\n";
  EXPECT_EQ(advice("p[x-3]", "reflect"), "write `color c0, c1, c2, c3 by x % 4;" + zero);
}

TEST(SemaColors, FormsThatAreNone) {
  const std::string form =
      "the colour of a cell is the remainder of a sum of multiples of its coordinates";
  EXPECT_EQ(verdict("a, b by x + y", "zero", "p"), form);
  EXPECT_EQ(verdict("a, b by (x * y) % 2", "zero", "p"), form);
  EXPECT_EQ(verdict("a, b by (x + nx) % 2", "zero", "p"), form);
  EXPECT_EQ(verdict("a, b by p % 2", "zero", "p"), form);
  EXPECT_EQ(verdict("a by x % 1", "zero", "p"), "1 colours; there are from 2 to 64");
  EXPECT_EQ(verdict("a, b by x % 65", "zero", "p"), "65 colours; there are from 2 to 64");
  EXPECT_EQ(verdict("a, b by x % 3", "zero", "p"), "2 names for the 3 remainders of `% 3`");
  EXPECT_EQ(verdict("a, b by x % 2; color c, d by y % 2", "zero", "p"),
            "the colours are given twice");
  EXPECT_EQ(verdict("a, a by x % 2", "zero", "p"), "`a` is declared twice");
  EXPECT_EQ(verdict("a, b by x % 2", "zero", "a"), "`a` is a colour, and has no value");
}

TEST(SemaColors, ThereAreNoLevelsInPlace) {
  EXPECT_EQ(verdict("a, b by x % 2; p[t+1] = p", "zero", "p"),
            "`p` is assigned at t+1, and a coloured stencil updates in place");
  EXPECT_EQ(verdict("a, b by x % 2", "zero", "p[t-1]"),
            "`p` is updated in place: there is no level t-1");
  EXPECT_EQ(verdict("a, b by x % 2", "zero", "p[t+1]"), "`p[t+1]` in a coloured stencil");
  EXPECT_EQ(verdict("a, b by x % 2; field f64 q out; q = p", "zero", "p"),
            "`q` is `out` in a coloured stencil");
  EXPECT_EQ(verdict("a, b by x % 2; points z; inject p[t+1] += 1 at z", "zero", "p"),
            "`p` is not stepped: there is no `p[t+1]` to inject into");
  EXPECT_EQ(
      verdict("a, b by x % 2; points z; series f64 v(z); sample v[t] = p[t+1] at z", "zero", "p"),
      "a sample of `p[t+1]` in a coloured stencil");
  EXPECT_EQ(verdict("a, b by x % 2; reduce r = max(abs(p[t+1] - p))", "zero", "p"),
            "the values of `p` before and after the sweep in one reduction");
}

TEST(SemaColors, ReductionsSeeTheValuesBeforeOrAfterTheSweep) {
  Interpreted run(
      "stencil s { axes x; field i32 p boundary zero; color red, black by x % 2; p = p[x-1] + "
      "p[x+1]; reduce before = sum(p); reduce after = sum(p[t+1]); }",
      {5, 1, 1});
  run.field("p", {1, 2, 3, 4, 5}).run(1);
  EXPECT_EQ(run.reduction("before"), 15);
  EXPECT_EQ(run.reduction("after"), 30);
}

}  // namespace
}  // namespace stencilc
