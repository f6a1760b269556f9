// What is said of weights that are products.
#include <gtest/gtest.h>

#include "lint/separable.h"
#include "support/analysed.h"
#include "support/linted.h"
#include "support/tables.h"

namespace stencilc {
namespace {

using testing::expect_rows;

std::string reported(const std::string& text) {
  return testing::warnings(text, diag::separable_weights);
}

TEST(LintSeparable, NamesTheFactorsToPaste) {
  EXPECT_EQ(
      testing::rendered(testing::linted(diag::row(diag::separable_weights).failing)),
      R"(in.stn:10:3: warning: the 25 weights of `img` are the product of 5 along x and 5 along y [STN0810]
  10 |   dst = sum(i in -2..2, j in -2..2 : w[i, j] * img[x+i, y+j]);
     |   ^~~
  note: two updates, with a field between them, would take 10 multiplications per cell instead of 25; the result rounds differently, so the compiler does not do it by itself
  help: `const f32 along_x[-2..2] = { 1, 4, 6, 4, 1 } / 16;`
  help: `const f32 along_y[-2..2] = { 1, 4, 6, 4, 1 } / 16;`
)");
}

TEST(LintSeparable, IsOffByDefault) {
  const std::string text(diag::row(diag::separable_weights).failing);
  testing::Parsed program = testing::parsed(text);
  const auto stencils = sema::analyse(program.program, {}, program.engine);
  lint::lint(program.program, stencils, program.engine);
  EXPECT_EQ(testing::rendered(program), "");
  program.engine.set_level(diag::separable_weights, 2);
  lint::lint(program.program, stencils, program.engine);
  EXPECT_EQ(program.engine.errors(), 1);
}

TEST(LintSeparable, SaysWhereWeightsAreProducts) {
  expect_rows(reported, R"(
--- planes and earlier levels
stencil s { axes x, y, z; field f64 u boundary clamp;
u[t+1] = 0.1*u + sum(k in -1..1 : (k+3) * (u[t-1, z+k] + u[t-1, x+1, z+k] + u[t-1, y+1, z+k])); }
=> the 9 weights of `u[t-1]` are the product of 3 along z and 3 along x and y
stencil s { axes x, y, z; field f32 u boundary clamp;
u[t+1] = sum(i in -1..1, j in -1..1, k in -1..1 : u[x+i, y+j, z+k]) / 27; }
=> the 27 weights of `u` are the product of 3 along x, 3 along y and 3 along z
--- nothing of run-time weights
stencil s { axes x, y; field f32 u in boundary clamp; field f32 d out; weights w[-1..1, -1..1];
d = sum(i in -1..1, j in -1..1 : w[i, j] * u[x+i, y+j]); }
=>
)");
}

TEST(LintSeparable, NamesTheBoundaryWhereThePassesDiffer) {
  const auto gain = [](const std::string& boundary) {
    const testing::Analysed program =
        testing::analysed("stencil s { axes x, y, z; field f32 u in boundary " + boundary +
                          "; field f32 d out; d = sum(i in -1..1, j in -1..1 : u[x+i, y+j]); }");
    EXPECT_TRUE(program.stencil) << testing::rendered(program.parsed);
    const std::string text = lint::gain_of(program.stencil->separable.at(0), *program.stencil);
    const size_t from = text.find(" of 9") + 5;
    return text.substr(from, text.find("; the result") - from);
  };
  expect_rows(gain, R"(
clamp =>
reflect =>
mirror =>
antireflect =>
periodic =>
zero =>
constant 0 =>
{ x: clamp; y: zero; z: expr x; } =>
none => , except near the `none` boundary
constant 1 => , except near the `constant` boundary
neumann 0 => , except near the `neumann` boundary
{ x: clamp; y.lo: zero; y.hi: expr x; z: clamp; } => , except near the `expr` boundary
)");
}

// The declarations of the factors of the only sum.
std::string declared(const std::string& axes, const std::string& type, const std::string& value) {
  const testing::Analysed program =
      testing::analysed("stencil s { axes " + axes + "; field " + type +
                        " u in boundary clamp; field " + type + " d out; d = " + value + "; }");
  EXPECT_TRUE(program.stencil) << testing::rendered(program.parsed);
  std::string text;
  for (const ir::Separable& one : program.stencil->separable)
    for (const ir::Factor& factor : one.factors)
      text += lint::declaration_of(factor, one, *program.stencil) + "\n";
  return text;
}

TEST(LintSeparable, DeclaresTablesThatCanBePasted) {
  expect_rows(declared, R"(
x, y | i32 | sum(i in -1..1, j in -1..1 : (2-i*i) * 3*(j-4) * u[x+i, y+j])
=> const i32 along_x[-1..1] = { 1, 2, 1 };
   const i32 along_y[-1..1] = { -15, -12, -9 };
x, y | f64 | sum(i in 0..2, j in -1..1 : 0.123456789*(i+1) * u[x+i, y+j])
=> const f64 along_x[0..2] = { 1, 2, 3 };
   const f64 along_y[-1..1] = { 0.123456789, 0.123456789, 0.123456789 };
x, y, z | f32 | sum(k in -1..1 : (2-k*k) * (u[z+k] + u[x-1, z+k] + u[x+1, z+k] + 2*u[y+1, z+k])) / 8
=> const f32 along_z[-1..1] = { 1, 2, 1 } / 4;
   const f32 along_xy[-1..1, 0..1] = { 1, 0, 1, 2, 1, 0 } / 2;
)");
}

}  // namespace
}  // namespace stencilc
