// What is inferred from the reads: levels and domains.
#include <gtest/gtest.h>

#include "support/analysed.h"

namespace stencilc::ir {
namespace {

using testing::canonical;

Field field_of(const std::string& text) { return canonical(text).fields.at(0); }
Domain domain_of(const std::string& text) {
  return canonical(text).updates.at(0).cases.at(0).domain;
}

TEST(IrInfer, LevelsCountFromTheOldestRead) {
  const auto levels = [](const std::string& update) {
    return field_of("stencil s { axes x; field f32 u boundary zero; u[t+1] = " + update + "; }")
        .levels();
  };
  EXPECT_EQ(levels("1"), 1);
  EXPECT_EQ(levels("u[x-1] + u"), 1);
  EXPECT_EQ(levels("2*u - u[x-1, t-1] + u[x+1]"), 2);
  EXPECT_EQ(levels("u[x+1] + u[t-3]"), 4);
}

TEST(IrInfer, ALevelThatAnotherUpdateReadsIsKept) {
  EXPECT_EQ(field_of("stencil s { axes x; field f32 u, v boundary zero; u[t+1] = u; v[t+1] = "
                     "u[x+1, t-1]; }")
                .levels(),
            2);
}

TEST(IrInfer, InputsAndOutputsHaveOneLevel) {
  const Stencil s = canonical(
      "stencil s { axes x; field f32 p in boundary clamp; field f32 q out; q = p[x-1]; }");
  EXPECT_EQ(s.fields[0].role, Role::input);
  EXPECT_EQ(s.fields[1].role, Role::output);
  EXPECT_EQ(s.fields[0].levels(), 1);
  EXPECT_EQ(s.fields[1].levels(), 1);
  EXPECT_FALSE(s.steps());
}

TEST(IrInfer, FixedAndNoneKeepTheReadsInsidePerSide) {
  for (const std::string kind : {"fixed", "none"}) {
    const Domain u = domain_of("stencil s { axes x, y, z; field f32 u boundary " + kind +
                               "; u[t+1] = u[x-2] + u[x+1] + u[y+3] + u[z-1]; }");
    EXPECT_EQ(u.low, (Offset{2, 0, 1})) << kind;
    EXPECT_EQ(u.high, (Offset{1, 3, 0})) << kind;
    EXPECT_FALSE(u.everywhere());
  }
}

TEST(IrInfer, OtherBoundariesUpdateEverywhere) {
  for (const std::string kind : {"clamp", "reflect", "mirror", "periodic", "constant 2", "zero"})
    EXPECT_TRUE(
        domain_of("stencil s { axes x; field f32 u boundary " + kind + "; u[t+1] = u[x-2]; }")
            .everywhere())
        << kind;
}

TEST(IrInfer, EachUpdateHasTheDomainOfItsOwnReads) {
  const Stencil s = canonical(
      "stencil s { axes x; field f32 u boundary fixed; field f32 v boundary clamp; field f32 w; "
      "u[t+1] = u[x+1] + v[x-3]; v[t+1] = u[x-1] + v[x+2]; w[t+1] = w + u; }");
  EXPECT_EQ(s.updates[0].cases[0].domain.high, (Offset{1, 0, 0}));
  EXPECT_EQ(s.updates[0].cases[0].domain.low, (Offset{0, 0, 0}));
  EXPECT_EQ(s.updates[1].cases[0].domain.low, (Offset{1, 0, 0}));
  EXPECT_EQ(s.updates[1].cases[0].domain.high, (Offset{0, 0, 0}));
  EXPECT_TRUE(s.updates[2].cases[0].domain.everywhere());
}

TEST(IrInfer, DomainsPrint) {
  const std::string text = print(canonical(
      "stencil s { axes x, y; field f32 u boundary fixed; u[t+1] = u[x-1] + u[x+2] + u[y-1]; }"));
  EXPECT_EQ(text,
            "stencil s(x, y) {\n"
            "  field f32 u stepped, levels t, boundary fixed\n"
            "  u[t+1] = sum(1 * u[y-1], 1 * u[x-1], 1 * u[x+2])  on 1 <= x < nx-2, 1 <= y < ny\n"
            "}\n");
}

TEST(IrInfer, ReachIsTheFarthestReadOfAll) {
  const Reach r =
      reach(canonical("stencil s { axes x, y; field f32 u, v boundary clamp; u[t+1] = u[x-1] + "
                      "v[y+4]; v[t+1] = u[x+2]; }"));
  EXPECT_EQ(r.low, (Offset{1, 0, 0}));
  EXPECT_EQ(r.high, (Offset{2, 4, 0}));
}

TEST(IrInfer, TimeInABoundaryCountsWhereAReadGoesBeyondThatEnd) {
  const auto uses_time = [](const std::string& boundary, const std::string& value) {
    return canonical("stencil s { axes x, y; field f32 u boundary { " + boundary +
                     " }; u[t+1] = " + value + "; }")
        .uses_time();
  };
  EXPECT_FALSE(uses_time("x: expr t; y: clamp", "u"));
  EXPECT_FALSE(uses_time("x: expr t; y: clamp", "u[y-1]"));
  EXPECT_TRUE(uses_time("x: expr t; y: clamp", "u[x-1]"));
  EXPECT_FALSE(uses_time("x.lo: clamp; x.hi: expr t", "u[x-1]"));
  EXPECT_TRUE(uses_time("x.lo: clamp; x.hi: expr t", "u[x+1]"));
  // In a line of one cell, x-1 is mirrored beyond the other end.
  EXPECT_TRUE(uses_time("x.lo: mirror; x.hi: expr t", "u[x-1]"));
  EXPECT_TRUE(uses_time("x: clamp", "u * t"));
}

TEST(IrInfer, SidesThatNoReadMeetsHoldNothing) {
  const auto sides = [](const std::string& boundary, const std::string& value) {
    Stencil stencil = canonical("stencil s { axes x, y; field f32 u boundary { " + boundary +
                                " }; u[t+1] = " + value + "; }");
    drop_unmet_sides(stencil);
    std::string text;
    for (int a = 0; a < 2; ++a)
      for (const Side& side : stencil.fields[0].boundary.sides[a])
        text += std::string(name(side.edge)) + " ";
    return text;
  };
  EXPECT_EQ(sides("x: expr t; y: clamp", "u"), "fixed fixed fixed fixed ");
  EXPECT_EQ(sides("x: expr t; y: clamp", "u[y-1]"), "fixed fixed clamp clamp ");
  EXPECT_EQ(sides("x.lo: clamp; x.hi: expr t; y: periodic", "u[x-1] + u[y+1]"),
            "clamp clamp periodic periodic ");
  EXPECT_EQ(sides("x.lo: mirror; x.hi: expr t; y: ghost", "u[x-1]"), "mirror expr ghost ghost ");
}

}  // namespace
}  // namespace stencilc::ir
