// Types of storage, types of arithmetic, and fields on some of the axes.
#include <gtest/gtest.h>

#include "support/interpreted.h"

namespace stencilc {
namespace {

using testing::complaints;
using testing::Interpreted;
using testing::statements_of;
using Numbers = Interpreted::Numbers;

// The first statement of a stencil of fields of many types.
std::string update(const std::string& text) {
  const std::string all = statements_of(
      "stencil s { axes x; field f16 h; field bf16 b; field f32 u, r boundary zero; field f32 w "
      "compute f64; field f16 q compute f64; const f16 third = 1/3; param bf16 p;\n" +
      text + "; }");
  return all.substr(0, all.find('\n'));
}

TEST(SemaStorage, HalvesComputeInF32) {
  EXPECT_EQ(update("h[t+1] = h + b"), "h[t+1] = f16(add(f32(h), f32(b)))");
  EXPECT_EQ(update("b[t+1] = -h"), "b[t+1] = bf16(neg(f32(h)))");
  EXPECT_EQ(update("u[t+1] = h*u"), "u[t+1] = mul(f32(h), u)");
  EXPECT_EQ(update("u[t+1] = min(h, h)"), "u[t+1] = min(f32(h), f32(h))");
  EXPECT_EQ(update("u[t+1] = h^0.5 + sqrt(b)"), "u[t+1] = add(pow(f32(h), 0.5), sqrt(f32(b)))");
  EXPECT_EQ(update("u[t+1] = h > 1 ? h : b"), "u[t+1] = select(gt(f32(h), 1), f32(h), f32(b))");
  EXPECT_EQ(update("u[t+1] = p*u"), "u[t+1] = mul(f32(p), u)");
  EXPECT_EQ(update("u[t+1] = third*u"), "u[t+1] = mul(0.33325195, u)");
  EXPECT_EQ(update("h[t+1] = h"), "h[t+1] = f16(f32(h))");
  EXPECT_EQ(update("h[t+1] = 0.1"), "h[t+1] = 0.1");
  EXPECT_EQ(update("h[t+1] = x"), "h[t+1] = f16(f32(x))");
}

TEST(SemaStorage, ACastRoundsToTheTypeAndComputesOn) {
  EXPECT_EQ(update("u[t+1] = f16(u) + bf16(r)"), "u[t+1] = add(f32(f16(u)), f32(bf16(r)))");
  EXPECT_EQ(Interpreted("stencil s { axes x; field f32 u; u[t+1] = f16(u) + bf16(u); }", {1, 1, 1})
                .field("u", {1 + 0x1p-12 + 0x1p-9})
                .run(1)
                .field("u"),
            (Numbers{2 + 0x1p-9}));
}

TEST(SemaStorage, TheComputeClauseChoosesTheArithmetic) {
  EXPECT_EQ(update("w[t+1] = w*w + 1/3"),
            "w[t+1] = f32(add(mul(f64(w), f64(w)), 0.3333333333333333))");
  EXPECT_EQ(update("q[t+1] = 2*q"), "q[t+1] = f16(mul(2, f64(q)))");
  EXPECT_EQ(complaints("stencil s { axes x; field f32 u compute f32; u[t+1] = u; }"), "");
}

TEST(SemaStorage, StorageRoundsOnce) {
  // 2049 lies between two numbers of f16, and rounds to the even one.
  Interpreted run(
      "stencil s { axes x; field f16 u; field bf16 v; u[t+1] = u + 1; v[t+1] = v + 1; }",
      {2, 1, 1});
  run.field("u", {2048, 2050}).field("v", {256, 258}).run(1);
  EXPECT_EQ(run.field("u"), (Numbers{2048, 2052}));
  EXPECT_EQ(run.field("v"), (Numbers{256, 260}));
}

TEST(SemaStorage, WiderArithmeticIsRoundedByAWord) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f16 u; field f64 v;\n"
                       "  u[t+1] = u*v;\n"
                       "  v[t+1] = u;\n"
                       "}\n"),
            "in.stn:3:12: error: the value is `f64`, the arithmetic of the field `u` is `f32` "
            "[STN0302]\n"
            "   3 |   u[t+1] = u*v;\n"
            "     |            ^~~\n"
            "  help: write `f32(...)` to round it\n");
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f16 u;\n"
                       "  u[t+1] = 70000;\n"
                       "}\n"),
            "in.stn:3:12: error: 70000 does not fit `f16` [STN0305]\n"
            "   3 |   u[t+1] = 70000;\n"
            "     |            ^~~~~\n");
}

TEST(SemaStorage, ComputeClausesThatDoNotFit) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field i32 a compute f32;\n"
                       "  field f64 b compute f32;\n"
                       "  field f32 c compute bf16;\n"
                       "  field f32 d compute i32;\n"
                       "  a[t+1] = a;\n"
                       "}\n"),
            "in.stn:2:31: error: `compute f32` for fields of `i32` [STN0301]\n"
            "   2 |   axes x; field i32 a compute f32;\n"
            "     |                               ^~~\n"
            "  help: integers compute in `i32` or wider as their operands do; write `f32(...)` "
            "around a read for another type\n"
            "in.stn:3:23: error: `compute f32` is narrower than the fields, which are `f64` "
            "[STN0302]\n"
            "   3 |   field f64 b compute f32;\n"
            "     |                       ^~~\n"
            "  help: write `f64`, or leave the clause out\n"
            "in.stn:4:23: error: nothing computes in `bf16`, a type of storage [STN0301]\n"
            "   4 |   field f32 c compute bf16;\n"
            "     |                       ^~~~\n"
            "  help: write `compute f32` or `compute f64`\n"
            "in.stn:5:23: error: nothing computes in `i32` for a field of floats [STN0301]\n"
            "   5 |   field f32 d compute i32;\n"
            "     |                       ^~~\n"
            "  help: write `compute f32` or `compute f64`\n");
}

TEST(SemaStorage, TypesThatDoNotExist) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f128 a; field half b; field quad c;\n"
                       "  a[t+1] = a;\n"
                       "}\n"),
            "in.stn:2:17: error: the type `f128` [STN0501]\n"
            "   2 |   axes x; field f128 a; field half b; field quad c;\n"
            "     |                 ^~~~\n"
            "  help: use `f64`\n"
            "in.stn:2:31: error: there is no type `half` [STN0211]\n"
            "   2 |   axes x; field f128 a; field half b; field quad c;\n"
            "     |                               ^~~~\n"
            "  help: write `f16`\n"
            "in.stn:2:45: error: there is no type `quad` [STN0211]\n"
            "   2 |   axes x; field f128 a; field half b; field quad c;\n"
            "     |                                             ^~~~\n"
            "  help: the types are f64, f32, f16, bf16, i64, i32, i16, u16, i8, u8 and bool\n");
}

TEST(SemaAxes, AFieldOnSomeOfTheAxesIsTheSameAlongTheOthers) {
  EXPECT_EQ(
      statements_of("stencil s { axes x, y, z; field f32 u boundary zero; field f32 a(x), b(y, "
                    "z), c(z) boundary clamp;\n"
                    "let d = a + c; u[t+1] = a[x-1]*u[y+1] + b[1, 2] + c[-1] + d[y+1, z+1]; }"),
      "let d[y+1, z+1]: f32 = add(a, c[z+1])\n"
      "u[t+1] = add(add(add(mul(a[x-1], u[y+1]), b[y+1, z+2]), c[z-1]), d[y+1, z+1])\n");
  Interpreted run(
      "stencil s { axes x, y; field f32 u in; field f32 d out; field f32 a(x), b(y) boundary "
      "clamp;\n"
      "d = u + a[x+1] - b; }",
      {3, 2, 1});
  run.field("u", {1, 2, 3, 4, 5, 6}).field("a", {10, 20, 30}).field("b", {1, 2}).run(1);
  EXPECT_EQ(run.field("d"), (Numbers{20, 31, 32, 22, 33, 34}));
}

TEST(SemaAxes, OffsetsAlongOthersAreErrors) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x, y; field f32 u; field f32 a(x) boundary clamp;\n"
                       "  u[t+1] = a[y+1];\n"
                       "  u[t+1] = a[1, 2];\n"
                       "}\n"),
            "in.stn:3:12: error: `a` does not have the axis `y` [STN0402]\n"
            "   3 |   u[t+1] = a[y+1];\n"
            "     |            ^~~~~~\n"
            "  help: it is the same all along `y`: leave the offset along `y` out\n"
            "in.stn:4:12: error: 2 offsets for 1 axis [STN0402]\n"
            "   4 |   u[t+1] = a[1, 2];\n"
            "     |            ^~~~~~~\n"
            "  help: name the axis of each offset, as in `u[x-1]`; an axis left out means offset "
            "0\n");
}

TEST(SemaAxes, TheyAreAnOrderedPartOfTheStencils) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x, y; field f32 u;\n"
                       "  field f32 a(y, x);\n"
                       "  field f32 b(z);\n"
                       "  field f32 c(x) inout;\n"
                       "  u[t+1] = a + b;\n"
                       "}\n"),
            "in.stn:3:18: error: the axes of `a` are not in the order of the stencil's, each once "
            "[STN0204]\n"
            "   3 |   field f32 a(y, x);\n"
            "     |                  ^\n"
            "  note: the stencil has the axes `x`, `y`\n"
            "in.stn:4:15: error: `z` is not declared [STN0201]\n"
            "   4 |   field f32 b(z);\n"
            "     |               ^\n"
            "in.stn:5:13: error: `c` is updated and has not all of the axes [STN0210]\n"
            "   5 |   field f32 c(x) inout;\n"
            "     |             ^\n"
            "  help: every cell of the grid updates its own value: declare `c` on all axes, or "
            "collect the values with `reduce`\n");
}

}  // namespace
}  // namespace stencilc
