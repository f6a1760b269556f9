// Boundaries of all kinds: what they resolve to, and what is said of those that cannot be.
#include <gtest/gtest.h>

#include "support/analysed.h"
#include "support/tables.h"

namespace stencilc {
namespace {

using testing::complaints;
using testing::expect_rows;
using testing::expect_statements;

const std::string kHead = "stencil s { axes x, y; param f32 a = 1; const f32 c = 2;\n";

// The declaration of u, as the IR holds it, after the levels; u is read along both axes.
std::string resolved(const std::string& declaration, const std::string& value) {
  const testing::Analysed result =
      testing::analysed(kHead + declaration + "\nu[t+1] = " + value + "; }");
  if (!result.stencil) return testing::rendered(result.parsed);
  const std::string text = ir::print(*result.stencil);
  const size_t begin = text.find(" u stepped"), end = text.find('\n', begin);
  return text.substr(begin + 1, end - begin - 1);
}

TEST(SemaBoundary, AKindHoldsOnAllSides) {
  for (const char* kind :
       {"none", "fixed", "clamp", "reflect", "mirror", "antireflect", "periodic", "ghost"})
    EXPECT_EQ(resolved("field f32 u boundary " + std::string(kind) + ";", "u[x-1]"),
              "u stepped, levels t, boundary " + std::string(kind));
}

TEST(SemaBoundary, ResolvesTo) {
  expect_rows(resolved, R"(
--- with a value
field f32 u boundary zero; | u[x-1] => u stepped, levels t, boundary constant 0
field f32 u boundary constant 2*a + c; | u[x-1] => u stepped, levels t, boundary constant add(mul(2, a), 2)
field f32 u boundary expr 0.5*x + t; | u[x-1]
=> u stepped, levels t, boundary expr add(mul(0.5, f32(x)), f32(t))
field f32 u boundary neumann a; | u[x-1] => u stepped, levels t, boundary neumann a
--- each side may have its own
field f32 u boundary { x: periodic; y.lo: constant 1; y.hi: clamp; } | u[y+1]
=> u stepped, levels t, boundary { x.lo: periodic; x.hi: periodic; y.lo: constant 1; y.hi: clamp; }
field f32 u; boundary u { x.lo: antireflect; x.hi: neumann 0.5 } | u[x-1]
=> u stepped, levels t, boundary { x.lo: antireflect; x.hi: neumann 0.5; }
--- a side without one is no matter where nothing is read beyond it
field f32 u boundary { x.lo: clamp; } | u[x-1] => u stepped, levels t, boundary { x.lo: clamp; }
--- the value is in the compute type; what an integer field holds must fit it
field u8 u boundary constant 255; | u[x-1] => u stepped, levels t, boundary constant 255
field u8 u boundary expr sat_u8(x); | u[x-1] => u stepped, levels t, boundary expr sat_u8(x)
field bool u boundary constant true; | u[x-1] => u stepped, levels t, boundary constant true
)");
  const testing::Analysed half =
      testing::analysed(kHead + "field f16 u boundary neumann 0.1;\nu[t+1] = f16(u[x-1]); }");
  ASSERT_TRUE(half.stencil);
  const ir::Side& side = half.stencil->fields[0].boundary.sides[0][0];
  EXPECT_EQ(side.value->type, ir::Type::f32);
  EXPECT_EQ(ir::as<ir::Constant>(side.value)->value.real, 0.1f);
}

TEST(SemaBoundary, ASideWithoutOneIsMissedWhereItIsReadAcross) {
  testing::expect_pages(complaints, R"(
stencil s { axes x, y; param f32 a = 1; const f32 c = 2;
field f32 u boundary { x.lo: clamp; }
          ^ note: `u` is declared here
u[t+1] = a*c*u[x+1]; }
             ^~~~~~ error: `u` is read outside the grid at `x.hi`, where it has no boundary [STN0404]
  help: add the side to its boundary: `x.hi: clamp;`

--- a value is known at ghost cells
stencil s { axes x, y; param f32 a = 1; const f32 c = 2;
field f32 u boundary constant x + a*c;
                              ^~~~~~~ error: the value of `constant` varies along `x` [STN0406]
  help: `expr` takes a value for each cell
u[t+1] = u[x-1]; }
)");
}

TEST(SemaBoundary, ThatCannotBe) {
  expect_statements(complaints, kHead, "\nu[t+1] = u[x-1]; }", R"(
--- values have the type of the field
field u8 u boundary constant 256;
                             ^~~ error: 256 does not fit `u8` [STN0305]
field u8 u boundary constant a;
                             ^ error: the value is `f32`, but the boundary of `u` is `u8` [STN0302]
  help: write `sat_u8(...)` to round and saturate, or `u8(...)` to truncate
--- signs and slopes are for floats
field i32 u boundary antireflect;
                     ^~~~~~~~~~~ error: `antireflect` needs floats, and `u` holds `i32` [STN0406]
  help: `reflect` repeats the same cells as they are
field u8 u boundary neumann 1;
                    ^~~~~~~ error: `neumann` needs floats, and `u` holds `u8` [STN0406]
  help: `clamp` repeats the same cells as they are
--- a value is known at ghost cells
field f32 u boundary neumann x + 1;
                             ^~~~~ error: the value of `neumann` varies along `x` [STN0406]
  help: it has to be one number for the whole side
field f32 u boundary expr 2*u[x+1];
                            ^~~~~~ error: the value of a boundary cannot read `u` [STN0406]
  help: use coordinates, extents, params, constants and `t`
--- through a let, and before the boundary of what it reads is known
let l = u[x+1]; field f32 u; boundary u expr l;
        ^~~~~~ error: the value of a boundary cannot read `u` [STN0406]
  help: use coordinates, extents, params, constants and `t`
--- values that are missing or too many
field f32 u boundary expr;
                     ^~~~ error: `expr` needs a value [STN0406]
  help: write `boundary expr 0.5 * x`
field f32 u boundary { x: neumann; }
                          ^~~~~~~ error: `neumann` needs a value [STN0406]
  help: write `boundary neumann 1.5`
field f32 u boundary zero 1;
                          ^ error: the boundary `zero` takes no value [STN0406]
--- sides that are none
field f32 u boundary { x: clamp; yy: clamp; }
                                 ^~ error: there is no axis `yy` [STN0201]
field f32 u boundary { x.top: clamp; }
                         ^~~ error: `top` is not an end of an axis [STN0406]
  help: the two ends are `x.lo` and `x.hi`
field f32 u boundary { x: clamp; x.hi: zero; }
                                 ^ error: an end of `x` has two boundaries [STN0406]
                       ^ note: the first one is here
field f32 u boundary { x.lo: clamp; x.hi: periodic; }
                                          ^~~~~~~~ error: `periodic` joins both ends of `x`, and is given for one only [STN0406]
  help: write `x: periodic`
--- kinds that are called otherwise elsewhere
field f32 u boundary u clamp;
                     ^ error: there is no boundary `u` [STN0212]
  help: `u` is a field: is `;` missing before `boundary`?
field f32 u boundary halo;
                     ^~~~ error: there is no boundary `halo` [STN0212]
  help: it is called `ghost` here
field f32 u boundary neuman 2;
                     ^~~~~~ error: there is no boundary `neuman` [STN0212]
  help: did you mean `neumann`?
)");
  expect_statements(complaints, kHead, "\nu[t+1] = u[x-1] + v[x-1]; }", R"(
--- said once
field f32 u, v boundary whatever;
                        ^~~~~~~~ error: there is no boundary `whatever` [STN0212]
  help: the boundaries are clamp, reflect, mirror, antireflect, periodic, constant, zero, expr, neumann, fixed, ghost and none
)");
  expect_statements(complaints, kHead, "\nu[t+1] = u[x-1] + k[y+1]; }", R"(
--- a field on some axes has their sides alone
field f32 u boundary clamp; field f32 k(y) boundary { x: zero; y: zero; }
                                                      ^ error: `k` does not have the axis `x` [STN0402]
  help: leave this side out
field f32 u boundary clamp; field f32 k(y) boundary expr 1.0*x;
                                                         ^~~~~ error: the value of the boundary varies along `x`, an axis that `k` does not have [STN0402]
  help: the field does not vary along `x`
)");
  expect_statements(complaints, kHead, "\n}", R"(
field f32 u boundary clamp; field f32 k(y) boundary { y: clamp; } u[t+1] = a*c*u[x-1] + k[y+1];

field f32 u; boundary u { x.lo: periodic; x.hi: periodic; } u[t+1] = a*c*u[x-1];
)");
}

}  // namespace
}  // namespace stencilc
