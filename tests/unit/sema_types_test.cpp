// What type an expression computes in, and what may be assigned to what.
#include <gtest/gtest.h>

#include "support/analysed.h"

namespace stencilc {
namespace {

constexpr ir::Numerics kAsWritten{ir::Numerics::source, false};

// Fields of every type. The f64 one is there only where `expr` has a `d`: it makes the stencil's
// real type f64.
std::string fields(const std::string& expr) {
  return std::string(
             "param f32 p; param i32 n; field u8 a, b in boundary clamp; field i16 h in; ") +
         "field i32 i in; field i64 l in; field f32 f in boundary clamp; field bool q in; " +
         (expr.find('d') == std::string::npos ? "" : "field f64 d in; ");
}
// The value of `expr`, assigned to an output of type `type`, roundings as written.
std::string value(const std::string& type, const std::string& expr) {
  return testing::value_of(
      "stencil s { axes x, y; " + fields(expr) + "field " + type + " r out; r = " + expr + "; }",
      kAsWritten);
}
// The error of the same statement.
std::string error(const std::string& type, const std::string& expr) {
  return testing::complaints("stencil s {\naxes x, y; " + fields(expr) + "field " + type +
                             " r out;\nr = " + expr + ";\n}\n");
}

TEST(SemaTypes, NarrowIntegersComputeInI32) {
  EXPECT_EQ(value("i32", "a + b"), "add(i32(a), i32(b))");
  EXPECT_EQ(value("i32", "a*h - idiv(b, 2) % 3"),
            "sub(mul(i32(a), i32(h)), mod(idiv(i32(b), 2), 3))");
  EXPECT_EQ(value("i64", "a + l"), "add(i64(a), l)");
  EXPECT_EQ(value("i32", "-a"), "neg(i32(a))");
  EXPECT_EQ(value("i32", "abs(h)"), "abs(i32(h))");
}

TEST(SemaTypes, LiteralsAdoptTheTypeTheyMeet) {
  EXPECT_EQ(value("f32", "2*f + 1"), "add(mul(2, f), 1)");
  EXPECT_EQ(value("f32", "0.1*f"), "mul(0.1, f)");
  EXPECT_EQ(value("f64", "0.1*d"), "mul(0.1, d)");
  EXPECT_EQ(value("i64", "l + 3"), "add(l, 3)");
  EXPECT_EQ(value("f32", "i + 0.5"), "add(f32(i), 0.5)");
  EXPECT_EQ(value("f32", "1/3 * f"), "mul(0.33333334, f)");
  EXPECT_EQ(value("f32", "f + 2*3"), "add(f, 6)");
  EXPECT_EQ(value("u8", "200"), "200");
  EXPECT_EQ(value("f32", "q ? 1 : 2"), "select(q, 1, 2)");
}

TEST(SemaTypes, MixedOperandsTakeTheFloat) {
  EXPECT_EQ(value("f32", "a*f"), "mul(f32(a), f)");
  EXPECT_EQ(value("f32", "l*f"), "mul(f32(l), f)");
  EXPECT_EQ(value("f64", "f*d"), "mul(f64(f), d)");
  EXPECT_EQ(value("f32", "p*n"), "mul(p, f32(n))");
  EXPECT_EQ(value("f32", "x*f"), "mul(f32(x), f)");
  EXPECT_EQ(value("f32", "sqrt(i)"), "sqrt(f32(i))");
  EXPECT_EQ(value("f64", "pow(d, 1.5)"), "pow(d, 1.5)");
}

TEST(SemaTypes, AFractionBesideAnIntegerHasTheRealTypeOfTheStencil) {
  EXPECT_EQ(value("f32", "i + 0.5"), "add(f32(i), 0.5)");
  EXPECT_EQ(value("f64", "i + 0.5 + 0*d"), "add(add(f64(i), 0.5), mul(0, d))");
  EXPECT_EQ(value("f64", "sqrt(i) + 0*d"), "add(sqrt(f64(i)), mul(0, d))");
}

TEST(SemaTypes, NoDoubleCreepsIntoF32) {
  const std::string text = value("f32", "0.1*f + 1e-3*(f - 0.5)/3 + p*0.2");
  EXPECT_EQ(text.find("f64"), std::string::npos) << text;
}

TEST(SemaTypes, WideningIsImplicit) {
  EXPECT_EQ(value("f64", "f"), "f64(f)");
  EXPECT_EQ(value("i64", "a"), "i64(a)");
  EXPECT_EQ(value("i16", "a"), "i16(a)");
  EXPECT_EQ(value("f32", "l"), "f32(l)");
  EXPECT_EQ(value("f32", "q"), "f32(q)");
  EXPECT_EQ(value("u8", "q"), "u8(q)");
}

TEST(SemaTypes, NarrowingIsAnErrorThatSaysWhatToWrite) {
  EXPECT_EQ(
      error("u8", "a + b"),
      "in.stn:3:5: error: the value is `i32`, the field `r` is `u8` [STN0302]\n"
      "   3 | r = a + b;\n"
      "     |     ^~~~~\n"
      "  help: write `sat_u8(...)` to round and saturate, or `u8(...)` to keep the low bits\n");
  EXPECT_EQ(error("u8", "f"),
            "in.stn:3:5: error: the value is `f32`, the field `r` is `u8` [STN0302]\n"
            "   3 | r = f;\n"
            "     |     ^\n"
            "  help: write `sat_u8(...)` to round and saturate, or `u8(...)` to truncate\n");
  EXPECT_EQ(error("f32", "d*2"),
            "in.stn:3:5: error: the value is `f64`, the field `r` is `f32` [STN0302]\n"
            "   3 | r = d*2;\n"
            "     |     ^~~\n"
            "  help: write `f32(...)` to round it\n");
  EXPECT_NE(error("i32", "l").find("the value is `i64`, the field `r` is `i32` [STN0302]"),
            std::string::npos);
  EXPECT_NE(error("i8", "a").find("the value is `u8`, the field `r` is `i8` [STN0302]"),
            std::string::npos);
  EXPECT_EQ(error("bool", "f"),
            "in.stn:3:5: error: the value is `f32`, the field `r` is `bool` [STN0301]\n"
            "   3 | r = f;\n"
            "     |     ^\n"
            "  help: compare it: `... != 0`\n");
}

TEST(SemaTypes, CastsSayWhatIsLost) {
  EXPECT_EQ(value("u8", "u8(a + b)"), "u8(add(i32(a), i32(b)))");
  EXPECT_EQ(value("u8", "sat_u8(1.5*a)"), "sat_u8(mul(1.5, f32(a)))");
  EXPECT_EQ(value("f32", "f32(d)"), "f32(d)");
  EXPECT_EQ(value("u8", "sat_u8(300)"), "255");
  EXPECT_EQ(value("u8", "u8(300)"), "44");
  EXPECT_EQ(value("bool", "bool(f)"), "bool(f)");
}

TEST(SemaTypes, LiteralsMustFit) {
  EXPECT_NE(error("u8", "256").find("256 does not fit `u8` [STN0305]"), std::string::npos);
  EXPECT_NE(error("u8", "-1").find("-1 does not fit `u8` [STN0305]"), std::string::npos);
  EXPECT_NE(error("i32", "0.5").find("0.5 does not fit `i32` [STN0305]"), std::string::npos);
  EXPECT_NE(error("i32", "i + 3000000000").find("3000000000 does not fit `i32` [STN0305]"),
            std::string::npos);
  EXPECT_NE(error("f32", "1e60*f").find("1e+60 does not fit `f32` [STN0305]"), std::string::npos);
}

TEST(SemaTypes, ConditionsAreBoolAndComparisonsMakeThem) {
  EXPECT_EQ(value("f32", "f < 1 && !(i >= 2) ? f : 0"),
            "select(and(lt(f, 1), not(ge(i, 2))), f, 0)");
  EXPECT_EQ(value("bool", "q == true"), "eq(q, true)");
  EXPECT_EQ(value("bool", "q || f != 0"), "or(q, ne(f, 0))");
  EXPECT_EQ(value("bool", "a == i"), "eq(i32(a), i)");
  EXPECT_EQ(error("f32", "f && q ? 1 : 2"),
            "in.stn:3:5: error: a condition is expected here, and this is a number [STN0301]\n"
            "   3 | r = f && q ? 1 : 2;\n"
            "     |     ^\n"
            "  help: compare it: `... != 0`\n");
  EXPECT_NE(error("f32", "i ? 1 : 2").find("a condition is expected here"), std::string::npos);
  EXPECT_NE(error("bool", "!f").find("a condition is expected here"), std::string::npos);
}

TEST(SemaTypes, BothArmsOfAChoiceHaveOneType) {
  EXPECT_EQ(value("f64", "q ? f : d"), "select(q, f64(f), d)");
  EXPECT_EQ(value("u8", "q ? a : b"), "select(q, a, b)");
  EXPECT_EQ(value("u8", "i > 2 ? 1 : 0"), "select(gt(i, 2), 1, 0)");
}

TEST(SemaTypes, MinAndMaxOfOneNarrowTypeStayInIt) {
  EXPECT_EQ(value("u8", "max(a, b)"), "max(a, b)");
  EXPECT_EQ(value("u8", "min(a, b, a[x+1])"), "min(min(a, b), a[x+1])");
  EXPECT_EQ(value("i32", "max(a, 3)"), "max(i32(a), 3)");
  EXPECT_EQ(value("f32", "max(f, 0)"), "max(f, 0)");
}

TEST(SemaTypes, IntegersAreNotDividedByASlash) {
  EXPECT_NE(error("i32", "i / 2").find("`/` divides integers here [STN0304]"), std::string::npos);
  EXPECT_EQ(value("f32", "i / 2.0"), "div(f32(i), 2)");
  EXPECT_EQ(value("i32", "idiv(i, 6/3)"), "idiv(i, 2)");
  EXPECT_NE(error("i32", "idiv(f, 2)").find("`idiv` takes integers [STN0301]"), std::string::npos);
  EXPECT_NE(error("f32", "f % 2").find("[STN0301]"), std::string::npos);
  EXPECT_NE(error("i32", "i % 0").find("[STN0308]"), std::string::npos);
  EXPECT_NE(error("f32", "f / (1 - 1)").find("[STN0308]"), std::string::npos);
}

TEST(SemaTypes, PowersUnfoldIntoProducts) {
  EXPECT_EQ(value("f32", "f^1"), "f");
  EXPECT_EQ(value("f32", "f^2"), "mul(f, f)");
  EXPECT_EQ(value("f32", "f^3"), "mul(f, mul(f, f))");
  EXPECT_EQ(value("f32", "f^4"), "mul(mul(f, f), mul(f, f))");
  EXPECT_EQ(value("f32", "f^-2"), "div(1, mul(f, f))");
  EXPECT_EQ(value("f32", "f^0.5"), "pow(f, 0.5)");
  EXPECT_EQ(value("f32", "-f^2"), "neg(mul(f, f))");
  EXPECT_EQ(value("i32", "i^2"), "mul(i, i)");
  EXPECT_EQ(value("f32", "2^10*f"), "mul(1024, f)");
  EXPECT_NE(error("f32", "f^f").find("[STN0303]"), std::string::npos);
}

}  // namespace
}  // namespace stencilc
