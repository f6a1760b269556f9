// What is inferred from the reads: levels, buffers, domains.
#include <gtest/gtest.h>

#include "support/analysed.h"

namespace stencilc::ir {
namespace {

using testing::canonical;

Field field_of(const std::string& text) { return canonical(text).fields.at(0); }
Update update_of(const std::string& text) { return canonical(text).updates.at(0); }

TEST(IrInfer, AFieldReadAtItsNeighboursNeedsTwoBuffers) {
  const Field u =
      field_of("stencil s { axes x; field f32 u boundary clamp; u[t+1] = u[x-1] + u; }");
  EXPECT_EQ(u.levels(), 1);
  EXPECT_EQ(u.buffers(), 2);
  EXPECT_FALSE(u.overwrites_oldest);
}

TEST(IrInfer, APointwiseUpdateRunsInPlace) {
  const Field u = field_of("stencil s { axes x; field f32 u; u[t+1] = 2*u; }");
  EXPECT_EQ(u.levels(), 1);
  EXPECT_EQ(u.buffers(), 1);
}

TEST(IrInfer, AFieldThatIsNotReadRunsInPlace) {
  EXPECT_EQ(field_of("stencil s { axes x; field f32 u; u[t+1] = 1; }").buffers(), 1);
}

TEST(IrInfer, TheWaveEquationFoldsItsOldestLevel) {
  const Field u = field_of(
      "stencil s { axes x, y; field f32 u boundary zero; u[t+1] = 2*u - u[t-1] + 0.1*laplacian(u); "
      "}");
  EXPECT_EQ(u.levels(), 2);
  EXPECT_EQ(u.buffers(), 2);
  EXPECT_TRUE(u.overwrites_oldest);
}

TEST(IrInfer, AnOldLevelReadBesideTheCellStays) {
  const Field u = field_of(
      "stencil s { axes x; field f32 u boundary zero; u[t+1] = 2*u - u[x-1, t-1] + u[x+1]; }");
  EXPECT_EQ(u.levels(), 2);
  EXPECT_EQ(u.buffers(), 3);
  EXPECT_FALSE(u.overwrites_oldest);
}

// Another field's update reads the old level of a neighbour: it is still needed while t+1 is
// written.
TEST(IrInfer, AnOldLevelAnotherUpdateReadsBesideTheCellStays) {
  const Field u = field_of(
      "stencil s { axes x; field f32 u, v boundary zero; u[t+1] = u - u[t-1]; v[t+1] = u[x+1, "
      "t-1]; }");
  EXPECT_EQ(u.buffers(), 3);
}

TEST(IrInfer, LevelsCountFromTheOldestRead) {
  const Field u = field_of("stencil s { axes x; field f32 u; u[t+1] = u + u[t-3]; }");
  EXPECT_EQ(u.levels(), 4);
  EXPECT_EQ(u.buffers(), 4);
}

TEST(IrInfer, InputsAndOutputsHaveOneBuffer) {
  const Stencil s = canonical(
      "stencil s { axes x; field f32 p in boundary clamp; field f32 q out; q = p[x-1]; }");
  EXPECT_EQ(s.fields[0].role, Role::input);
  EXPECT_EQ(s.fields[1].role, Role::output);
  EXPECT_EQ(s.fields[0].buffers(), 1);
  EXPECT_EQ(s.fields[1].buffers(), 1);
  EXPECT_FALSE(s.steps());
}

TEST(IrInfer, FixedAndNoneKeepTheReadsInsidePerSide) {
  for (const std::string kind : {"fixed", "none"}) {
    const Update u = update_of("stencil s { axes x, y, z; field f32 u boundary " + kind +
                               "; u[t+1] = u[x-2] + u[x+1] + u[y+3] + u[z-1]; }");
    EXPECT_EQ(u.low, (Offset{2, 0, 1})) << kind;
    EXPECT_EQ(u.high, (Offset{1, 3, 0})) << kind;
    EXPECT_FALSE(u.everywhere());
  }
}

TEST(IrInfer, OtherBoundariesUpdateEverywhere) {
  for (const std::string kind : {"clamp", "reflect", "mirror", "periodic", "constant 2", "zero"})
    EXPECT_TRUE(
        update_of("stencil s { axes x; field f32 u boundary " + kind + "; u[t+1] = u[x-2]; }")
            .everywhere())
        << kind;
}

TEST(IrInfer, EachUpdateHasTheDomainOfItsOwnReads) {
  const Stencil s = canonical(
      "stencil s { axes x; field f32 u boundary fixed; field f32 v boundary clamp; field f32 w; "
      "u[t+1] = u[x+1] + v[x-3]; v[t+1] = u[x-1] + v[x+2]; w[t+1] = w + u; }");
  EXPECT_EQ(s.updates[0].high, (Offset{1, 0, 0}));
  EXPECT_EQ(s.updates[0].low, (Offset{0, 0, 0}));
  EXPECT_EQ(s.updates[1].low, (Offset{1, 0, 0}));
  EXPECT_EQ(s.updates[1].high, (Offset{0, 0, 0}));
  EXPECT_TRUE(s.updates[2].everywhere());
}

TEST(IrInfer, DomainsPrint) {
  const std::string text = print(canonical(
      "stencil s { axes x, y; field f32 u boundary fixed; u[t+1] = u[x-1] + u[x+2] + u[y-1]; }"));
  EXPECT_EQ(text,
            "stencil s(x, y) {\n"
            "  field f32 u stepped, levels t, buffers 2, boundary fixed\n"
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

}  // namespace
}  // namespace stencilc::ir
