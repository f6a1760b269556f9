// Weights given at run time, and the time as a value.
#include <gtest/gtest.h>

#include "support/interpreted.h"

namespace stencilc {
namespace {

using testing::complaints;
using testing::Interpreted;
using testing::statements_of;
using Numbers = Interpreted::Numbers;

TEST(SemaWeights, TheyAreReadByConstantIndices) {
  EXPECT_EQ(statements_of("stencil s { axes x; field f32 u boundary zero; weights w[-1..1];\n"
                          "u[t+1] = sum(i in -1..1 : w[i]*u[x+i]); }"),
            "u[t+1] = add(add(mul(w{0}, u[x-1]), mul(w{1}, u)), mul(w{2}, u[x+1]))\n");
  Interpreted run(
      "stencil s { axes x, y; field f32 u in boundary zero; field f32 d out; weights w[0..1, "
      "-1..0];\n"
      "d = sum(i in 0..1, j in -1..0 : w[i,j]*u[x+i, y+j]); }",
      {2, 2, 1});
  run.weights("w", {1000, 1, 100, 10}).field("u", {1, 2, 3, 4}).run(1);
  EXPECT_EQ(run.field("d"), (Numbers{21, 2, 1243, 2004}));
}

TEST(SemaWeights, TheirTypeIsTheRealTypeOfTheStencil) {
  const auto types = [](const std::string& text) {
    std::string result;
    for (const ir::Weights& weights : testing::canonical(text).weights)
      result += std::string(ir::name(weights.type)) + " ";
    return result;
  };
  EXPECT_EQ(types("stencil s { axes x; weights w[0..0], v[0..0]; field f32 u; u[t+1] = "
                  "w[0]*v[0]*u; }"),
            "f32 f32 ");
  EXPECT_EQ(types("stencil s { axes x; weights w[0..0]; weights f32 v[0..0]; field f64 u; u[t+1] = "
                  "w[0]*v[0]*u; }"),
            "f64 f32 ");
  EXPECT_EQ(types("stencil s { axes x; weights w[0..0]; field f32 u compute f64; u[t+1] = "
                  "w[0]*u; }"),
            "f64 ");
}

TEST(SemaWeights, IndicesAreThoseOfTheRanges) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f32 u boundary zero; weights w[-1..1];\n"
                       "  u[t+1] = sum(i in -2..1 : w[i]*u[x+i]);\n"
                       "}\n"),
            "in.stn:3:31: error: index -2 lies outside -1..1 [STN0307]\n"
            "   3 |   u[t+1] = sum(i in -2..1 : w[i]*u[x+i]);\n"
            "     |                               ^\n"
            "in.stn:2:46: note: `w` is declared here\n"
            "   2 |   axes x; field f32 u boundary zero; weights w[-1..1];\n"
            "     |                                              ^\n");
}

TEST(SemaWeights, TheyAreNoConstants) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f32 u; weights w[-1..1];\n"
                       "  const f32 k = w[0];\n"
                       "  u[t+1] = k*u;\n"
                       "}\n"),
            "in.stn:3:17: error: the value of a const must be known when the stencil is compiled "
            "[STN0303]\n"
            "   3 |   const f32 k = w[0];\n"
            "     |                 ^~~~\n"
            "  help: use a number, a `const`, or a window variable; `-D name=value` turns a param "
            "into a constant\n");
}

TEST(SemaWeights, AllOfThemHave16KiB) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f64 u; weights w[0..1000];\n"
                       "  weights f32 v[0..999], q[0..999], r[0..95];\n"
                       "  u[t+1] = w[0]*v[0]*q[0]*r[0]*u;\n"
                       "}\n"),
            "in.stn:3:37: error: the weights have 16392 bytes; the limit is 16384 [STN0902]\n"
            "   3 |   weights f32 v[0..999], q[0..999], r[0..95];\n"
            "     |                                     ^\n"
            "  help: read such a table from a field\n");
}

TEST(SemaWeights, UnusedOnesAreSaid) {
  EXPECT_EQ(complaints("stencil s { axes x; field f32 u;\nweights w[0..1]; u[t+1] = u; }"),
            "in.stn:2:9: warning: `w` is never used [STN0801]\n"
            "   2 | weights w[0..1]; u[t+1] = u; }\n"
            "     |         ^\n");
}

TEST(SemaTime, ItIsTheNumberOfTheStep) {
  EXPECT_EQ(statements_of("stencil s { axes x; field f32 u; u[t+1] = u + t; }"),
            "u[t+1] = add(u, f32(t))\n");
  EXPECT_EQ(Interpreted("stencil s { axes x; field i64 u; u[t+1] = 10*u + t; }", {1, 1, 1})
                .run(4)
                .field("u"),
            (Numbers{123}));
}

TEST(SemaTime, ItIsNoConstant) {
  EXPECT_EQ(complaints("stencil s {\n"
                       "  axes x; field f32 u boundary clamp;\n"
                       "  u[t+1] = u^t;\n"
                       "}\n"),
            "in.stn:3:14: error: an exponent must be known when the stencil is compiled "
            "[STN0303]\n"
            "   3 |   u[t+1] = u^t;\n"
            "     |              ^\n"
            "  help: use a number, a `const`, or a window variable; `-D name=value` turns a param "
            "into a constant\n");
}

}  // namespace
}  // namespace stencilc
