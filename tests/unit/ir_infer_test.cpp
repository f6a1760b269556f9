// What is inferred from the reads: levels and domains.
#include <gtest/gtest.h>

#include "support/analysed.h"
#include "support/tables.h"

namespace stencilc::ir {
namespace {

using stencilc::testing::expect_rows;
using testing::canonical;

// The levels of each field.
std::string levels(const std::string& text) {
  std::string result;
  for (const Field& field : canonical(text).fields)
    result += (result.empty() ? "" : " ") + field.name + " " + std::to_string(field.levels());
  return result;
}
// Of each update the cells that it leaves out below and above, along x, y and z.
std::string domains(const std::string& text) {
  std::string result;
  for (const Update& update : canonical(text).updates) {
    const Domain& domain = update.cases.at(0).domain;
    result += result.empty() ? "" : "; ";
    if (domain.everywhere()) result += "everywhere";
    for (int axis = 0; axis < 3 && !domain.everywhere(); ++axis)
      result += (axis == 0 ? "" : " ") + std::to_string(domain.low[axis]) + "," +
                std::to_string(domain.high[axis]);
  }
  return result;
}

TEST(IrInfer, Levels) {
  expect_rows(levels, R"(
--- they count from the oldest read
stencil s { axes x; field f32 u boundary zero; u[t+1] = 1; } => u 1
stencil s { axes x; field f32 u boundary zero; u[t+1] = u[x-1] + u; } => u 1
stencil s { axes x; field f32 u boundary zero; u[t+1] = 2*u - u[x-1, t-1] + u[x+1]; } => u 2
stencil s { axes x; field f32 u boundary zero; u[t+1] = u[x+1] + u[t-3]; } => u 4
--- a level that another update reads is kept
stencil s { axes x; field f32 u, v boundary zero; u[t+1] = u; v[t+1] = u[x+1, t-1]; } => u 2 v 1
--- a level that the canonical sum drops is not kept
stencil s { axes x; field f32 u boundary zero; u[t+1] = 2*u - 0*u[x-1, t-1]; } => u 1
--- inputs and outputs have one level
stencil s { axes x; field f32 p in boundary clamp; field f32 q out; q = p[x-1]; } => p 1 q 1
)");
  const Stencil s = canonical(
      "stencil s { axes x; field f32 p in boundary clamp; field f32 q out; q = p[x-1]; }");
  EXPECT_EQ(s.fields[0].role, Role::input);
  EXPECT_EQ(s.fields[1].role, Role::output);
  EXPECT_FALSE(s.steps());
}

TEST(IrInfer, Domains) {
  expect_rows(domains, R"(
--- `fixed` and `none` keep the reads inside, for each side
stencil s { axes x, y, z; field f32 u boundary fixed; u[t+1] = u[x-2] + u[x+1] + u[y+3] + u[z-1]; } => 2,1 0,3 1,0
stencil s { axes x, y, z; field f32 u boundary none; u[t+1] = u[x-2] + u[x+1] + u[y+3] + u[z-1]; } => 2,1 0,3 1,0
--- each update has the domain of its own reads
stencil s { axes x; field f32 u boundary fixed; field f32 v boundary clamp; field f32 w;
u[t+1] = u[x+1] + v[x-3]; v[t+1] = u[x-1] + v[x+2]; w[t+1] = w + u; } => 0,1 0,0 0,0; 1,0 0,0 0,0; everywhere
--- a read whose weight is 0 keeps its cells out, though the canonical sum drops it
stencil s { axes x; field f32 u boundary fixed; u[t+1] = 0*u[x-2] + u[x+1]; } => 2,1 0,0 0,0
)");
  for (const std::string kind : {"clamp", "reflect", "mirror", "periodic", "constant 2", "zero"})
    EXPECT_EQ(domains("stencil s { axes x; field f32 u boundary " + kind + "; u[t+1] = u[x-2]; }"),
              "everywhere")
        << kind;
  expect_rows([](const std::string& text) { return print(canonical(text)); }, R"(
stencil s { axes x, y; field f32 u boundary fixed; u[t+1] = u[x-1] + u[x+2] + u[y-1]; }
=> stencil s(x, y) {
     field f32 u stepped, levels t, boundary fixed
     u[t+1] = sum(1 * u[y-1], 1 * u[x-1], 1 * u[x+2])  on 1 <= x < nx-2, 1 <= y < ny
   }
)");
}

TEST(IrInfer, ReachIsTheFarthestReadOfAll) {
  const Reach r =
      reach(canonical("stencil s { axes x, y; field f32 u, v boundary clamp; u[t+1] = u[x-1] + "
                      "v[y+4]; v[t+1] = u[x+2]; }"));
  EXPECT_EQ(r.low, (Offset{1, 0, 0}));
  EXPECT_EQ(r.high, (Offset{2, 4, 0}));
}

Stencil bounded(const std::string& boundary, const std::string& value) {
  return canonical("stencil s { axes x, y; field f32 u boundary { " + boundary +
                   " }; u[t+1] = " + value + "; }");
}

TEST(IrInfer, Sides) {
  const auto uses_time = [](const std::string& boundary, const std::string& value) {
    return std::string(bounded(boundary, value).uses_time() ? "time" : "");
  };
  expect_rows(uses_time, R"(
--- time in a boundary counts where a read goes beyond that end
x: expr t; y: clamp | u =>
x: expr t; y: clamp | u[y-1] =>
x: expr t; y: clamp | u[x-1] => time
x.lo: clamp; x.hi: expr t | u[x-1] =>
x.lo: clamp; x.hi: expr t | u[x+1] => time
--- in a line of one cell, x-1 is mirrored beyond the other end
x.lo: mirror; x.hi: expr t | u[x-1] => time
x: clamp | u * t => time
)");
  const auto sides = [](const std::string& boundary, const std::string& value) {
    Stencil stencil = bounded(boundary, value);
    drop_unmet_sides(stencil);
    std::string text;
    for (int a = 0; a < 2; ++a)
      for (const Side& side : stencil.fields[0].boundary.sides[a])
        text += (text.empty() ? "" : " ") + std::string(name(side.edge));
    return text;
  };
  expect_rows(sides, R"(
--- sides that no read meets hold nothing
x: expr t; y: clamp | u => fixed fixed fixed fixed
x: expr t; y: clamp | u[y-1] => fixed fixed clamp clamp
x.lo: clamp; x.hi: expr t; y: periodic | u[x-1] + u[y+1] => clamp clamp periodic periodic
x.lo: mirror; x.hi: expr t; y: ghost | u[x-1] => mirror expr ghost ghost
)");
}

}  // namespace
}  // namespace stencilc::ir
