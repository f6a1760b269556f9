// Launches of several steps: what each step keeps.
#include <gtest/gtest.h>

#include "support/lowered.h"
#include "support/rows.h"
#include "support/text.h"

namespace stencilc::lower {
namespace {

using testing::count;
using testing::expect_has;
using testing::expect_in_order;
using testing::expect_lacks;
using testing::has;

// The kernel of several steps, as text.
std::string text_of(const kernel::Module& module, int steps) {
  EXPECT_EQ(module.launches.at(0).kernel.most_steps, steps) << module.why_one;
  return kernel::print(module.launches.at(0).kernel);
}
std::string launch_of_steps(const std::string& items,
                            const std::string& shape = "vector=4,coarsen=y64,sums=scatter") {
  return text_of(testing::lowered("x, y", items, "coarsened,threads=32x1," + shape + ",steps=4",
                                  plan::any_device()),
                 4);
}
// The same in space.
std::string stream_3d_of(const std::string& sum, const std::string& boundary = "clamp",
                         const std::string& type = "f32") {
  return text_of(testing::lowered("x, y, z",
                                  "field " + type + " u boundary " + boundary + "; " +
                                      (has(sum, "c*") ? "field " + type + " c; " : "") +
                                      "u[t+1] = " + sum + ";",
                                  "coarsened,threads=32x8,vector=4,rows=3,shared=none,coarsen=z64,"
                                  "sums=scatter,steps=3"),
                 3);
}

TEST(LowerTemporal, RowsAreAddedToSumsOfWhatStepsMakeAlone) {
  const std::string own = "field f32 u boundary clamp; field f32 p readonly; ";
  expect_has(launch_of_steps(own + "u[t+1] = max(0.2*u[y-1] + 0.3*u[y+1], p);"), {"sum0"});
  // A row of `p` does not arrive.
  expect_lacks(launch_of_steps(own + "u[t+1] = 0.2*u[y-1] + 0.3*u[y+1] + 0.5*p;"), {"sum0"});
}

// Nothing outside the grid is read of it, and the rows that the step reads are enough.
TEST(LowerTemporal, TheRowOfTheStepBeforeIsAmongTheCarriedRows) {
  const std::string wave = launch_of_steps(
      "field f32 u boundary clamp; u[t+1] = 2*u - u[t-1] + 0.2*(u[y-2] + u[y+2] + u[x-1] - 3*u);");
  expect_has(wave, {"u_prev_ring", "u_new_prev"});
  expect_lacks(wave, {"u_prev_held", "u_ym3"});
  // What a step reads before the cell's row reaches less far than what it reads after it.
  expect_has(
      launch_of_steps("field f32 u boundary clamp; u[t+1] = 0.5*u[t-1] + 0.2*(u[y+2] - u[x-1]);"),
      {"u_ym2"});
}

// Columns outside the grid are selected, and what makes them stands beside what steps compute.
TEST(LowerTemporal, WhatFillsGhostColumnsHasNamesOfItsOwn) {
  const std::string two =
      "u[t+1] = u + 0.1*(u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u) - u*v*v + 0.3*(1 - u); "
      "v[t+1] = v + 0.2*(v[x-1] + v[x+1] + v[y-1] + v[y+1] - 4*v) + u*v*v - 0.4*v;";
  for (const std::string side : {"expr 0.5*x + y", "zero", "neumann 0.5", "antireflect", "fixed"}) {
    SCOPED_TRACE(side);
    expect_has(launch_of_steps("field f32 u, v boundary " + side + "; " + two), {"advance_steps"});
  }
}

// Where vectors do not fill rows, the last tile begins so that they end with one. No vector of it
// lies across the end: cells are copied one by one, and none is found by its place.
TEST(LowerTemporal, TheLastTileEndsWithTheRow) {
  const std::string star = "u[t+1] = 0.2*u[x-1] + 0.3*u[x+1] + 0.1*u[y-1] + 0.2*u[y+1];";
  for (const std::string side : {"clamp", "zero", "fixed", "periodic"}) {
    SCOPED_TRACE(side);
    expect_has(launch_of_steps("field f32 u boundary " + side + "; " + star),
               {"let shifted", ", one by one where "});
  }
  // Those of bits lie in words.
  expect_lacks(
      launch_of_steps("field u8 u boundary zero; let n = sum(i in -1..1, j in -1..1 : u[x+i, "
                      "y+j]) - u; u[t+1] = (n == 3 || (n == 2 && u == 1)) ? 1 : 0;",
                      "vector=32,coarsen=y64"),
      {"shifted"});
}

// Where steps keep sums alone, cells that `fixed` keeps pass through them, and none wait in shared
// memory for them; a sum of another type cannot carry them.
TEST(LowerTemporal, UnassignedCellsPassThroughTheSums) {
  const std::string sum = "; u[t+1] = 0.2*u[y-1] + 0.3*u[y+1] + 0.1*u[x-1] + 0.4*u;";
  const std::string own = launch_of_steps("field f32 u boundary fixed" + sum);
  expect_has(own, {"pass through the sums"});
  expect_lacks(own, {"u_unassigned[0] <- "});
  EXPECT_GE(count(own, "keeps_y"), 4) << "rows near the ends of the stream";
  expect_has(launch_of_steps("field f16 u boundary fixed" + sum), {"u_unassigned[0] <- "});
  // Without sums there is nothing to pass through.
  expect_lacks(launch_of_steps(
                   "field f32 u boundary fixed; u[t+1] = 0.5*u[y-1]*u[y+1] + 0.1*u[x-1]*u[x+1];"),
               {"pass through the sums"});
  expect_lacks(
      launch_of_steps("field f32 u boundary clamp; u[t+1] = 0.2*u[y-1] + 0.3*u[y+1] + 0.1*u[x-1];"),
      {"keeps"});
}

// One place is enough; what waits is what stands for planes outside the grid, and none is kept in
// registers.
TEST(LowerTemporal, InSpaceThePlaneOfTheStepBeforeWaitsInSharedMemory) {
  const std::string wave = stream_3d_of("2*u - u[t-1] + 0.2*laplacian(u)");
  expect_has(wave, {"u_prev_ring", "u_past", "u_new_prev", "old_slot"});
  expect_lacks(wave, {"past_slot = ", "u_held[", "u_0_far"});
  expect_has(stream_3d_of("2*u - u[t-1] + c*laplacian(u)"), {"past_slot = "});
  expect_lacks(stream_3d_of("2*u + 0.2*laplacian(u)"), {"u_past"});
}

// Cells that `fixed` keeps are read again among those of t, or pass through sums, only where
// nothing else reads the cell itself.
TEST(LowerTemporal, InSpaceUnassignedCellsAreThoseThatValuesReadBesides) {
  const std::string pass = "keep their values", again = "are read again from the plane of t";
  // A step is a plane behind the one before, so that three of those that came are needed, and one
  // more that is in work; 2 are on their way. One cell at either end is a side.
  const std::string singles = stream_3d_of("0.2*laplacian(u)", "fixed");
  expect_has(singles, {again, "3 more slots hold planes", "let side"});
  expect_lacks(singles, {pass});
  const std::string doubles = stream_3d_of("0.2*laplacian(u)", "fixed", "f64");
  expect_has(doubles, {pass, "the plane before is still read"});
  expect_lacks(doubles, {again});
  const std::string wide = stream_3d_of("0.1*(u[x-2] + u[x+2] + u[z-1] + u[z+1])", "fixed");
  expect_has(wide, {again});
  expect_lacks(wide, {"let side"});
  expect_lacks(stream_3d_of("0.5*u + c*laplacian(u)", "fixed"), {pass, again});
}

// Tiles of blocks that stream end with the grid, so that no vector lies across the end of a row:
// cells are copied as they follow each other, and none is found by its place. Where the grid goes
// round the last tile is set back instead.
TEST(LowerTemporal, TilesOfColumnsEndWithTheGrid) {
  for (const std::string boundary : {"clamp", "zero", "fixed", "reflect", "periodic"}) {
    SCOPED_TRACE(boundary);
    const std::string text = stream_3d_of("0.2*laplacian(u)", boundary);
    EXPECT_EQ(has(text, "let last_tile_x"), boundary != "periodic");
    EXPECT_EQ(has(text, "let shifted"), boundary == "periodic");
    expect_has(text, {"as a vector where"});
    expect_lacks(text, {"_index("});
  }
  // A plane beyond the ends of the stream may have to be made of others.
  expect_has(stream_3d_of("0.2*laplacian(u)", "antireflect"), {", one by one where "});
}

// Rows beside a tile are copied by one text for the first warp and the last one, unless they read
// other numbers of them.
TEST(LowerTemporal, RowsBesideATileAreCopiedByOneBranch) {
  expect_has(stream_3d_of("0.2*laplacian(u)"), {"let beside_row"});
  expect_lacks(stream_3d_of("0.2*u[x-1] + 0.3*u[y-1] + 0.1*u[z-1] + 0.2*u[z+1]"),
               {"let beside_row"});
}

// Where all rows beyond the ends are a constant, those beside a tile that are not in the grid lie
// there from the start on: a plane asks for those in the grid, and no row stands for another one.
TEST(LowerTemporal, RowsOutsideTheGridBesideATileAreStoredOnce) {
  const std::string near = "0.2*laplacian(u)",
                    wide = "0.1*(u[y-2] + u[y-1] + u[y+1] + u[y+2] + u[z-1] + u[z+1])",
                    note = "Rows outside the grid are a constant.";
  for (const std::string& update : {near, wide}) {
    for (const std::string boundary : {"zero", "constant 2"}) {
      SCOPED_TRACE(update + ", " + boundary);
      const std::string text = stream_3d_of(update, boundary);
      expect_has(text, {note});
      expect_lacks(text, {"clamp((tile_y + "});
    }
    for (const std::string boundary : {"clamp", "fixed", "reflect", "periodic"}) {
      SCOPED_TRACE(update + ", " + boundary);
      expect_lacks(stream_3d_of(update, boundary), {note});
    }
  }
  expect_has(stream_3d_of(near, "clamp"), {"clamp((tile_y + "});
}

// Where the grid goes round, the rows that a warp copies are found once: no plane asks where they
// lie.
TEST(LowerTemporal, RowsThatWrapAroundAreFoundOnceForAllPlanes) {
  for (const std::string update :
       {"0.2*laplacian(u)", "0.2*u[x-1] + 0.3*u[y-1] + 0.1*u[z-1] + 0.2*u[z+1]"}) {
    const std::string text = stream_3d_of(update, "periodic");
    const size_t prefetches = text.find("prefetch(");
    ASSERT_NE(prefetches, std::string::npos);
    EXPECT_LT(text.rfind("let at_y"), prefetches) << text;
    expect_in_order(text, {"array starts:", "let at_y", "prefetch(", "starts_beside[0]"});
    expect_lacks(stream_3d_of(update), {"starts"});
  }
}

// All of them stand in the body of one step.
TEST(LowerTemporal, EachValueOfPointsThatAsksForTheStepHasANameForIt) {
  const auto tile = [](const std::string& value) {
    const kernel::Module module =
        testing::lowered("x, y",
                         "field f32 u boundary zero; points a, b; series f32 trace(b); "
                         "u[t+1] = u + 0.1*laplacian(u) + 0.001*f32(t); inject u[t+1] += " +
                             value + " at a; inject u[t+1] += " + value +
                             " at b; sample trace[t] = u*" + value + " at b;",
                         "coarsened,threads=32x4,vector=4,rows=4,steps=4", plan::any_device());
    for (const kernel::Launch& launch : module.launches)
      if (launch.kernel.most_steps == 4) return kernel::print(launch.kernel);
    return module.why_one;
  };
  EXPECT_EQ(count(tile("f32(t)"), "let now"), 4);
  EXPECT_EQ(count(tile("0.5"), "let now"), 1);
}

}  // namespace
}  // namespace stencilc::lower
