// Reductions, and runs that end by them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/interpreted.h"

namespace stencilc {
namespace {

using testing::complaints;
using testing::Interpreted;
using testing::statements_of;
using Numbers = Interpreted::Numbers;

const std::string kStep = "stencil s { axes x; field f32 u; param f32 tol; u[t+1] = 2*u;\n";

std::string reduction(const std::string& text) {
  const std::string all = statements_of(
      "stencil s { axes x; field f32 u; field u8 b; field f16 h; field f64 w; u[t+1] = 2*u; b[t+1] "
      "= b; h[t+1] = h; w[t+1] = w;\nreduce " +
      text + "; }");
  return all.substr(all.rfind("reduce ") + 7);
}

TEST(SemaReductions, TheirTypeIsThatOfTheArithmetic) {
  EXPECT_EQ(reduction("r = sum(u)"), "f32 r = sum(u)\n");
  EXPECT_EQ(reduction("r = max(b)"), "i32 r = max(i32(b))\n");
  EXPECT_EQ(reduction("r = sum(u > 0)"), "i32 r = sum(i32(gt(u, 0)))\n");
  EXPECT_EQ(reduction("r = min(h)"), "f32 r = min(f32(h))\n");
  EXPECT_EQ(reduction("r = prod(w*u)"), "f64 r = prod(mul(w, f64(u)))\n");
  EXPECT_EQ(reduction("r = sum(1)"), "i32 r = sum(1)\n");
  EXPECT_EQ(reduction("r = sum(x)"), "i64 r = sum(x)\n");
}

TEST(SemaReductions, TheyHaveDomains) {
  EXPECT_EQ(reduction("r = max(abs(u[t+1] - u)) on x >= 1, x < nx-1 where u > 0"),
            "f32 r = max(abs(sub(u[t+1], u)))  on x >= 1, x < nx-1  where gt(u, 0)\n");
}

TEST(SemaReductions, ANormSquaresAValueOfItsOwn) {
  EXPECT_EQ(
      statements_of(kStep + "reduce r = norm2(u[t+1] - u); iterate until r < tol, limit 9; }"),
      "u[t+1] = mul(2, u)\n"
      "let r: f32 = sub(u[t+1], u)\n"
      "reduce f32 r = norm2(mul(r, r))\n"
      "iterate until lt(r, tol), check every 1, limit 9\n");
  EXPECT_EQ(statements_of("stencil s { axes x; field f32 u in boundary zero; let d = u[x+1] - u; "
                          "reduce r = norm2(d); reduce q = norm2(d); }"),
            "let d: f32 = sub(u[x+1], u)\n"
            "reduce f32 r = norm2(mul(d, d))\n"
            "reduce f32 q = norm2(mul(d, d))\n");
}

TEST(SemaReductions, Values) {
  Interpreted run(
      "stencil s { axes x, y; field f64 u; u[t+1] = u + 1;\n"
      "reduce before = sum(u); reduce after = sum(u[t+1]); reduce product = prod(u);\n"
      "reduce least = min(u[t+1]) on x >= 1; reduce most = max(-u) where u != 1;\n"
      "reduce length = norm2(u) on y == 0; reduce count = sum(u[t+1] > 3);\n"
      "reduce none = max(u) where u > 100; }",
      {2, 2, 1});
  run.field("u", {3, 4, 1, 2}).run(1);
  EXPECT_EQ(run.reduction("before"), 10);
  EXPECT_EQ(run.reduction("after"), 14);
  EXPECT_EQ(run.reduction("product"), 24);
  EXPECT_EQ(run.reduction("least"), 3);
  EXPECT_EQ(run.reduction("most"), -2);
  EXPECT_EQ(run.reduction("length"), 5);
  EXPECT_EQ(run.reduction("count"), 2);
  EXPECT_EQ(run.reduction("none"), -std::numeric_limits<double>::infinity());
}

TEST(SemaReductions, ARunEndsByThem) {
  const std::string text =
      "stencil s { axes x; field f32 u; param f32 tol = 10; const i32 n = 3;\n"
      "u[t+1] = 2*u; reduce m = max(u[t+1]); iterate until m > tol, check every n, limit 4*n; }";
  Interpreted run(text, {2, 1, 1});
  EXPECT_EQ(run.field("u", {1, 0}).run().taken(), 6);  // 8 after 3 steps, 64 after 6
  EXPECT_EQ(run.reduction("m"), 64);
  Interpreted endless(text, {2, 1, 1});
  EXPECT_EQ(endless.field("u", {0, 0}).run().taken(), 12);
}

TEST(SemaReductions, ANumberOfSteps) {
  EXPECT_EQ(statements_of(kStep + "u[t+1] += tol; const i32 n = 50; iterate 2*n times; }"),
            "u[t+1] = mul(2, u)\n"
            "u[t+1] = add(u[t+1], tol)\n"
            "iterate 100 times\n");
}

TEST(SemaReductions, AnUpdateMayReadWhatIsKnownBeforeIt) {
  const std::string text =
      "stencil s { axes x; field f32 u; reduce total = sum(u); let mean = total / nx;\n"
      "u[t+1] = u - mean where total > 3; }";
  EXPECT_EQ(statements_of(text),
            "let mean: f32 = div(total, f32(nx))\n"
            "u[t+1] = sub(u, mean)  where gt(total, 3)\n"
            "reduce f32 total = sum(u)\n");
  EXPECT_EQ(Interpreted(text, {3, 1, 1}).field("u", {1, 2, 3}).run(2).field("u"),
            (Numbers{-1, 0, 1}));
}

TEST(SemaReductions, ValuesOfTheStepItselfComeTooLate) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f32 u, v;\n"
                       "  u[t+1] = 2*u;\n"
                       "  reduce r = max(u[t+1]);\n"
                       "  v[t+1] = v / r;\n"
                       "}\n"),
            "in.stn:5:16: error: `r` is read by an update of the step it is computed from "
            "[STN0215]\n"
            "   5 |   v[t+1] = v / r;\n"
            "     |                ^\n"
            "in.stn:4:18: note: it reads t+1 here\n"
            "   4 |   reduce r = max(u[t+1]);\n"
            "     |                  ^~~~~~\n"
            "  help: let the reduction read level t alone: it is then known before the updates\n");
}

TEST(SemaReductions, TheyAreReadInUpdatesAndConditionsOnly) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f32 u;\n"
                       "  reduce a = sum(u);\n"
                       "  reduce b = sum((u - a)^2);\n"
                       "  u[t+1] = u;\n"
                       "}\n"),
            "in.stn:4:23: error: the reduction `a` has no value here [STN0215]\n"
            "   4 |   reduce b = sum((u - a)^2);\n"
            "     |                       ^\n"
            "  note: a reduction is read in updates and in the condition of `iterate until`\n");
}

TEST(SemaReductions, KindsThatDoNotExist) {
  EXPECT_EQ(complaints(kStep + "reduce r = mean(u); reduce q = norm(u); }"),
            "in.stn:2:12: error: there is no reduction `mean` [STN0215]\n"
            "   2 | reduce r = mean(u); reduce q = norm(u); }\n"
            "     |            ^~~~\n"
            "  help: the reductions are sum, prod, min, max and norm2; a mean is a sum divided by "
            "the caller\n"
            "in.stn:2:32: error: there is no reduction `norm` [STN0215]\n"
            "   2 | reduce r = mean(u); reduce q = norm(u); }\n"
            "     |                                ^~~~\n"
            "  help: did you mean `norm2`?\n");
}

TEST(SemaReductions, ANormIsOfFloats) {
  EXPECT_EQ(complaints(kStep + "reduce r = norm2(x); }"),
            "in.stn:2:18: error: `norm2` of `i64` values [STN0215]\n"
            "   2 | reduce r = norm2(x); }\n"
            "     |                  ^\n"
            "  help: write `norm2(f32(...))`\n");
}

TEST(SemaReductions, ConditionsAreOfTheWholeGrid) {
  EXPECT_EQ(complaints(kStep + "reduce r = max(u); iterate until r < u, limit 3; }"),
            "in.stn:2:38: error: the condition of `iterate` names more than reductions, params and "
            "constants [STN0216]\n"
            "   2 | reduce r = max(u); iterate until r < u, limit 3; }\n"
            "     |                                      ^\n"
            "  help: it is judged for the whole grid: `reduce` what the cells hold, and compare "
            "that\n");
  EXPECT_EQ(complaints(kStep + "iterate until tol < 1, limit 3; }"),
            "in.stn:2:15: error: the condition of `iterate` names no reduction [STN0216]\n"
            "   2 | iterate until tol < 1, limit 3; }\n"
            "     |               ^~~~~~~\n"
            "  help: add one: `reduce change = max(abs(u[t+1] - u));`, or write `iterate 100 "
            "times;`\n");
}

TEST(SemaReductions, RunsHaveALimit) {
  EXPECT_EQ(complaints(kStep + "reduce r = max(u); iterate until r < tol, check every 50; }"),
            "in.stn:2:20: error: `iterate until` without a limit [STN0216]\n"
            "   2 | reduce r = max(u); iterate until r < tol, check every 50; }\n"
            "     |                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
            "  help: add one, in steps: `iterate until ..., limit 10000;`; what does not converge "
            "must end too\n");
  EXPECT_EQ(complaints(kStep + "u[t+1] *= tol; iterate 0 times;\niterate 2 times; }"),
            "in.stn:2:24: error: the number of steps is 0 [STN0216]\n"
            "   2 | u[t+1] *= tol; iterate 0 times;\n"
            "     |                        ^\n"
            "  help: a run takes one step at least; the caller may ask for none\n"
            "in.stn:3:1: error: a second `iterate` [STN0216]\n"
            "   3 | iterate 2 times; }\n"
            "     | ^~~~~~~~~~~~~~~~\n"
            "  help: a run ends in one way: join the conditions by `||`\n");
  EXPECT_EQ(complaints("stencil s { axes x; field f32 u in, d out; d = u;\niterate 3 times; }"),
            "in.stn:1:9: error: `iterate` in the stencil `s`, which takes no steps [STN0216]\n"
            "   1 | stencil s { axes x; field f32 u in, d out; d = u;\n"
            "     |         ^\n"
            "  help: step a field: `u[t+1] = ...;`\n");
}

}  // namespace
}  // namespace stencilc
