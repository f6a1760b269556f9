// Boundaries of all kinds: what they resolve to, and what is said of those that cannot be.
#include <gtest/gtest.h>

#include "support/analysed.h"

namespace stencilc {
namespace {

using testing::complaints;

const std::string kHead = "stencil s { axes x, y; param f32 a = 1; const f32 c = 2;\n";

// The declaration of u, as the IR holds it.
std::string resolved(const std::string& declaration, const std::string& value = "u[x-1]") {
  const testing::Analysed result =
      testing::analysed(kHead + declaration + "\nu[t+1] = " + value + "; }");
  if (!result.stencil) return testing::rendered(result.parsed);
  const std::string text = ir::print(*result.stencil);
  const size_t begin = text.find(" u stepped"), end = text.find('\n', begin);
  return text.substr(begin + 1, end - begin - 1);
}
// What is said of it, the excerpts left out.
std::string refused(const std::string& declaration, const std::string& value = "u[x-1]") {
  const std::string all = complaints(kHead + declaration + "\nu[t+1] = " + value + "; }");
  std::string result;
  for (size_t at = 0; at < all.size();) {
    const size_t end = all.find('\n', at);
    const std::string line = all.substr(at, end - at);
    const bool excerpt = line.find(" | ") == 4 || line.find(" | ") == 5;
    if (!excerpt && line.find("STN0801") == std::string::npos) result += line + "\n";
    at = end + 1;
  }
  return result;
}

TEST(SemaBoundary, AKindHoldsOnAllSides) {
  for (const char* kind :
       {"none", "fixed", "clamp", "reflect", "mirror", "antireflect", "periodic", "ghost"})
    EXPECT_EQ(resolved("field f32 u boundary " + std::string(kind) + ";"),
              "u stepped, levels t, boundary " + std::string(kind));
  EXPECT_EQ(resolved("field f32 u boundary zero;"), "u stepped, levels t, boundary constant 0");
  EXPECT_EQ(resolved("field f32 u boundary constant 2*a + c;"),
            "u stepped, levels t, boundary constant add(mul(2, a), 2)");
  EXPECT_EQ(resolved("field f32 u boundary expr 0.5*x + t;"),
            "u stepped, levels t, boundary expr add(mul(0.5, f32(x)), f32(t))");
  EXPECT_EQ(resolved("field f32 u boundary neumann a;"), "u stepped, levels t, boundary neumann a");
}

TEST(SemaBoundary, EachSideMayHaveItsOwn) {
  EXPECT_EQ(
      resolved("field f32 u boundary { x: periodic; y.lo: constant 1; y.hi: clamp; }", "u[y+1]"),
      "u stepped, levels t, boundary { x.lo: periodic; x.hi: periodic; y.lo: constant 1; y.hi: "
      "clamp; }");
  EXPECT_EQ(resolved("field f32 u; boundary u { x.lo: antireflect; x.hi: neumann 0.5 }"),
            "u stepped, levels t, boundary { x.lo: antireflect; x.hi: neumann 0.5; }");
  // a side without one is no matter where nothing is read beyond it
  EXPECT_EQ(resolved("field f32 u boundary { x.lo: clamp; }"),
            "u stepped, levels t, boundary { x.lo: clamp; }");
}

TEST(SemaBoundary, ASideWithoutOneIsMissedWhereItIsReadAcross) {
  EXPECT_EQ(complaints(kHead + "field f32 u boundary { x.lo: clamp; }\nu[t+1] = a*c*u[x+1]; }"),
            "in.stn:3:14: error: `u` is read beyond `x.hi`, and nothing says what lies there "
            "[STN0404]\n"
            "   3 | u[t+1] = a*c*u[x+1]; }\n"
            "     |              ^~~~~~\n"
            "in.stn:2:11: note: `u` is declared here\n"
            "   2 | field f32 u boundary { x.lo: clamp; }\n"
            "     |           ^\n"
            "  help: add the side to its boundary: `x.hi: clamp;`\n");
}

// The value is in the compute type; what an integer field holds must fit it.
TEST(SemaBoundary, ValuesHaveTheTypeOfTheField) {
  EXPECT_EQ(resolved("field u8 u boundary constant 255;"),
            "u stepped, levels t, boundary constant 255");
  EXPECT_EQ(resolved("field u8 u boundary expr sat_u8(x);"),
            "u stepped, levels t, boundary expr sat_u8(x)");
  EXPECT_EQ(resolved("field bool u boundary constant true;"),
            "u stepped, levels t, boundary constant true");
  EXPECT_EQ(refused("field u8 u boundary constant 256;"),
            "in.stn:2:30: error: 256 does not fit `u8` [STN0305]\n");
  EXPECT_EQ(refused("field u8 u boundary constant a;"),
            "in.stn:2:30: error: the value is `f32`, the boundary of `u` is `u8` [STN0302]\n"
            "  help: write `sat_u8(...)` to round and saturate, or `u8(...)` to truncate\n");
  const testing::Analysed half =
      testing::analysed(kHead + "field f16 u boundary neumann 0.1;\nu[t+1] = f16(u[x-1]); }");
  ASSERT_TRUE(half.stencil);
  const ir::Side& side = half.stencil->fields[0].boundary.sides[0][0];
  EXPECT_EQ(side.value->type, ir::Type::f32);
  EXPECT_EQ(ir::as<ir::Constant>(side.value)->value.real, 0.1f);
}

TEST(SemaBoundary, SignsAndSlopesAreForFloats) {
  EXPECT_EQ(refused("field i32 u boundary antireflect;"),
            "in.stn:2:22: error: `antireflect` on `u`, which holds `i32`; it needs floats "
            "[STN0406]\n"
            "  help: `reflect` keeps the sign\n");
  EXPECT_EQ(refused("field u8 u boundary neumann 1;"),
            "in.stn:2:21: error: `neumann` on `u`, which holds `u8`; it needs floats [STN0406]\n"
            "  help: `clamp` repeats the cell at the rim\n");
}

TEST(SemaBoundary, AValueIsKnownBeyondTheRim) {
  EXPECT_EQ(complaints(kHead + "field f32 u boundary constant x + a*c;\nu[t+1] = u[x-1]; }"),
            "in.stn:2:31: error: the value of `constant` changes along `x` [STN0406]\n"
            "   2 | field f32 u boundary constant x + a*c;\n"
            "     |                               ^~~~~~~\n"
            "  help: `expr` takes a value for each cell\n");
  EXPECT_EQ(refused("field f32 u boundary neumann x + 1;"),
            "in.stn:2:30: error: the value of `neumann` changes along `x` [STN0406]\n"
            "  help: the slope is one number for the whole side\n");
  EXPECT_EQ(refused("field f32 u boundary expr 2*u[x+1];"),
            "in.stn:2:29: error: the value of a boundary reads `u`, and beyond the rim there are "
            "no cells [STN0406]\n"
            "  help: it is made of coordinates, extents, params, consts and `t`\n");
  // through a let, and before the boundary of what it reads is known
  EXPECT_EQ(refused("let l = u[x+1]; field f32 u; boundary u expr l;"),
            "in.stn:2:9: error: the value of a boundary reads `u`, and beyond the rim there are no "
            "cells [STN0406]\n"
            "  help: it is made of coordinates, extents, params, consts and `t`\n");
}

TEST(SemaBoundary, ValuesThatAreMissingOrTooMany) {
  EXPECT_EQ(refused("field f32 u boundary expr;"),
            "in.stn:2:22: error: `expr` without its value [STN0406]\n"
            "  help: write `boundary expr 0.5 * x`\n");
  EXPECT_EQ(refused("field f32 u boundary { x: neumann; }"),
            "in.stn:2:27: error: `neumann` without its value [STN0406]\n"
            "  help: write `boundary neumann 1.5`\n");
  EXPECT_EQ(refused("field f32 u boundary zero 1;"),
            "in.stn:2:27: error: the boundary `zero` takes no value [STN0406]\n");
}

TEST(SemaBoundary, SidesThatAreNone) {
  EXPECT_EQ(refused("field f32 u boundary { x: clamp; yy: clamp; }"),
            "in.stn:2:34: error: there is no axis `yy` [STN0201]\n");
  EXPECT_EQ(refused("field f32 u boundary { x.top: clamp; }"),
            "in.stn:2:26: error: `top` is no end of an axis [STN0406]\n"
            "  help: the two ends are `x.lo` and `x.hi`\n");
  EXPECT_EQ(refused("field f32 u boundary { x: clamp; x.hi: zero; }"),
            "in.stn:2:34: error: an end of `x` gets a second boundary [STN0406]\n"
            "in.stn:2:24: note: it gets its first here\n");
  EXPECT_EQ(refused("field f32 u boundary { x.lo: clamp; x.hi: periodic; }"),
            "in.stn:2:43: error: `periodic` at one end of `x` alone; it joins the two ends "
            "[STN0406]\n"
            "  help: write `x: periodic`\n");
  EXPECT_EQ(refused("field f32 u; boundary u { x.lo: periodic; x.hi: periodic; }"), "");
}

TEST(SemaBoundary, AFieldOnSomeAxesHasTheirSidesAlone) {
  const std::string use = "u[x-1] + k[y+1]";
  EXPECT_EQ(refused("field f32 u boundary clamp; field f32 k(y) boundary { y: clamp; }", use), "");
  EXPECT_EQ(
      refused("field f32 u boundary clamp; field f32 k(y) boundary { x: zero; y: zero; }", use),
      "in.stn:2:55: error: `k` does not have the axis `x` [STN0402]\n"
      "  help: leave this side out: nothing is read beyond it\n");
  EXPECT_EQ(refused("field f32 u boundary clamp; field f32 k(y) boundary expr 1.0*x;", use),
            "in.stn:2:58: error: the value of the boundary changes along `x`, an axis that `k` "
            "does not have [STN0402]\n"
            "  help: the field is the same all along `x`\n");
}

TEST(SemaBoundary, KindsThatAreCalledOtherwiseElsewhere) {
  EXPECT_EQ(refused("field f32 u boundary halo;"),
            "in.stn:2:22: error: there is no boundary `halo` [STN0212]\n"
            "  help: it is called `ghost` here\n");
  EXPECT_EQ(refused("field f32 u boundary neuman 2;"),
            "in.stn:2:22: error: there is no boundary `neuman` [STN0212]\n"
            "  help: did you mean `neumann`?\n");
  EXPECT_EQ(refused("field f32 u, v boundary whatever;", "u[x-1] + v[x-1]"),  // said once
            "in.stn:2:25: error: there is no boundary `whatever` [STN0212]\n"
            "  help: the boundaries are clamp, reflect, mirror, antireflect, periodic, constant, "
            "zero, expr, neumann, fixed, ghost and none\n");
}

}  // namespace
}  // namespace stencilc
