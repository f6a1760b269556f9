// Rows beyond the rim, and cells beyond the ends of a row.
#include <gtest/gtest.h>

#include "lower/rows.h"
#include "lower/signature.h"
#include "support/analysed.h"

namespace stencilc::lower {
namespace {

struct Rows {
  ir::Stencil stencil;
  plan::Schedule schedule;
  kernel::Module module;
  Context context;

  explicit Rows(const std::string& boundary, const std::string& axes = "x, y, z")
      : stencil(testing::canonical("stencil s { axes " + axes + "; field f32 u boundary " +
                                   boundary + "; u[t+1] = u[x-1] + u[x+1]" +
                                   (axes == "x" ? "" : " + u[y-1] + u[y+1]") +
                                   (axes == "x, y, z" ? " + u[z-1] + u[z+1]" : "") + "; }")),
        schedule(plan::parse("coarsened,vector=4", stencil, plan::Target::cuda).schedule),
        context(claim_signature(stencil, schedule, module), stencil, schedule.stages.launches.at(0),
                false, plan::Target::cuda) {}
};

bool maps(const std::string& boundary, const std::string& axes = "x, y, z") {
  const Rows rows(boundary, axes);
  return rows_map(rows.context, 0);
}

TEST(LowerRows, OneMapOrOneConstantAnAxisStandsForWhatIsBeyondTheRim) {
  for (const std::string boundary :
       {"clamp", "reflect", "mirror", "periodic", "fixed", "constant 2", "zero",
        "{ x: constant 2; y: periodic; z: constant 2; }"})
    EXPECT_TRUE(maps(boundary)) << boundary;
  for (const std::string boundary : {"antireflect", "neumann 1", "expr 0.5*x", "ghost",
                                     "{ x: constant 1; y: constant 2; z: clamp; }",
                                     "{ x.lo: clamp; x.hi: mirror; y: clamp; z: clamp; }",
                                     "{ x: clamp; y.lo: constant 1; y.hi: clamp; z: clamp; }"})
    EXPECT_FALSE(maps(boundary)) << boundary;
}

TEST(LowerRows, OneAxisHasNoRows) {
  EXPECT_TRUE(maps("clamp", "x, y"));
  EXPECT_FALSE(maps("clamp", "x"));
}

// What the function of a kernel returns, as the compiler of the GPU reads it.
TEST(LowerRows, TheMapIsAskedNearTheRimAloneWhereOneTextServesBoth) {
  for (const bool both : {false, true}) {
    Rows rows("{ x: clamp; y: periodic; z: constant 2; }");
    if (both) rows.context.edge = "edge";
    Names names = rows.context.names;
    kernel::Body body;
    const RowFunctions functions = declare_rows(rows.context, 0, 0, names, body);
    EXPECT_EQ(functions.row, "u_row");
    EXPECT_EQ(functions.cell, "u_in");
    ASSERT_EQ(body.size(), 3u);
    const auto& row = std::get<kernel::Local>(body[1].node);
    EXPECT_EQ(row.params, (std::vector<std::string>{"row_y", "row_z"}));
    EXPECT_EQ(kernel::used_names(row.body).count("edge"), both ? 1u : 0u);
    const auto& cell = std::get<kernel::Local>(body[2].node);
    EXPECT_EQ(cell.params, (std::vector<std::string>{"row", "cell_x"}));
    EXPECT_EQ(kernel::used_names(cell.body).count("u"), 1u);
  }
}

}  // namespace
}  // namespace stencilc::lower
