// What people write who come from C, Python or a textbook, and what the compiler answers.
#include <gtest/gtest.h>

#include "support/analysed.h"

namespace stencilc {
namespace {

struct Slip {
  const char* statement;  // in a stencil on x, y with a field u
  const char* message;    // and its help
};

std::string answer(const std::string& statement) {
  const testing::Analysed result = testing::analysed(
      "stencil s { axes x, y; field f32 u boundary clamp; u[t+1] = u; " + statement + " }");
  std::string text;
  for (const diag::Diagnostic& d : result.parsed.engine.all()) {
    text += (text.empty() ? "" : " | ") + d.text;
    for (const auto& help : d.helps) text += "; " + help.text;
  }
  return text;
}

const Slip kSlips[] = {
    {"u[t+1] = u[i-1, j];",
     "`i` is not declared; an offset goes by an axis, here `x` or `y`, as in `u[x-1]`"},
    {"u[t+1] = u + dt*laplacian(u);", "`dt` is not declared; declare it, as in `param f32 dt;`"},
    {"u[t+1] = u + vel[x-1];", "`vel` is not declared; declare it, as in `field f32 vel;`"},
    {"lap = u[x-1]; u[t+1] = lap;",
     "`lap` is not declared; declare it: `field f32 lap;`, or `let lap = ...;` for an intermediate "
     "value"},
    {"u[t+1] = laplace(u);", "there is no function `laplace`; did you mean `laplacian`?"},
    {"u[t+1] = fabs(u);", "there is no function `fabs`; did you mean `abs`?"},
    {"u[t+1] = fmaxf(u, 0);", "there is no function `fmaxf`; did you mean `max`?"},
    {"u[t+1] = u on x == 0 && y == 0;",
     "a condition of `on` compares one of the axes `x`, `y` with a place; separate the conditions "
     "by commas: `on x >= 1, x < nx-1`"},
    {"field f32 out res; res = u;",
     "there is no role `res`; the role stands behind the name: `res out`"},
    {"float v;",
     "expected a statement, found `float`; write `field f32 v;` for a grid, `param f32 v;` for a "
     "number, or `let v = ...;`"},
    {"for (int i = 1; i < nx; i++) u[t+1] = u;",
     "expected a statement, found `for`; there are no loops: an update applies to every cell, or "
     "to "
     "those that `on` and `where` say"},
    {"if (x == 0) u[t+1] = 1;",
     "expected a statement, found `if`; write the condition behind an update, `u[t+1] = ... on x "
     "== "
     "0 where u > 0;`, or choose by `c ? a : b`"},
    {"u[t+1] == u;", "expected `=`, found `==`; an update has one `=`; `==` compares"},
    {"u[t+1][x] = u;",
     "expected `=`, found `[`; all indices stand in one bracket, as in `u[t+1, x]`"},
    {"u[t+1] = u[t][x-1];",
     "expected `;`, found `[`; all indices stand in one bracket, as in `u[t-1, x+1]`"},
    {"u[t+1] = u > 0 and u < 1 ? 1 : 0;",
     "expected `;`, found `and`; the logical and is written `&&`"},
    {"u[t+1] = math.sin(u);", "expected `;`, found `.`; members are not part of this language"},
    {"field f32 v boundary clamp boundary zero;",
     "expected `;`, found the reserved word `boundary`; one boundary holds all sides, as in "
     "`boundary { x: periodic; y: clamp; }`"},
    {"field f32 v boundary = zero;",
     "expected the kind of boundary, found `=`; the kind follows at once, as in `boundary clamp`"},
    {"field f32 v[nx, ny];",
     "expected `;`, found `[`; every field has the extents of the grid: leave them out"},
    {"field f32 in v;",
     "expected the name of the field, found the reserved word `in`; the role stands behind the "
     "name, as in `field f32 u in;`"},
    {"field f32 v, field f32 w;",
     "expected the name of the field, found the reserved word `field`; fields of one type share a "
     "statement, as in `field f32 u, v;`"},
};

TEST(SemaNewcomers, SlipsAreAnsweredByWhatToWrite) {
  for (const Slip& slip : kSlips) EXPECT_EQ(answer(slip.statement), slip.message);
}

TEST(SemaNewcomers, TheHeadOfAStencil) {
  const auto text = [](const std::string& program) {
    const testing::Analysed result = testing::analysed(program);
    const diag::Diagnostic& d = result.parsed.engine.all().at(0);
    return d.text + "; " + (d.helps.empty() ? "" : d.helps[0].text);
  };
  EXPECT_EQ(text("stencil heat:\n  axes x\n"),
            "expected `{`, found `:`; as in `stencil heat { axes x; ... }`");
  EXPECT_EQ(text("stencil heat(x, y) { }"),
            "expected `{`, found `(`; as in `stencil heat { axes x; ... }`");
  EXPECT_EQ(text("stencil s { axes x y; field f32 u; u[t+1] = u; }"),
            "expected `;`, found `y`; `,` is missing in front of `y`");
}

TEST(SemaNewcomers, TimeMayStandBesideOffsetsByPosition) {
  EXPECT_EQ(testing::value_of("stencil s { axes x, y; field f32 u boundary clamp; u[t+1] = "
                              "max(u[t-1, 1, -2], u[0, 1, t]); }"),
            "max(u[x+1, y-2, t-1], u[y+1])");
  EXPECT_EQ(answer("u[t+1] = u[t, x, 1];"),
            "offsets with and without an axis in one bracket; name the axis of each offset, as in "
            "`u[x-1]`; an axis left out means offset 0");
}

}  // namespace
}  // namespace stencilc
