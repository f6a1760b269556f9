// Updates that build on what the step has made already: their order, and what cannot be ordered.
#include <gtest/gtest.h>

#include "support/interpreted.h"

namespace stencilc {
namespace {

using testing::complaints;
using testing::Interpreted;
using testing::statements_of;
using Numbers = Interpreted::Numbers;

TEST(SemaStages, UpdatesFollowTheirReadsOfTheNewLevel) {
  EXPECT_EQ(statements_of("stencil s { axes x; field f32 u, v boundary zero;\n"
                          "v[t+1] = u[x-1, t+1] + v; u[t+1] = 2*u; }"),
            "u[t+1] = mul(2, u)\n"
            "v[t+1] = add(u[x-1, t+1], v)\n");
  const Numbers v = Interpreted(
                        "stencil s { axes x; field f32 u, v boundary zero;\n"
                        "v[t+1] = u[x-1, t+1] + v; u[t+1] = 2*u; }",
                        {3, 1, 1})
                        .field("u", {1, 2, 3})
                        .field("v", {10, 20, 30})
                        .run(1)
                        .field("v");
  EXPECT_EQ(v, (Numbers{10, 22, 34}));
}

TEST(SemaStages, WhatIsFreeStaysInTheOrderOfTheText) {
  EXPECT_EQ(statements_of("stencil s { axes x; field f32 a, b, c, d boundary zero;\n"
                          "d[t+1] = d; c[t+1] = a[x+1, t+1]; b[t+1] = b; a[t+1] = b; }"),
            "d[t+1] = d\n"
            "b[t+1] = b\n"
            "a[t+1] = b\n"
            "c[t+1] = a[x+1, t+1]\n");
}

TEST(SemaStages, ALetMayReadTheNewLevel) {
  EXPECT_EQ(statements_of("stencil s { axes x; field f32 u, v boundary zero;\n"
                          "let d = u[t+1] - u; v[t+1] = d[x+1] - d[x-1]; u[t+1] = 2*u; }"),
            "u[t+1] = mul(2, u)\n"
            "let d[x+1]: f32 = sub(u[x+1, t+1], u[x+1])\n"
            "let d[x-1]: f32 = sub(u[x-1, t+1], u[x-1])\n"
            "v[t+1] = sub(d[x+1], d[x-1])\n");
}

TEST(SemaStages, AnOutputIsReadByItsName) {
  const std::string text =
      "stencil s { axes x; field f32 u in boundary clamp; field f32 d out, e out boundary clamp;\n"
      "e = d[x+1] - d[x-1]; d = u[x+1] - u; }";
  EXPECT_EQ(testing::complaints(
                "stencil s { axes x; field f32 u in boundary clamp; field f32 d out boundary "
                "clamp; field f32 e out; e = d[x+1] - d[x-1]; d = u[x+1] - u; }"),
            "");
  EXPECT_EQ(statements_of(text),
            "d = sub(u[x+1], u)\n"
            "e = sub(d[x+1, t+1], d[x-1, t+1])\n");
  Interpreted run(text, {4, 1, 1});
  run.field("u", {1, 4, 9, 16}).run(1);
  EXPECT_EQ(run.field("d"), (Numbers{3, 5, 7, 0}));
  EXPECT_EQ(run.field("e"), (Numbers{2, 4, -5, -7}));
}

// The output is not written at its rim, so what is made of it is not either.
TEST(SemaStages, TheInteriorOfAnOutputBoundsWhatReadsIt) {
  EXPECT_EQ(
      statements_of("stencil s { axes x; field f32 u in boundary none; field f32 d out boundary "
                    "clamp; field f32 e out; d = u[x+1] - u[x-1]; e = d[x+1]; }"),
      "d = sub(u[x+1], u[x-1])  on 1 <= x < nx-1\n"
      "e = d[x+1, t+1]  on 0 <= x < nx-2\n");
}

TEST(SemaStages, LaterStatementsReadWhatEarlierOnesMadeOfTheCell) {
  Interpreted run(
      "stencil s { axes x; field f32 u, v boundary zero;\n"
      "u[t+1] = u[x-1]; u[t+1] += 10 on x >= 1; u[t+1] *= u on x == 2; v[t+1] = u[x+1, t+1]; }",
      {3, 1, 1});
  run.field("u", {1, 2, 3}).run(1);
  EXPECT_EQ(run.field("u"), (Numbers{0, 11, 36}));
  EXPECT_EQ(run.field("v"), (Numbers{11, 36, 0}));
}

TEST(SemaStages, AnOutputIsAddedTo) {
  Interpreted run("stencil s { axes x; field i32 u in; field i32 d out; d = u; d -= 1 on x > 0; }",
                  {3, 1, 1});
  EXPECT_EQ(run.field("u", {5, 6, 7}).run(1).field("d"), (Numbers{5, 5, 6}));
}

TEST(SemaStages, CyclesArePrinted) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f32 u, v, w boundary clamp;\n"
                       "  let a = v[t+1] + 1;\n"
                       "  w[t+1] = u[t+1];\n"
                       "  u[t+1] = a[x+1];\n"
                       "  v[t+1] = u[x-1, t+1];\n"
                       "}\n"),
            "in.stn:6:12: error: the updates depend on each other in a cycle [STN0405]\n"
            "   6 |   v[t+1] = u[x-1, t+1];\n"
            "     |            ^~~~~~~~~~~\n"
            "  note: the cycle is `u[t+1]` -> `v[t+1]` -> `u[t+1]`\n"
            "  help: read one of them at level t\n");
}

TEST(SemaStages, ALexicographicSweepIsNoStencil) {
  EXPECT_EQ(
      complaints("stencil seidel {\n"
                 "  axes x, y; field f32 u boundary clamp;\n"
                 "  u[t+1] = 0.25*(u[t+1, x-1] + u[x+1] + u[t+1, y-1] + u[y+1]);\n"
                 "}\n"),
      "in.stn:3:18: error: `u[t+1]` is computed from itself, in a neighbour [STN0405]\n"
      "   3 |   u[t+1] = 0.25*(u[t+1, x-1] + u[x+1] + u[t+1, y-1] + u[y+1]);\n"
      "     |                  ^~~~~~~~~~~\n"
      "  note: the cycle is `u[t+1]` -> `u[x-1, t+1]`: the cells of a step have no order\n"
      "  help: read `u` at level t for a Jacobi sweep, or sweep in place by colours: `color red, "
      "black by (x + y) % 2;`\n"
      "  help: a recurrence along an axis, such as a tridiagonal solve, is no stencil: call a "
      "solver library, or write cyclic reduction as stages\n");
}

TEST(SemaStages, ARecurrenceAlongAnAxisIsNoStencil) {
  EXPECT_EQ(
      complaints("stencil thomas {\n"
                 "  axes x; field f32 a, b, c readonly; field f32 g out boundary zero;\n"
                 "  g = c / (b - a*g[x-1]);\n"
                 "}\n"),
      "in.stn:3:18: error: `g` is computed from itself, in a neighbour [STN0405]\n"
      "   3 |   g = c / (b - a*g[x-1]);\n"
      "     |                  ^~~~~~\n"
      "  note: the cycle is `g` -> `g[x-1]`: the cells of a step have no order\n"
      "  help: step the field, `g[t+1] = ...`, and read `g` for a Jacobi sweep, or sweep in place "
      "by "
      "colours: `color red, black by x % 2;`\n"
      "  help: a recurrence along an axis, such as a tridiagonal solve, is no stencil: call a "
      "solver library, or write cyclic reduction as stages\n");
}

TEST(SemaStages, AFirstStatementHasNothingOfItsOwnToRead) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f32 u;\n"
                       "  u[t+1] = u[t+1] + 1;\n"
                       "}\n"),
            "in.stn:3:12: error: `u[t+1]` is computed from itself [STN0405]\n"
            "   3 |   u[t+1] = u[t+1] + 1;\n"
            "     |            ^~~~~~\n"
            "  note: no statement before this one assigns `u[t+1]`\n"
            "  help: read `u` at level t\n");
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f32 u;\n"
                       "  u[t+1] -= 1;\n"
                       "}\n"),
            "in.stn:3:3: error: `u[t+1]` is computed from itself [STN0405]\n"
            "   3 |   u[t+1] -= 1;\n"
            "     |   ^~~~~~\n"
            "  note: no statement before this one assigns `u[t+1]`\n"
            "  help: write `u[t+1] = u - ...` to begin with the value of level t\n");
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f32 u in, d out;\n"
                       "  d = d + u;\n"
                       "}\n"),
            "in.stn:3:7: error: `d` is computed from itself [STN0405]\n"
            "   3 |   d = d + u;\n"
            "     |       ^\n"
            "  note: no statement before this one assigns `d`\n"
            "  help: assign it first: `d = ...;`\n");
}

TEST(SemaStages, AnOutputThatIsReadIsWhole) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f32 u in, d out, e out;\n"
                       "  d = u on x >= 1;\n"
                       "  e = d;\n"
                       "}\n"),
            "in.stn:4:7: error: `d` is read, and has no value in some of the cells [STN0210]\n"
            "   4 |   e = d;\n"
            "     |       ^\n"
            "in.stn:3:3: note: its first statement has a domain of its own\n"
            "   3 |   d = u on x >= 1;\n"
            "     |   ^\n"
            "  help: assign it everywhere first: `d = 0;`\n");
}

TEST(SemaStages, LevelsThatAFieldDoesNotHave) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f32 c in, d out, u;\n"
                       "  d = c[t+1];\n"
                       "  u[t+1] = d[t+1];\n"
                       "}\n"),
            "in.stn:3:7: error: `c` has no level t+1: nothing assigns `c[t+1]` [STN0403]\n"
            "   3 |   d = c[t+1];\n"
            "     |       ^~~~~~\n"
            "in.stn:2:21: note: `c` is declared here\n"
            "   2 |   axes x; field f32 c in, d out, u;\n"
            "     |                     ^\n"
            "in.stn:4:12: error: `d` is `out`, which has no time levels [STN0403]\n"
            "   4 |   u[t+1] = d[t+1];\n"
            "     |            ^~~~~~\n"
            "in.stn:2:27: note: `d` is declared here\n"
            "   2 |   axes x; field f32 c in, d out, u;\n"
            "     |                           ^\n"
            "  help: write `d`\n");
}

}  // namespace
}  // namespace stencilc
