// Each rule beside its examples: what is just not to be reported, and what still is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/linted.h"

namespace stencilc {
namespace {

// A stencil in x around some items; u is stepped, c is given, dst an output.
std::string found(diag::Code code, const std::string& items) {
  return testing::warnings("stencil s {\n  axes x;\n" + items + "\n}\n", code);
}

constexpr const char* kStepped = "field f32 u boundary clamp; ";

TEST(LintWeightSum, JudgesCentredArrays) {
  const auto sum = [](const std::string& array, const std::string& rest) {
    return found(diag::weight_sum, "const f32 w" + array + "; " + rest);
  };
  const std::string steps = std::string(kStepped) + "u[t+1] = w[-1]*u[x-1] + w[0]*u + w[1]*u[x+1];";
  const std::string once =
      "field f32 u in boundary clamp; field f32 dst out; dst = w[-1]*u[x-1] + w[0]*u + "
      "w[1]*u[x+1];";
  EXPECT_EQ(sum("[-1..1] = { 0.25, 0.4973, 0.25 }", steps),
            "the weights of `w` sum to 0.9973, which is close to 1\n");
  EXPECT_EQ(sum("[-1..1] = { 1, 2, 1 } / 4", steps), "");
  EXPECT_NE(sum("[-1..1] = { 100, 200, 101 } / 400", steps), "");
  EXPECT_EQ(sum("[-1..1] = { 1/3, 1/3, 1/3 }", steps), "");
  EXPECT_EQ(sum("[-1..1] = { 0.3333333, 0.3333333, 0.3333334 }", steps), "");
  EXPECT_EQ(sum("[-1..1] = { 0.25, 0.48, 0.25 }", steps), "");  // meant so
  EXPECT_NE(sum("[-1..1] = { -1, 1.999, -1 }", steps), "");     // close to 0
  EXPECT_EQ(sum("[-1..1] = { 0.001, 0.002, 0.003 }", steps), "");
  // Rounded to the digits that are written: a loss in steps, not in one pass.
  EXPECT_NE(sum("[-1..1] = { 0.333, 0.333, 0.333 }", steps), "");
  EXPECT_EQ(sum("[-1..1] = { 0.333, 0.333, 0.333 }", once), "");
  EXPECT_NE(sum("[-1..1] = { 0.333, 0.333, 0.331 }", once), "");
  // Not a kernel around the cell.
  EXPECT_EQ(found(diag::weight_sum, "const f32 w[0..2] = { 0.25, 0.499, 0.25 }; " +
                                        std::string(kStepped) +
                                        "u[t+1] = w[0]*u[x-1] + w[1]*u + w[2]*u[x+1];"),
            "");
}

TEST(LintWeightSum, JudgesStepsWrittenAsNumbersTimesTheField) {
  const auto sum = [](const std::string& value) {
    return found(diag::weight_sum,
                 std::string(kStepped) +
                     "field f32 c in boundary clamp; u[t+1] = 0*c[x+1] + 0*c[x-1] + 0;" +
                     "u[t+1] = " + value + ";");
  };
  EXPECT_EQ(sum("0.25*u[x-1] + 0.499*u + 0.25*u[x+1]"),
            "the weights of the step of `u` sum to 0.999, which is close to 1\n");
  EXPECT_NE(sum("0.333*(u[x-1] + u + u[x+1])"), "");
  EXPECT_NE(sum("(u[x-1] + 2*u + u[x+1]) / 4.01"), "");
  EXPECT_EQ(sum("(u[x-1] + 2*u + u[x+1]) / 4"), "");
  EXPECT_EQ(sum("2*u - 0.5*u[x-1] - 0.5*u[x+1]"), "");
  EXPECT_EQ(sum("0.999*u + 0.1*laplacian(u)"), "");                  // a decay
  EXPECT_EQ(sum("0.25*u[x-1] + 0.499*u + 0.25*c[x+1]"), "");         // a source
  EXPECT_EQ(sum("0.9*(0.25*u[x-1] + 0.86*u + 0.0005*u[x+1])"), "");  // not whole weights
}

TEST(LintWriteOnly, JudgesSteppedFieldsThatNothingReads) {
  const auto of_v = [](const std::string& role, const std::string& rest) {
    return found(diag::write_only, std::string(kStepped) + "field f32 v" + role +
                                       "; u[t+1] = u[x-1]; v[t+1] = 2*u;" + rest);
  };
  EXPECT_EQ(of_v("", ""), "`v` is stepped, and nothing reads it\n");
  EXPECT_EQ(of_v(" inout", ""), "");
  EXPECT_EQ(of_v("", "reduce r = max(v[t+1]);"), "");
  EXPECT_EQ(of_v("", "v[t+1] += 1;"), "");
  EXPECT_EQ(of_v("", "points p; series f32 a(p); sample a[t] = v at p;"), "");
}

TEST(LintDoubleLiteral, JudgesLiteralsThatAdoptF32) {
  const auto update = [](const std::string& value, const std::string& type) {
    return found(diag::double_literal,
                 "field " + type + " u boundary clamp; u[t+1] = " + value + ";");
  };
  EXPECT_EQ(update("0.1234567890123*u[x-1]", "f32"),
            "`0.1234567890123` has more digits than `f32` holds: it is 0.12345679\n");
  EXPECT_EQ(update("0.1234567890123*u[x-1]", "f64"), "");
  EXPECT_EQ(update("0.123456789*u[x-1]", "f32"), "");         // nine digits
  EXPECT_EQ(update("0.0000152587890625*u[x-1]", "f32"), "");  // a power of 2, held in full
  EXPECT_EQ(update("u[x-1] / 3", "f32"), "");
  EXPECT_NE(update("u[x-1] + 16777217", "f32"), "");
  EXPECT_EQ(update("u[x-1] + 16777218", "f32"), "");
  EXPECT_EQ(update("x > 16777217 ? u[x-1] : u", "f32"), "");  // of i64
  EXPECT_EQ(update("u[x-1] + 16777217", "i32"), "");
  EXPECT_NE(update("u[x-1] - 3.14159265358979", "f16"), "");
}

TEST(LintDoubleLiteral, JudgesDeclarationsByTheirType) {
  const auto declared = [](const std::string& items) {
    return found(diag::double_literal, items + " field f64 u boundary clamp; u[t+1] = k*u[x-1];");
  };
  EXPECT_NE(declared("const f32 k = 3.14159265358979;"), "");
  EXPECT_EQ(declared("const f64 k = 3.14159265358979;"), "");
  EXPECT_NE(declared("param f32 k = -3.14159265358979;"), "");
  EXPECT_EQ(declared("param f64 k = -3.14159265358979;"), "");
}

TEST(LintAxisOrder, JudgesTheOrderOfCIndices) {
  const auto axes = [](const std::string& names) {
    return testing::warnings("stencil s { axes " + names + "; field f32 u; u[t+1] = 0.5*u; }",
                             diag::axis_order);
  };
  EXPECT_EQ(axes("z, y, x"), "the first axis is the contiguous one, and here that is `z`\n");
  EXPECT_NE(axes("j, i"), "");
  EXPECT_NE(axes("y, x"), "");
  EXPECT_EQ(axes("x, y, z"), "");
  EXPECT_EQ(axes("i, j"), "");
  EXPECT_EQ(axes("z, x"), "");  // columns of the earth, stored so
  EXPECT_EQ(axes("y"), "");
}

TEST(LintFloatEquality, JudgesComparisonsOfRoundedNumbers) {
  const auto compared = [](const std::string& condition) {
    return found(diag::float_equality,
                 "param f32 p = 1; param i32 n = 3; " + std::string(kStepped) +
                     "let mean = 0.5*(u[x-1] + u[x+1]); u[t+1] = " + condition +
                     " ? p : mean + f32(n);");
  };
  EXPECT_EQ(compared("u + p == 2"), "rounded numbers are compared by `==`\n");
  EXPECT_EQ(compared("mean != u"), "rounded numbers are compared by `!=`\n");
  EXPECT_NE(compared("u == 0.1"), "");
  EXPECT_NE(compared("sqrt(p) == 3"), "");
  EXPECT_EQ(compared("u == 0.5"), "");
  EXPECT_EQ(compared("u == p"), "");
  EXPECT_EQ(compared("u == min(u[x-1], u[x+1])"), "");
  EXPECT_EQ(compared("u != u"), "");
  EXPECT_EQ(compared("(x + n) % 2 == 0"), "");
  EXPECT_EQ(compared("mean <= u"), "");
}

// Lets that use each other twice are judged once each.
TEST(LintFloatEquality, TakesNoLongerForNestedLets) {
  std::string items = kStepped + std::string("let a0 = min(u[x-1], u);");
  for (int i = 1; i <= 40; ++i) items += fmt::format("let a{0} = min(a{1}, a{1});", i, i - 1);
  EXPECT_EQ(found(diag::float_equality, items + "u[t+1] = a40 == u ? u[x-1] : u;"), "");
}

TEST(LintSelfAssignment, JudgesTheFirstStatementOfAField) {
  const auto update = [](const std::string& statements) {
    return found(diag::self_assignment, std::string(kStepped) + statements);
  };
  EXPECT_EQ(update("u[t+1] = u; u[t+1] = u[x-1] on x > 3;"), "`u` is assigned its own value\n");
  EXPECT_EQ(update("u[t+1] = u[x-1]; u[t+1] = u on x == 0;"), "");  // takes back what was assigned
  EXPECT_EQ(update("u[t+1] = u[x-1];"), "");
  EXPECT_EQ(update("u[t+1] = u[x-1] + u[t-1]; "), "");
  EXPECT_EQ(update("points p; series f32 a(p); field f32 v; v[t+1] = v; u[t+1] = u[x-1] + v;"
                   "inject v[t+1] += a[t] at p;"),
            "");
}

}  // namespace
}  // namespace stencilc
