// Each rule beside its examples: what is just not to be reported, and what still is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/linted.h"
#include "support/near_miss.h"
#include "support/tables.h"

namespace stencilc {
namespace {

using testing::expect_rows;

bool is_of_lint(diag::Code code) {
  return code.number >= diag::unstable.number && code.number <= diag::late_widening.number &&
         code != diag::unused_tuning;
}
testing::Parsed linted(const std::string& text) { return testing::linted(text); }

constexpr const char* kBorders = R"(
unstable factor | update | u + 0.{{51 => 5}} * laplacian(u)
unstable unknown | smooth | param f32 dt{{ = 1 => }}; u[t+1] = u + dt * laplacian(u);
weight-sum sum | smooth | const f32 w[-1..1] = { 0.25, 0.{{499 => 5}}, 0.25 }; u[t+1] = sum(i in -1..1 : w[i] * u[x+i]);
weight-sum far | smooth | const f32 w[-1..1] = { 0.25, 0.{{499 => 25}}, 0.25 }; u[t+1] = sum(i in -1..1 : w[i] * u[x+i]);
write-only read | smooth | field f32 g; u[t+1] = u[x-1]; g[t+1] = u;{{ =>  reduce r = sum(g[t+1]);}}
write-only declared | smooth | field f32 g{{ =>  inout}}; u[t+1] = u[x-1]; g[t+1] = u;
double-literal digits | update | 0.{{1234567891 => 123456789}} * u[x-1]
double-literal whole | update | min(u[x-1], {{16777217 => 16777216}})
double-literal type | x | field {{f32 => f64}} u boundary clamp; u[t+1] = 0.1234567891 * u[x-1];
axis-order order | file | stencil s { axes {{y, x => x, y}}; field f32 u boundary clamp; u[t+1] = u[x-1]; }
axis-order names | file | stencil s { axes {{y => row}}, x; field f32 u boundary clamp; u[t+1] = u[x-1]; }
float-equality computed | update | u[x-1] {{+ u  => }}== 1 ? 0 : u
float-equality fraction | update | u[x-1] == 0.{{1 => 5}} ? 0 : u
float-equality order | update | u[x-1] + u {{= => >}}= 1 ? 0 : u
late-widening factor | x | field f32 v in; field f64 u; u[t+1] = u + {{v*v => f64(v)*v}};
late-widening power | x | field f32 v in; field f64 u; u[t+1] = u + 0.{{3 => 25}}*v;
late-widening let | x | field {{f32 => f64}} v in; field f64 u; let e = v^2; u[t+1] = u + e;
float-equality candidate | x | field f32 u boundary clamp; let d = u[x-1] - u; u[t+1] = d == max(i in 0..1 : {{2*d[x+i] => d[x+i]}}) ? 1 : 0;
self-assignment level | smooth | field f32 c; u[t+1] = c * u[x-1]; c[t+1] = c{{ => [t-1]}};
separable-weights entry | xy | field f32 u boundary clamp; const f32 w[-1..1, -1..1] = { 1, 2, 3, 2, 4, 6, 3, 6, {{9 => 8}} } / 36; u[t+1] = sum(i in -1..1, j in -1..1 : w[i, j] * u[x+i, y+j]);
)";

TEST(LintNearMiss, EachBorderIsWhereTheRowSays) {
  const auto rows = testing::near_misses(kBorders);
  testing::expect_borders(rows, linted);
  testing::expect_all_codes(rows, is_of_lint);
}

TEST(LintCodes, ExamplesReportTheirCodeOrNothing) {
  testing::expect_examples(linted, is_of_lint);
  int count = 0;
  for (const diag::Row& row : diag::table()) {
    if (!is_of_lint(row.code)) continue;
    ++count;
    EXPECT_FALSE(row.failing.empty()) << row.name;
    EXPECT_EQ(row.severity, diag::Severity::warning) << row.name;
  }
  EXPECT_EQ(count, 9);
}

TEST(LintCodes, MessagesPointAtTheirPlace) {
  const auto example = [](const std::string& name) {
    return testing::rendered(linted(std::string(diag::find_row(name)->failing)));
  };
  expect_rows(example, R"(
unstable
=> in.stn:5:3: warning: unstable for `dt` > 0.25: each step multiplies the wave number (pi, pi) of `u` by 1.4 [STN0803]
      5 |   u[t+1] = u + dt * laplacian(u);
        |   ^~~~~~
     note: by von Neumann's analysis, with the defaults of the params and without boundaries
weight-sum
=> in.stn:4:13: warning: the weights of `w` sum to 0.999, which is close to 1 [STN0804]
      4 |   const f32 w[-1..1] = { 0.25, 0.499, 0.25 };
        |             ^
     help: divide them by their sum: `/ 0.999`
double-literal
=> in.stn:4:12: warning: `0.3333333333333` has more digits than `f32` holds; its value is 0.33333334 [STN0806]
      4 |   u[t+1] = 0.3333333333333 * (u[x-1] + u + u[x+1]);
        |            ^~~~~~~~~~~~~~~
     help: write `0.33333334`, or compute in `f64`
)");
}

// A stencil in x around some items; u is stepped, c is given, dst an output.
std::string found(diag::Code code, const std::string& items) {
  return testing::warnings("stencil s {\n  axes x;\n" + items + "\n}\n", code);
}

const std::string kStepped = "field f32 u boundary clamp; ";

TEST(LintWeightSum, JudgesCentredArrays) {
  const auto steps = [](const std::string& array) {
    return found(diag::weight_sum, "const f32 w" + array + "; " + kStepped +
                                       "u[t+1] = w[-1]*u[x-1] + w[0]*u + w[1]*u[x+1];");
  };
  expect_rows(steps, R"(
[-1..1] = { 0.25, 0.4973, 0.25 } => the weights of `w` sum to 0.9973, which is close to 1
[-1..1] = { 1, 2, 1 } / 4 =>
[-1..1] = { 100, 200, 101 } / 400 => the weights of `w` sum to 1.0025, which is close to 1
[-1..1] = { 1/3, 1/3, 1/3 } =>
[-1..1] = { 0.3333333, 0.3333333, 0.3333334 } =>
--- meant so
[-1..1] = { 0.25, 0.48, 0.25 } =>
[-1..1] = { 0.001, 0.002, 0.003 } =>
--- close to 0
[-1..1] = { -1, 1.999, -1 } => the weights of `w` sum to -0.001, which is close to 0
--- rounded to the digits that are written: a loss in steps, not in one pass
[-1..1] = { 0.333, 0.333, 0.333 } => the weights of `w` sum to 0.999, which is close to 1
)");
  const auto once = [](const std::string& array) {
    return found(diag::weight_sum, "const f32 w" + array +
                                       "; field f32 u in boundary clamp; field f32 dst out; "
                                       "dst = w[-1]*u[x-1] + w[0]*u + w[1]*u[x+1];");
  };
  expect_rows(once, R"(
[-1..1] = { 0.333, 0.333, 0.333 } =>
[-1..1] = { 0.333, 0.333, 0.331 } => the weights of `w` sum to 0.997, which is close to 1
)");
  // Not a kernel around the cell.
  EXPECT_EQ(found(diag::weight_sum, "const f32 w[0..2] = { 0.25, 0.499, 0.25 }; " + kStepped +
                                        "u[t+1] = w[0]*u[x-1] + w[1]*u + w[2]*u[x+1];"),
            "");
}

TEST(LintWeightSum, JudgesStepsWrittenAsNumbersTimesTheField) {
  const auto sum = [](const std::string& value) {
    return found(diag::weight_sum,
                 kStepped + "field f32 c in boundary clamp; u[t+1] = 0*c[x+1] + 0*c[x-1] + 0;" +
                     "u[t+1] = " + value + ";");
  };
  expect_rows(sum, R"(
0.25*u[x-1] + 0.499*u + 0.25*u[x+1] => the weights of the step of `u` sum to 0.999, which is close to 1
0.333*(u[x-1] + u + u[x+1]) => the weights of the step of `u` sum to 0.999, which is close to 1
(u[x-1] + 2*u + u[x+1]) / 4.01 => the weights of the step of `u` sum to 0.997506, which is close to 1
(u[x-1] + 2*u + u[x+1]) / 4 =>
2*u - 0.5*u[x-1] - 0.5*u[x+1] =>
--- a decay
0.999*u + 0.1*laplacian(u) =>
--- a source
0.25*u[x-1] + 0.499*u + 0.25*c[x+1] =>
--- not whole weights
0.9*(0.25*u[x-1] + 0.86*u + 0.0005*u[x+1]) =>
)");
}

TEST(LintWriteOnly, JudgesSteppedFieldsThatNothingReads) {
  const auto of_v = [](const std::string& field, const std::string& rest) {
    return found(diag::write_only,
                 kStepped + "field f32 " + field + "; u[t+1] = u[x-1]; v[t+1] = 2*u;" + rest);
  };
  expect_rows(of_v, R"(
v |  => `v` is updated, but nothing reads it
v inout |  =>
v | reduce r = max(v[t+1]); =>
v | v[t+1] += 1; =>
v | points p; series f32 a(p); sample a[t] = v at p; =>
)");
}

TEST(LintDoubleLiteral, JudgesLiteralsThatAdoptF32) {
  const auto update = [](const std::string& type, const std::string& value) {
    return found(diag::double_literal,
                 "field " + type + " u boundary clamp; u[t+1] = " + value + ";");
  };
  expect_rows(update, R"(
f32 | 0.1234567890123*u[x-1] => `0.1234567890123` has more digits than `f32` holds; its value is 0.12345679
f64 | 0.1234567890123*u[x-1] =>
--- nine digits
f32 | 0.123456789*u[x-1] =>
--- a power of 2, held in full
f32 | 0.0000152587890625*u[x-1] =>
f32 | u[x-1] / 3 =>
f32 | u[x-1] + 16777217 => `16777217` has more digits than `f32` holds; its value is 16777216
f32 | u[x-1] + 16777218 =>
--- of i64
f32 | x > 16777217 ? u[x-1] : u =>
i32 | u[x-1] + 16777217 =>
f16 | u[x-1] - 3.14159265358979 => `3.14159265358979` has more digits than `f32` holds; its value is 3.1415927
)");
  const auto declared = [](const std::string& items) {
    return found(diag::double_literal, items + " field f64 u boundary clamp; u[t+1] = k*u[x-1];");
  };
  expect_rows(declared, R"(
--- declarations by their type
const f32 k = 3.14159265358979; => `3.14159265358979` has more digits than `f32` holds; its value is 3.1415927
const f64 k = 3.14159265358979; =>
param f32 k = -3.14159265358979; => `3.14159265358979` has more digits than `f32` holds; its value is 3.1415927
param f64 k = -3.14159265358979; =>
)");
}

TEST(LintAxisOrder, JudgesTheOrderOfCIndices) {
  const auto axes = [](const std::string& names) {
    return testing::warnings("stencil s { axes " + names + "; field f32 u; u[t+1] = 0.5*u; }",
                             diag::axis_order);
  };
  expect_rows(axes, R"(
z, y, x => the first axis is the contiguous one in memory, which is `z` here
j, i => the first axis is the contiguous one in memory, which is `j` here
y, x => the first axis is the contiguous one in memory, which is `y` here
x, y, z =>
i, j =>
--- columns of the earth, stored so
z, x =>
y =>
)");
}

TEST(LintFloatEquality, JudgesComparisonsOfRoundedNumbers) {
  const auto compared = [](const std::string& condition) {
    return found(diag::float_equality, "param f32 p = 1; param i32 n = 3; " + kStepped +
                                           "let mean = 0.5*(u[x-1] + u[x+1]); u[t+1] = " +
                                           condition + " ? p : mean + f32(n);");
  };
  expect_rows(compared, R"(
u + p == 2 => rounded numbers are compared with `==`
mean != u => rounded numbers are compared with `!=`
u == 0.1 => rounded numbers are compared with `==`
sqrt(p) == 3 => rounded numbers are compared with `==`
u == 0.5 =>
u == p =>
u == min(u[x-1], u[x+1]) =>
u != u =>
(x + n) % 2 == 0 =>
mean <= u =>
--- a selection is one of its candidates, wherever they are read
mean == max(i in -1..1 : mean[x+i]) =>
abs(mean) != min(abs(mean[x-1]), p) =>
(n > 2 ? mean : p) == mean =>
2*mean == max(i in -1..1 : 2*mean[x+i]) =>
mean == max(i in -1..1 : 2*mean[x+i]) => rounded numbers are compared with `==`
mean == mean[x+1] => rounded numbers are compared with `==`
sum(i in -1..1 : u[x+i]) == 3 => rounded numbers are compared with `==`
max(i in -1..1 : u[x+i]) == 3 =>
)");
  // Lets that use each other twice are judged once each.
  std::string items = kStepped + "let a0 = min(u[x-1], u);";
  for (int i = 1; i <= 40; ++i) items += fmt::format("let a{0} = min(a{1}, a{1});", i, i - 1);
  EXPECT_EQ(found(diag::float_equality, items + "u[t+1] = a40 == u ? u[x-1] : u;"), "");
}

TEST(LintSelfAssignment, JudgesTheFirstStatementOfAField) {
  const auto update = [](const std::string& statements) {
    return found(diag::self_assignment, kStepped + statements);
  };
  expect_rows(update, R"(
u[t+1] = u; u[t+1] = u[x-1] on x > 3; => `u` is assigned its own value
--- takes back what was assigned
u[t+1] = u[x-1]; u[t+1] = u on x == 0; =>
u[t+1] = u[x-1]; =>
u[t+1] = u[x-1] + u[t-1]; =>
points p; series f32 a(p); field f32 v; v[t+1] = v; u[t+1] = u[x-1] + v; inject v[t+1] += a[t] at p; =>
)");
}

}  // namespace
}  // namespace stencilc
