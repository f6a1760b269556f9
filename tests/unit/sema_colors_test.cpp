// Sweeps in place, one colour after the other.
#include <gtest/gtest.h>

#include "support/interpreted.h"
#include "support/tables.h"
#include "support/text.h"

namespace stencilc {
namespace {

using testing::complaints;
using testing::expect_rows;
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
    const std::string all =
        statements_of("stencil s { axes x, y; field f32 p; const i32 n = 2; color a, b, c by " +
                      form + "; p = 1; }");
    return all.substr(0, all.find('\n'));
  };
  expect_rows(colors, R"(
(x + y) % 3 => colors 3 by 1*x 1*y + 0
(x - y + 4) % 3 => colors 3 by 1*x 2*y + 1
(n*(x + y) - (1 - x)) % 3 => colors 3 by 0*x 2*y + 2
-y % 3 => colors 3 by 0*x 2*y + 0
)");
}

TEST(SemaColors, Values) {
  expect_rows(testing::run_of, R"(
--- each colour sees what the ones before made
stencil s { axes x; field i32 p boundary zero; color red, black by x % 2; p = p[x-1] + p[x+1]; }
 | 1 step on 5: p = 1 2 3 4 5
=> p = 2 8 6 10 4
--- reductions see the values before or after the sweep
stencil s { axes x; field i32 p boundary zero; color red, black by x % 2; p = p[x-1] + p[x+1];
reduce before = sum(p); reduce after = sum(p[t+1]); } | 1 step on 5: p = 1 2 3 4 5
=> p = 2 8 6 10 4; before = 15; after = 30
--- reductions of a sweep by statements see before and after
stencil s { axes x; field f64 p boundary zero; color a, b by x % 2; p = p[x-1] + p[x+1]; p += 100;
reduce before = sum(p); reduce after = sum(p[t+1]); } | 1 step on 2: p = 1 2
=> p = 102 202; before = 3; after = 304
--- another field sees the cell before the colour
stencil s { axes x; field f64 p, q boundary zero; color a, b by x % 2; p = p + 1; q = q + p; }
 | 1 step on 4: p = 1 2 3 4; q = 0 0 0 0
=> p = 2 3 4 5; q = 1 2 3 4
)");
}

// The cell as the statements before left it, its neighbours as the colours before did.
TEST(SemaColors, AStatementGoesOnFromTheOneBefore) {
  const auto swept = [](const std::string& statements, const std::string& begin) {
    return testing::run_of(
        "stencil s { axes x; field f64 p boundary zero; color a, b by x % 2; " + statements + " }",
        "1 step on 4: p = " + begin);
  };
  expect_rows(swept, R"(
p = 0.5*(p[x-1] + p[x+1]) - 1; p = max(p, 0); | 1 2 3 4 => p = 0 0 2 0
p = p[x-1] + p[x+1]; p += 100 on x >= 2; p *= 0.5 where p > 50; | 0 -1 -2 -3 => p = -1 47 48 74
p = 2*p; p = p[t+1] + 1; | 1 2 3 4 => p = 3 5 7 9
let old = p; p = p[x-1] + p[x+1]; p -= old; | 1 2 3 4 => p = 1 2 3 -1
)");
  expect_rows(complaints, R"(
--- the first statement has nothing to go on from
stencil s { axes x; field f64 p boundary zero; color a, b by x % 2; p = p[t+1] + 1; }
~> `p[t+1]` does not exist in a stencil with colours
)");
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

TEST(SemaColors, WhatIsLegal) {
  for (const std::string kind : {"clamp", "reflect", "mirror", "periodic", "neumann 1", "fixed"})
    EXPECT_EQ(verdict("a, b by (x+y) % 2", kind, "p[x-1] + p[x+1] + p[y-1] + p[y+1]"), "") << kind;
  expect_rows(verdict, R"(
--- reads of other colours are legal
a, b by (x+y) % 2 | zero | p[x-1] + p[x+1] + p[y-1] + p[y+3] =>
a, b, c, d by (x + 2*y) % 4 | zero | p[x-1] + p[y-1] + p[x+1,y+1] =>
a, b, c by (x + y) % 3 | zero | p[x-2] + p[x+2] + p[y-1] + p[x+1,y+1] =>
a, b by (x+y) % 2 | zero | p[x-2] + p => `p[x-2]` has the colour of the cell that reads it
a, b by (x+y) % 2 | zero | p[x+1,y-1] => `p[x+1, y-1]` has the colour of the cell that reads it
a, b by x % 2 | zero | p[x+1,y-1] + p[y+1] => `p[y+1]` has the colour of the cell that reads it
--- outside the grid the cell counts whose value is read there
--- c b a | a b c: the cell 0 reads 2 at -3, of its colour.
a, b by (x+y) % 2 | reflect | p[x-3] => outside the grid `p[x-3]` stands for a cell of the colour that reads it
a, b by (x+y) % 2 | antireflect | p[x+3] => outside the grid `p[x+3]` stands for a cell of the colour that reads it
a, b by (x+y) % 2 | mirror | p[x-3] =>
--- The cell 2 reads 0 for -1.
a, b by (x+y) % 2 | clamp | p[y-3] => outside the grid `p[y-3]` stands for a cell of the colour that reads it
a, b by (x+y) % 2 | { x: zero; y.lo: constant 2; y.hi: clamp } | p[y-3] =>
a, b by (x+y) % 2 | { x: zero; y.hi: constant 2; y.lo: clamp } | p[y-3]
=> outside the grid `p[y-3]` stands for a cell of the colour that reads it
--- In a corner both axes step back.
a, b, c by (x+y) % 3 | clamp | p[x-1,y-1] =>
a, b, c by (x+y) % 3 | clamp | p[x-1,y-2] => `p[x-1, y-2]` has the colour of the cell that reads it
a, b, c by (x-y) % 3 | clamp | p[x-1,y-2]
=> outside the grid `p[x-1, y-2]` stands for a cell of the colour that reads it
--- forms that are none
a, b by x + y | zero | p => the colour of a cell has to be the remainder of a sum of multiples of its coordinates
a, b by (x * y) % 2 | zero | p
=> the colour of a cell has to be the remainder of a sum of multiples of its coordinates
a, b by (x + nx) % 2 | zero | p
=> the colour of a cell has to be the remainder of a sum of multiples of its coordinates
a, b by p % 2 | zero | p => the colour of a cell has to be the remainder of a sum of multiples of its coordinates
a by x % 1 | zero | p => the number of colours is 1; it has to be from 2 to 64
a, b by x % 65 | zero | p => the number of colours is 65; it has to be from 2 to 64
a, b by x % 3 | zero | p => 2 names for the 3 remainders of `% 3`
a, b by x % 2; color c, d by y % 2 | zero | p => the colours are declared twice
a, a by x % 2 | zero | p => `a` is declared twice
a, b by x % 2 | zero | a => `a` is a colour, which has no value
--- there are no levels in place
a, b by x % 2; p[t+1] = p | zero | p => `p` is assigned at t+1, but a stencil with colours updates in place
a, b by x % 2 | zero | p[t-1] => `p` is updated in place: there is no level t-1
a, b by x % 2 | zero | p[t+1] => `p[t+1]` does not exist in a stencil with colours
a, b by x % 2; field f64 q out; q = p | zero | p => `q` is `out`, which a stencil with colours does not support
a, b by x % 2; points z; inject p[t+1] += 1 at z | zero | p
=> `p` is not stepped: there is no `p[t+1]` to inject into
a, b by x % 2; points z; series f64 v(z); sample v[t] = p[t+1] at z | zero | p
=> a stencil with colours has no `p[t+1]` to sample
a, b by x % 2; reduce r = max(abs(p[t+1] - p)) | zero | p
=> one reduction reads `p` before and after the sweep
)");
}

TEST(SemaColors, TheWholeMessage) {
  testing::expect_pages(complaints, R"(
stencil s { axes x; field f64 p boundary reflect;
                              ^ note: its boundary there is declared here
  color a, b by x % 2;
  p = p[x-3]; }
      ^~~~~~ error: outside the grid `p[x-3]` stands for a cell of the colour that reads it [STN0409]
  help: write `color c0, c1, c2, c3 by x % 4;`, or choose a boundary that does not read a cell, such as `zero`

stencil s { axes x; field f64 p boundary zero;
  color a, b by x % 2;
  p = p[x+4]; }
      ^~~~~~ error: `p[x+4]` has the colour of the cell that reads it [STN0409]
  note: the cells of one colour are updated at the same time, in no order
  help: write `color c0, c1, c2 by x % 3;`, or step the field: `p[t+1] = ...`
)");
}

TEST(SemaColors, MessagesSuggestTheFewestColoursThatWork) {
  const auto advice = [](const std::string& value, const std::string& boundary) {
    const std::string all = complaints("stencil s { axes x, y; field f64 p boundary " + boundary +
                                       "; color a, b by (x + y) % 2; p = " + value + "; }");
    const size_t help = all.rfind("  help: ");
    return help == std::string::npos ? all : all.substr(help + 8);
  };
  expect_rows(advice, R"(
p[x+2] | zero => write `color c0, c1, c2 by x % 3;`, or step the field: `p[t+1] = ...`
p[y+2] + p[y-1] | zero => write `color c0, c1, c2 by y % 3;`, or step the field: `p[t+1] = ...`
p[x+1,y-1] + p[x-1] | zero => write `color red, black by x % 2;`, or step the field: `p[t+1] = ...`
p[x-2] + p[x+2] + p[y-1] | zero
=> write `color c0, c1, c2 by (x + y) % 3;`, or step the field: `p[t+1] = ...`
sum(i in -1..1, j in -1..1 : p[x+i,y+j]) | zero
=> write `color c0, c1, c2, c3 by (x + 2*y) % 4;`, or step the field: `p[t+1] = ...`
sum(i in -64..64 : p[x+i]) | zero
=> no rule of 64 colours or fewer separates the cells; step the field: `p[t+1] = ...`
p[x-3] | reflect
=> write `color c0, c1, c2, c3 by x % 4;`, or choose a boundary that does not read a cell, such as `zero`
)");
}

// 64 colours have 64^3 rules on three axes: a message is not worth the wait.
TEST(SemaColors, RulesOnThreeAxesAreSoughtForAWhileOnly) {
  const std::string grid = "stencil s { axes x, y, z; field f32 p boundary clamp; ";
  testing::expect_has(
      complaints(grid + "color a, b by (x + y) % 2; "
                        "p = sum(i in -9..9, j in -9..9, k in -9..9 : p[x+i,y+j,z+k]); }"),
      {"no rule of 24 colours or fewer separates the cells"});
  const std::string sweep = complaints(grid + "p[t+1] = p[x+64, y-63, t+1]; }");
  testing::expect_has(sweep, {"read `p` at level t for a Jacobi step"});
  testing::expect_lacks(sweep, {"by colours"});
}

}  // namespace
}  // namespace stencilc
