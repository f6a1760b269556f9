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

// Rows whose second cell lists what SIDE stands for in the first; of each text that `text_of`
// makes, the parts that it holds, and those that it `lacks`.
template <class TextOf>
void expect_texts(const TextOf& text_of, std::string_view table) {
  for (const testing::Cells& row : testing::rows(table))
    for (const std::string& side : testing::parts_of(row.at(1), ", ")) {
      SCOPED_TRACE(row[0] + ", " + side);
      const std::string text = text_of(testing::replaced(row[0], "SIDE", side));
      for (const std::string& part : testing::parts_of(row.at(2), " / "))
        if (part.starts_with("lacks "))
          expect_lacks(text, {part.substr(6)});
        else
          expect_has(text, {part});
    }
}

TEST(LowerTemporal, WhatStepsKeepInThePlane) {
  const auto text_of = [](const std::string& items) { return launch_of_steps(items); };
  expect_texts(text_of, R"(
    // Rows are added to sums of what steps make alone: a row of `p` does not arrive.
    field f32 u boundary SIDE; field f32 p readonly; u[t+1] = max(0.2*u[y-1] + 0.3*u[y+1], p); => clamp => sum0
    field f32 u boundary SIDE; field f32 p readonly; u[t+1] = 0.2*u[y-1] + 0.3*u[y+1] + 0.5*p; => clamp => lacks sum0
    // The row of the step before is among the carried rows. Nothing outside the grid is read of it, and the rows that
    // the step reads are enough.
    field f32 u boundary SIDE; u[t+1] = 2*u - u[t-1] + 0.2*(u[y-2] + u[y+2] + u[x-1] - 3*u);
      => clamp => u_prev_ring / u_new_prev / lacks u_prev_held / lacks u_ym3
    // What a step reads before the cell's row reaches less far than what it reads behind it.
    field f32 u boundary SIDE; u[t+1] = 0.5*u[t-1] + 0.2*(u[y+2] - u[x-1]); => clamp => u_ym2
    // Columns outside the grid are selected, and what makes them stands beside what steps compute.
    field f32 u, v boundary SIDE; u[t+1] = u + 0.1*(u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u) - u*v*v + 0.3*(1 - u);
      v[t+1] = v + 0.2*(v[x-1] + v[x+1] + v[y-1] + v[y+1] - 4*v) + u*v*v - 0.4*v;
      => expr 0.5*x + y, zero, neumann 0.5, antireflect, fixed => advance_steps
    // Where vectors do not fill rows, the last tile begins so that they end with one. No vector of it lies across the
    // end: cells are copied one by one, and none is found by its place.
    field f32 u boundary SIDE; u[t+1] = 0.2*u[x-1] + 0.3*u[x+1] + 0.1*u[y-1] + 0.2*u[y+1];
      => clamp, zero, fixed, periodic => let shifted / , one by one where
    // Where steps keep sums alone, cells that `fixed` keeps pass through them, and none wait in shared memory for them;
    // a sum of another type cannot carry them, and without sums there is nothing to pass through.
    field f32 u boundary SIDE; u[t+1] = 0.2*u[y-1] + 0.3*u[y+1] + 0.1*u[x-1] + 0.4*u;
      => fixed => pass through the sums / lacks u_unassigned[0] <-
    field f16 u boundary SIDE; u[t+1] = 0.2*u[y-1] + 0.3*u[y+1] + 0.1*u[x-1] + 0.4*u; => fixed => u_unassigned[0] <-
    field f32 u boundary SIDE; u[t+1] = 0.5*u[y-1]*u[y+1] + 0.1*u[x-1]*u[x+1]; => fixed => lacks pass through the sums
    field f32 u boundary SIDE; u[t+1] = 0.2*u[y-1] + 0.3*u[y+1] + 0.1*u[x-1]; => clamp => lacks keeps
  )");
  EXPECT_GE(count(launch_of_steps("field f32 u boundary fixed; u[t+1] = 0.2*u[y-1] + 0.3*u[y+1] + "
                                  "0.1*u[x-1] + 0.4*u;"),
                  "keeps_y"),
            4)
      << "rows near the ends of the stream";
  // Those of bits lie in words.
  expect_lacks(
      launch_of_steps("field u8 u boundary zero; let n = sum(i in -1..1, j in -1..1 : u[x+i, "
                      "y+j]) - u; u[t+1] = (n == 3 || (n == 2 && u == 1)) ? 1 : 0;",
                      "vector=32,coarsen=y64"),
      {"shifted"});
}

// Of a type, a boundary and a sum.
TEST(LowerTemporal, WhatStepsKeepInSpace) {
  const auto text_of = [](const std::string& words) {
    const testing::Cells of = testing::parts_of(words, ": ");
    std::string sum = testing::replaced(of.at(2), "NEAR", "0.2*laplacian(u)");
    sum =
        testing::replaced(sum, "WIDE", "0.1*(u[y-2] + u[y-1] + u[y+1] + u[y+2] + u[z-1] + u[z+1])");
    return stream_3d_of(sum, of[1], of[0]);
  };
  expect_texts(text_of, R"(
    // Of the plane of the step before one place is enough; what waits is what stands for planes outside the grid, and
    // none is kept in registers.
    f32: SIDE: 2*u - u[t-1] + NEAR => clamp
      => u_prev_ring / u_past / u_new_prev / old_slot / lacks past_slot = / lacks u_held[ / lacks u_0_far
    f32: SIDE: 2*u - u[t-1] + c*laplacian(u) => clamp => past_slot =
    f32: SIDE: 2*u + NEAR => clamp => lacks u_past
    // Cells that `fixed` keeps are read again among those of t, or pass through sums, only where nothing else reads the
    // cell itself. A step is a plane behind the one before, so that three of those that came are needed, and one more
    // that is in work; 2 are on their way. One cell at either end is a side.
    f32: SIDE: NEAR => fixed
      => are read again from the plane of t / 3 more slots hold planes / let side / lacks keep their values
    f64: SIDE: NEAR => fixed
      => keep their values / the previous plane is still read / lacks are read again from the plane of t
    f32: SIDE: 0.1*(u[x-2] + u[x+2] + u[z-1] + u[z+1]) => fixed => are read again from the plane of t / lacks let side
    f32: SIDE: 0.5*u + c*laplacian(u) => fixed => lacks keep their values / lacks are read again from the plane of t
    // Tiles of blocks that stream end with the grid, so that no vector lies across the end of a row: cells are copied
    // as they follow each other, and none is found by its place. Where the grid goes round the last tile is set back
    // instead. A plane beyond the ends of the stream may have to be made of others.
    f32: SIDE: NEAR => clamp, zero, fixed, reflect
      => let last_tile_x / lacks let shifted / as a vector where / lacks _index(
    f32: SIDE: NEAR => periodic => lacks let last_tile_x / let shifted / as a vector where / lacks _index(
    f32: SIDE: NEAR => antireflect => , one by one where
    // Rows beside a tile are copied by one text for the first warp and the last one, unless they read other numbers of
    // them.
    f32: SIDE: NEAR => clamp => let beside_row
    f32: SIDE: 0.2*u[x-1] + 0.3*u[y-1] + 0.1*u[z-1] + 0.2*u[z+1] => clamp => lacks let beside_row
    // Where all rows beyond the ends are a constant, those beside a tile that are not in the grid lie there from the
    // start on: a plane asks for those in the grid, and no row stands for another one.
    f32: SIDE: NEAR => zero, constant 2 => Rows outside the grid are a constant. / lacks clamp((tile_y +
    f32: SIDE: WIDE => zero, constant 2 => Rows outside the grid are a constant. / lacks clamp((tile_y +
    f32: SIDE: NEAR => clamp, fixed, reflect, periodic => lacks Rows outside the grid are a constant.
    f32: SIDE: WIDE => clamp, fixed, reflect, periodic => lacks Rows outside the grid are a constant.
    f32: SIDE: NEAR => clamp => clamp((tile_y +
  )");
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
