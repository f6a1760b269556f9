// Reductions and runs that end by them; sources and receivers (points, series, inject, sample);
// weights given at run time, and the time as a value.
#include <gtest/gtest.h>

#include "support/interpreted.h"
#include "support/tables.h"

namespace stencilc {
namespace {

using testing::complaints;
using testing::expect_pages;
using testing::expect_rows;
using testing::Interpreted;
using testing::run_of;
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

TEST(SemaReductions, TypesAndDomains) {
  expect_rows(reduction, R"(
--- their type is that of the arithmetic
r = sum(u) => f32 r = sum(u)
r = max(b) => i32 r = max(i32(b))
r = sum(u > 0) => i32 r = sum(i32(gt(u, 0)))
r = min(h) => f32 r = min(f32(h))
r = prod(w*u) => f64 r = prod(mul(w, f64(u)))
r = sum(1) => i32 r = sum(1)
r = sum(x) => i64 r = sum(x)
--- they have domains
r = max(abs(u[t+1] - u)) on x >= 1, x < nx-1 where u > 0
=> f32 r = max(abs(sub(u[t+1], u)))  on x >= 1, x < nx-1  where gt(u, 0)
)");
}

TEST(SemaReductions, Statements) {
  expect_rows([](const std::string& text) { return statements_of(kStep + text); }, R"(
--- a norm squares a value of its own
reduce r = norm2(u[t+1] - u); iterate until r < tol, limit 9; }
=> u[t+1] = mul(2, u)
   let r: f32 = sub(u[t+1], u)
   reduce f32 r = norm2(mul(r, r))
   iterate until lt(r, tol), check every 1, limit 9
--- a number of steps
u[t+1] += tol; const i32 n = 50; iterate 2*n times; }
=> u[t+1] = mul(2, u)
   u[t+1] = add(u[t+1], tol)
   iterate 100 times
)");
  expect_rows(statements_of, R"(
--- a norm squares a value of its own
stencil s { axes x; field f32 u in boundary zero; let d = u[x+1] - u; reduce r = norm2(d); reduce q = norm2(d); }
=> let d: f32 = sub(u[x+1], u)
   reduce f32 r = norm2(mul(d, d))
   reduce f32 q = norm2(mul(d, d))
--- an update may read what is known before it
stencil s { axes x; field f32 u; reduce total = sum(u); let mean = total / nx;
u[t+1] = u - mean where total > 3; }
=> let mean: f32 = div(total, f32(nx))
   u[t+1] = sub(u, mean)  where gt(total, 3)
   reduce f32 total = sum(u)
)");
}

TEST(SemaReductions, Values) {
  expect_rows(run_of, R"(
stencil s { axes x, y; field f64 u; u[t+1] = u + 1;
reduce before = sum(u); reduce after = sum(u[t+1]); reduce product = prod(u);
reduce least = min(u[t+1]) on x >= 1; reduce most = max(-u) where u != 1;
reduce length = norm2(u) on y == 0; reduce count = sum(u[t+1] > 3);
reduce none = max(u) where u > 100; }
 | 1 step on 2x2: u = 3 4 1 2
=> u = 4 5 2 3; before = 10; after = 14; product = 24; least = 3; most = -2; length = 5; count = 2; none = -inf
--- an update may read what is known before it
stencil s { axes x; field f32 u; reduce total = sum(u); let mean = total / nx;
u[t+1] = u - mean where total > 3; }
 | 2 steps on 3: u = 1 2 3
=> u = -1 0 1; total = 0
)");
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

TEST(SemaReductions, AreRefused) {
  testing::expect_statements(complaints, kStep, "", R"(
--- kinds that do not exist
reduce r = mean(u); reduce q = norm(u); }
           ^~~~ error: there is no reduction `mean` [STN0215]
  help: the reductions are sum, prod, min, max and norm2; for a mean, divide the sum in the calling program
                               ^~~~ error: there is no reduction `norm` [STN0215]
  help: did you mean `norm2`?
--- a norm is of floats
reduce r = norm2(x); }
                 ^ error: `norm2` does not take `i64` values [STN0215]
  help: write `norm2(f32(...))`
--- conditions are of the whole grid
reduce r = max(u); iterate until r < u, limit 3; }
                                     ^ error: the condition of `iterate` can use only reductions, params and constants [STN0216]
  help: it applies to the whole grid: define a reduction with `reduce`, and compare that
iterate until tol < 1, limit 3; }
              ^~~~~~~ error: the condition of `iterate` uses no reduction [STN0216]
  help: add one: `reduce change = max(abs(u[t+1] - u));`, or write `iterate 100 times;`
--- runs have a limit
reduce r = max(u); iterate until r < tol, check every 50; }
                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ error: `iterate until` has no limit [STN0216]
  help: add one, in steps, for runs that do not converge: `iterate until ..., limit 10000;`
u[t+1] *= tol; iterate 0 times; iterate 2 times; }
                       ^ error: the number of steps is 0 [STN0216]
  help: a run takes at least one step; only the calling program can take none
                                ^~~~~~~~~~~~~~~~ error: there is a second `iterate` [STN0216]
  help: join the conditions with `||`
)");
  expect_pages(complaints, R"(
--- values of the step itself come too late
stencil s { axes x; field f32 u, v;
  u[t+1] = 2*u;
  reduce r = max(u[t+1]);
                 ^~~~~~ note: it reads t+1 here
  v[t+1] = v / r; }
               ^ error: `r` is computed from the updates of a step, and cannot be read by them [STN0215]
  help: let the reduction read level t only: then it is known before the updates

--- they are read in updates and conditions only
stencil s { axes x; field f32 u;
  reduce a = sum(u);
  reduce b = sum((u - a)^2);
                      ^ error: the reduction `a` has no value here [STN0215]
  note: a reduction can be read in updates and in the condition of `iterate until`
  u[t+1] = u; }

--- runs have a limit
stencil s { axes x; field f32 u in, d out; d = u;
        ^ error: the stencil `s` has `iterate`, but takes no time steps [STN0216]
  help: step a field: `u[t+1] = ...;`
iterate 3 times; }
)");
}

const std::string kWave =
    "stencil s {\n"
    "  axes x; field f32 u boundary zero; field f32 c readonly; field i32 k readonly;\n"
    "  points src, rec linear; series f32 amp(src), trace(rec);\n"
    "  u[t+1] = 2*c*u*k;\n";

TEST(SemaPoints, InjectionsComeAfterTheUpdatesAndSamplesBeforeThem) {
  expect_rows([](const std::string& text) { return statements_of(kWave + text); }, R"(
sample trace[t] = u at rec; inject u[t+1] += amp[t]*c at src; }
=> sample trace[t] = u at rec
   u[t+1] = mul(mul(mul(2, c), u), f32(k))
   inject u[t+1] += mul(amp[t], c) at src
inject u[t+1] += x at src; inject u[t+1] -= amp[t] at src; sample trace[t] = u[t+1] - u at rec; }
=> u[t+1] = mul(mul(mul(2, c), u), f32(k))
   inject u[t+1] += f32(x) at src
   inject u[t+1] += neg(amp[t]) at src
   sample trace[t] = sub(u[t+1], u) at rec
)");
  expect_rows(statements_of, R"(
--- an output is sampled after the updates
stencil s { axes x; field f32 u boundary zero; field f32 d out; points p; series f32 v(p); sample v[t] = d at p; d = laplacian(u); u[t+1] = u; }
=> d = add(add(mul(-2, u), u[x-1]), u[x+1])
   u[t+1] = u
   sample v[t] = d[t+1] at p
)");
}

TEST(SemaPoints, Values) {
  Interpreted run(
      "stencil s { axes x, y; field f32 u; param f32 a; points src, rec; points between linear;\n"
      "series f32 amp(src), before(rec), after(between); u[t+1] = u + 1;\n"
      "let source = a*amp[t]; inject u[t+1] += source*u at src;\n"
      "sample before[t] = u at rec; sample after[t] = u[t+1] + t at between; }",
      {2, 2, 1});
  run.field("u", {1, 2, 3, 4}).param("a", 10);
  run.points("src", {{1, 0, 0}, {1, 0, 0}}).points("rec", {{0, 1, 0}, {9, 0, 0}});
  run.points("between", {{0.5, 0.25, 0}});
  run.series("amp", {1, 2, 0, 1}).series("before", {0, 0, 0, 0}).series("after", {0, 0}).run(2);
  // After the first step 2, 3 + 10*2 + 20*2, 4, 5; after the second 3, 64 + 10*63, 5, 6.
  EXPECT_EQ(run.field("u"), (Numbers{3, 694, 5, 6}));
  EXPECT_EQ(run.series("before"), (Numbers{3, 0, 4, 0}));  // outside of the grid there is nothing
  EXPECT_EQ(run.series("after"),
            (Numbers{0.75 * (2 + 63) / 2 + 0.25 * 4.5, 0.75 * (4 + 695) / 2 + 0.25 * 6.5}));
}

TEST(SemaPoints, AreRefused) {
  testing::expect_statements(complaints, kWave, "", R"(
--- values stand at the point
  inject u[t+1] += amp[t]*u[x-1] at src; sample trace[t] = laplacian(u) at rec; }
                          ^~~~~~ error: an injection reads `u[x-1]`, which is not in the cell of its point [STN0217]
  help: compute the value into a field of its own, and read that
                                                                     ^ error: a sample reads `u[x-1]`, which is not in the cell of its point [STN0217]
  help: compute the value into a field of its own, and read that
--- an injection knows level t
  inject u[t+1] += u[t+1] at src; }
                   ^~~~~~ error: an injection cannot read `u[t+1]`, which this step computes [STN0217]
  help: read level t or an input; the value is added to the result of the updates
--- a series belongs to its points
  inject u[t+1] += amp[t] at rec; sample trace[t] = u at src; }
                   ^~~~~~ error: `amp` holds a value for each of the points `src`, and an injection is at `rec` [STN0217]
  help: inject at `src`, or declare `amp(rec)`
                                                         ^~~ error: `trace` holds a value for each of the points `rec`, and the sample is at `src` [STN0217]
  help: write `at rec`: `rec`
--- a series is given or filled
  inject u[t+1] += amp[t] at src; sample amp[t] = u at src; }
                   ^~~~~~ error: `amp` is both filled by a sample and injected [STN0217]
  help: declare two series: one is an input of the run, the other a result
  sample trace[t] = u at rec;
  sample trace[t] = c at rec; }
         ^~~~~~~~ error: there is a second sample into `trace` [STN0208]
  help: declare a series for each sample
--- a series is read in injections
  u[t+1] += amp[t]; }
            ^~~~~~ error: `amp[t]` has values at points only, and can be used only in an injection [STN0217]
  help: add it at the points: `inject u[t+1] += ... at ...;`
)");
  expect_pages(complaints, R"(
--- it goes into the new level of a stepped field
stencil s {
  axes x; field f32 u boundary zero; field f32 c readonly; field i32 k readonly;
                                               ^ note 1: it is declared here
  points src, rec linear; series f32 amp(src), trace(rec);
  u[t+1] = 2*c*u*k;
  inject c[t+1] += 1 at src; inject u += 1 at src; }
         ^~~~~~ error: `c` is not stepped: there is no `c[t+1]` to inject into [STN0217]
  help: step it: `c[t+1] = c;`
                                    ^ error: an injection adds to t+1 in the cell of the point [STN0217]
  help: write `u[t+1] += ...`: `u[t+1]`

--- a series is read in injections
stencil s {
  axes x; field f32 u boundary zero; field f32 c readonly; field i32 k readonly;
  points src, rec linear; series f32 amp(src), trace(rec);
                                     ^~~ note 2: it is declared here
  u[t+1] = 2*c*u*k;
  inject u[t+1] += amp[t-1] at src; inject u[t+1] += amp at src; }
                   ^~~~~~~~ error: `amp` is read at another step than `t` [STN0217]
  help: write `amp[t]`; to use another step, shift the values that are given to the run
                                                     ^~~ error: the series `amp` needs its time index [STN0217]
  help: write `amp[t]`

--- interpolation needs floats
stencil s { axes x; field i32 u; points p linear;
  u[t+1] = u;
  inject u[t+1] += 1 at p; }
         ^~~~~~ error: `i32` values cannot be interpolated at `p`, whose points lie between cells [STN0217]
  help: use an `f32` field or series, or declare `points p;` without `linear`

--- names that are not what they should be
stencil s { axes x; field f32 u; points src; series f32 a(scr), b(u);
                                                          ^~~ error: `scr` is not declared [STN0201]
  help: did you mean `src`?
                                                                  ^ error: `u` is not a list of points [STN0301]
                              ^ note 2: it is declared here
                              ^ note 3: it is declared here
                              ^ note 4: it is declared here
  u[t+1] = u;
  inject u[t+1] += 1 at u;
                        ^ error: `u` is not a list of points [STN0301]
  sample u[t] = 1 at src; }
         ^ error: `u` is not a series [STN0301]
)");
}

TEST(SemaWeights, TheyAreReadByConstantIndices) {
  expect_rows(statements_of, R"(
--- they are read by constant indices
stencil s { axes x; field f32 u boundary zero; weights w[-1..1];
u[t+1] = sum(i in -1..1 : w[i]*u[x+i]); }
=> u[t+1] = add(add(mul(w{0}, u[x-1]), mul(w{1}, u)), mul(w{2}, u[x+1]))
--- it is the number of the step
stencil s { axes x; field f32 u; u[t+1] = u + t; } => u[t+1] = add(u, f32(t))
)");
  Interpreted run(
      "stencil s { axes x, y; field f32 u in boundary zero; field f32 d out; weights w[0..1, "
      "-1..0];\n"
      "d = sum(i in 0..1, j in -1..0 : w[i,j]*u[x+i, y+j]); }",
      {2, 2, 1});
  run.weights("w", {1000, 1, 100, 10}).field("u", {1, 2, 3, 4}).run(1);
  EXPECT_EQ(run.field("d"), (Numbers{21, 2, 1243, 2004}));
  EXPECT_EQ(run_of("stencil s { axes x; field i64 u; u[t+1] = 10*u + t; }", "4 steps on 1:"),
            "u = 123");
}

TEST(SemaWeights, TheirTypeIsTheRealTypeOfTheStencil) {
  const auto types = [](const std::string& text) {
    std::string result;
    for (const ir::Weights& weights : testing::canonical(text).weights)
      result += (result.empty() ? "" : " ") + std::string(ir::name(weights.type));
    return result;
  };
  expect_rows(types, R"(
stencil s { axes x; weights w[0..0], v[0..0]; field f32 u; u[t+1] = w[0]*v[0]*u; } => f32 f32
stencil s { axes x; weights w[0..0]; weights f32 v[0..0]; field f64 u; u[t+1] = w[0]*v[0]*u; } => f64 f32
stencil s { axes x; weights w[0..0]; field f32 u compute f64; u[t+1] = w[0]*u; } => f64
)");
}

TEST(SemaWeights, AreRefused) {
  expect_pages(complaints, R"(
--- indices are those of the ranges
stencil s { axes x; field f32 u boundary zero; weights w[-1..1];
                                                       ^ note: `w` is declared here
  u[t+1] = sum(i in -2..1 : w[i]*u[x+i]); }
                              ^ error: index -2 is outside -1..1 [STN0307]

--- they are no constants
stencil s { axes x; field f32 u; weights w[-1..1];
  const f32 k = w[0];
                ^~~~ error: the value of a const must be known when the stencil is compiled [STN0303]
  help: use a number, a `const`, or a window variable; `-D name=value` turns a param into a constant
  u[t+1] = k*u; }

--- all of them have 16 KiB
stencil s { axes x; field f64 u; weights w[0..1000];
  weights f32 v[0..999], q[0..999], r[0..95];
                                    ^ error: the weights have 16392 bytes; the limit is 16384 [STN0902]
  help: use a field for such a table
  u[t+1] = w[0]*v[0]*q[0]*r[0]*u; }

--- unused ones are said
stencil s { axes x; field f32 u;
weights w[0..1]; u[t+1] = u; }
        ^ warning: `w` is never used [STN0801]

--- the time is no constant
stencil s { axes x; field f32 u boundary clamp;
  u[t+1] = u^t; }
             ^ error: an exponent must be known when the stencil is compiled [STN0303]
  help: use a number, a `const`, or a window variable; `-D name=value` turns a param into a constant
)");
}

}  // namespace
}  // namespace stencilc
