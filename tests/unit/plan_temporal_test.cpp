// How many steps a launch can take, and what rows and columns outside the grid ask for.
#include <gtest/gtest.h>

#include "plan/temporal/resident_tile.h"
#include "plan/temporal/temporal_blocking.h"
#include "support/planned.h"
#include "support/rows.h"

namespace stencilc::plan {
namespace {

using testing::Cells;
using testing::expect_rows;
using testing::on;
using testing::scheduled;

constexpr const char* kSchedule = "coarsened,threads=32x2,vector=4,coarsen=y64,steps=8";

Temporal of(const std::string& items, const std::string& schedule = kSchedule) {
  const ir::Stencil stencil = on("x, y", items);
  return temporal(stencil, scheduled(schedule, stencil, any_device()));
}
std::string why_one(const std::string& items) {
  const Temporal one = of(items);
  EXPECT_EQ(one.steps == 1, !one.why_one.empty());
  return one.why_one;
}
std::string star(const std::string& boundary) {
  return "field f32 u boundary " + boundary +
         "; u[t+1] = 0.2*(u + u[x-1] + u[x+1] + u[y-1] + u[y+1]);";
}
// The same in space, of a sum; what makes it is put in `schedule`.
Temporal of_stream(const std::string& field, const std::string& sum, int steps,
                   Schedule& schedule) {
  const ir::Stencil stencil = on("x, y, z", "field " + field + "; u[t+1] = " + sum + ";");
  schedule = scheduled(
      "coarsened,threads=32x8,vector=4,rows=4,shared=none,coarsen=z64,sums=scatter,steps=" +
          std::to_string(steps),
      stencil);
  return temporal(stencil, schedule);
}
constexpr int kRow = 128 * 4;  // bytes of a row of its tile

TEST(PlanTemporal, TilesShrinkByTheReachOfEachStep) {
  const Temporal one = of(star("clamp"));
  EXPECT_EQ(one.steps, 8);
  EXPECT_EQ(one.why_one, "");
  EXPECT_EQ(one.left_lanes, 2);  // 8 cells
  EXPECT_EQ(one.stored_cells(4), 28 * 4);
  EXPECT_EQ(one.lag, 1);
  EXPECT_EQ(one.planes_before, 1);
  const Temporal far = of("field f32 u boundary fixed; u[t+1] = u[x-3] + u[y+2];");
  EXPECT_EQ(far.left_lanes, 6);  // 24 cells
  EXPECT_EQ(far.right_lanes, 0);
  EXPECT_EQ(far.lag, 2);
  EXPECT_EQ(far.planes_before, 0);
}

// 16 bytes are stored at once: of wide vectors a lane at the end of a tile may store a part.
TEST(PlanTemporal, WideVectorsAreStoredInParts) {
  const auto ends = [](const std::string& items, const std::string& shape) {
    const Temporal found = of(items, "coarsened,threads=32x1,coarsen=y64,sums=scatter," + shape);
    EXPECT_EQ(found.why_one, "");
    return std::array{found.lost_left, found.lost_right, found.left_lanes};
  };
  EXPECT_EQ(ends(star("clamp"), "vector=8,steps=11"), (std::array{12, 12, 2}));
  EXPECT_EQ(ends(star("clamp"), "vector=8,steps=8"), (std::array{8, 8, 1}));
  EXPECT_EQ(ends(star("clamp"), "vector=4,steps=11"), (std::array{12, 12, 3}));
  const std::string f64 = "field f64 u boundary clamp; u[t+1] = 0.3*u[x-1] + 0.3*u[x+2] + u[y-1];";
  EXPECT_EQ(ends(f64, "vector=4,steps=5"), (std::array{6, 10, 2}));
  const Temporal one = of(star("clamp"), "coarsened,threads=32x1,coarsen=y64,vector=8,steps=11");
  EXPECT_EQ(one.stored_cells(8), 232);
  EXPECT_EQ(one.first_less(8), 4) << "the first tile begins with a whole vector";
  EXPECT_EQ(one.tiles_x(224, 8), 1);
  EXPECT_EQ(one.tiles_x(232, 8), 2);
  EXPECT_EQ(one.tiles_x(224 + 232, 8), 2);
  EXPECT_TRUE(one.ends_with_rows());
  for (const int64_t cells : {221, 223, 225, 228, 231, 1000 * 232 + 3})
    EXPECT_EQ(one.tiles_x(cells, 8), one.tiles_x((cells + 7) / 8 * 8, 8)) << cells;
  EXPECT_FALSE(of(star("clamp"), "coarsened,threads=32x8,coarsen=y1,vector=4,rows=4,steps=4")
                   .ends_with_rows())
      << "tiles do not stream";
}

TEST(PlanTemporal, RowsWaitForTheGhostRowsTheyFill) {
  const auto held = [](const std::string& boundary) {
    const Temporal one = of("field f32 u boundary " + boundary + "; u[t+1] = u[y-2] + u[y+2];");
    EXPECT_EQ(one.why_one, "");
    return std::to_string(one.held) + ", first " + std::to_string(one.first_rows);
  };
  expect_rows(held, R"(
    fixed       => 0, first 0
    periodic    => 0, first 0
    zero        => 1, first 0
    clamp       => 1, first 1
    neumann 1   => 1, first 1
    reflect     => 2, first 2
    antireflect => 2, first 2
    mirror      => 3, first 3
    { y.lo: zero; y.hi: mirror; } => 3, first 0
  )");
}

TEST(PlanTemporal, AStreamCoversTheRowsThatFillGhostRows) {
  const Temporal ahead = of("field f32 u boundary mirror; u[t+1] = u[y+2];");
  EXPECT_EQ(ahead.lag, 2);
  EXPECT_EQ(ahead.planes_before, 2);
  const Temporal behind = of("field f32 u boundary reflect; u[t+1] = u[y-3];");
  EXPECT_EQ(behind.lag, 2);
  EXPECT_EQ(behind.planes_before, 3);
}

TEST(PlanTemporal, InputsReadAtTheCellWaitWhereTheirRowsFit) {
  const auto of = [](const std::string& sum, const std::string& warps = "1") {
    const ir::Stencil stencil = on("x, y",
                                   "field f32 u boundary clamp; field f32 c, d in boundary clamp; "
                                   "field f32 row(x) in; u[t+1] = " +
                                       sum + ";");
    return temporal(
        stencil,
        scheduled("coarsened,threads=32x" + warps + ",vector=4,coarsen=y64,steps=8", stencil));
  };
  using Fields = std::vector<int>;
  const Temporal own = of("u[y-1] + c*u[y+1] + row*u");
  EXPECT_EQ(own.inputs(), Fields{1}) << "`row` is along x alone";
  EXPECT_EQ(own.input_bytes(), 4);
  EXPECT_EQ(own.rows_held_back(), 8);
  EXPECT_EQ(of("u[y-1] + c[x+1]*u[y+1]").inputs(), Fields{});
  EXPECT_EQ(of("u[y-1] + c[x+1]*u[y+1]").rows_held_back(), 0);
  EXPECT_EQ(of("u[y-1] + c*u[y+2] + d").inputs(), (Fields{1, 2}));
  EXPECT_EQ(of("u[y-1] + c*u[y+2] + d", "4").inputs(), Fields{}) << "too much shared memory";
}

TEST(PlanTemporal, WhatCannotBeBlockedSaysWhy) {
  expect_rows(why_one, R"(
    field f32 u in, v out; v = 2*u; => the stencil has no time steps
    field f32 u boundary clamp; u[t+1] = 2*u - u[t-2] + u[x-1]; => `u` is read at 3 time levels
    field f32 u boundary clamp; u[t+1] = 2*u - u[x-1, t-1];
      => `u` is read at `t-1` in neighbouring cells
    field f32 u boundary ghost; u[t+1] = u[x-1];
      => the `ghost` cells of `u` come from the caller and are valid for one step
    field f32 u, v; boundary u { x: periodic; } boundary v { x: clamp; } u[t+1] = u[x-1] + v; v[t+1] = v[x-1] + u;
      => along `x` some fields are periodic and others are not
    field f32 u boundary { x: periodic; y: expr f32(x); }; u[t+1] = u[x-1] + u[y-1];
      => the boundary of `u` depends on a coordinate along a periodic axis
    field f32 u boundary { x: antireflect; y: zero; }; u[t+1] = u[x-1] + u[y-1];
      => at the corners of `u` a constant boundary would have to override the boundary along `x`
    field f32 u boundary clamp; field f32 v out; u[t+1] = u[x-1]; v = u;
      => `v` is an output field, which only resident tiles support
    field f32 u boundary constant f32(t); u[t+1] = u[x-1];
      => a boundary value depends on the step number
    field f32 u boundary fixed; u[t+1] = u[x-8] + u[x+8]; => with 8 steps the halo covers a whole tile of 32 vectors
    field f32 u boundary mirror; u[t+1] = u[x-5];
      => a step needs more cells for the ghost cells at the start of a row than `vector` has
    field f32 u boundary clamp; u[t+1] = u[x+1]; =>
  )");
  EXPECT_EQ(of(star("clamp"), "coarsened,threads=32x4,vector=8,coarsen=y64,steps=12").why_one,
            "the prefetched rows need 61440 bytes of shared memory, and a block has 49152; use "
            "fewer warps per block");
}

TEST(PlanTemporal, WhatBlocksCannotHoldSaysWhy) {
  for (const Cells& row : testing::rows(R"(
    clamp => star => rows=4,sums=scatter,steps=4 =>
    clamp => star => rows=1,sums=scatter,steps=2 => a thread needs two rows or more: write `rows=2`
    clamp => star => rows=4,sums=gather,steps=4  => blocks that stream add each plane to partial sums: write `sums=scatter`
    mirror => star => rows=4,sums=scatter,steps=4
      => the ghost planes at the start of `z` are copies of planes that have not arrived yet
    clamp => max(u[x-1], u[z+1]) => rows=4,sums=scatter,steps=4
      => a step reads neighbours of `u` outside of sums that can be built plane by plane along `z`
    clamp; field f32 v boundary clamp => star; v[t+1] = v[z-1] + v[z+1] + u[t+1] => rows=4,sums=scatter,steps=4
      => a step reads neighbours of `v` outside of sums that can be built plane by plane along `z`
    clamp => u[y-3] + u[z-1] + u[z+1] => rows=2,sums=scatter,steps=2
      => a step reads rows at a distance of 3, so a thread needs as many rows
    clamp => star => rows=2,sums=scatter,steps=9 => with 9 steps the halo covers a whole tile of 16 rows
  )")) {
    // No plane brings what the step itself makes.
    std::string sum = row[1];
    if (sum.starts_with("star"))
      sum.replace(0, 4, "u[x-1] + u[x+1] + u[y-1] + u[y+1] + u[z-1] + u[z+1]");
    const ir::Stencil stencil =
        on("x, y, z", "field f32 u boundary " + row[0] + "; u[t+1] = " + sum + ";");
    const std::string shape = "coarsened,threads=32x8,vector=4,coarsen=z64,shared=none," + row[2];
    EXPECT_EQ(temporal(stencil, scheduled(shape, stencil)).why_one, row[3])
        << row[0] << ", " << row[1] << ", " << row[2];
  }
}

TEST(PlanTemporal, TwoLevelsAreOnTheirWayAndOneIsHeld) {
  const std::string wave = "u[t+1] = 2*u - u[t-1] + 0.2*laplacian(u);";
  const Temporal one = of("field f32 u boundary clamp; " + wave);
  EXPECT_EQ(one.why_one, "");
  EXPECT_EQ(one.cell_bytes, 4);
  EXPECT_EQ(one.before_bytes, 4);
  const Temporal fixed =
      of("field f64 u boundary fixed; field f32 v; " + wave + " v[t+1] = f32(u);");
  EXPECT_EQ(fixed.unassigned_rows, -1) << "what stays is among the rows that are kept";
  EXPECT_EQ(fixed.cell_bytes, 12);
  EXPECT_EQ(fixed.before_bytes, 8);
  // 4 warps, 128 cells: 3 rows of two levels on their way, 16 steps with 3 rows held.
  EXPECT_EQ(of("field f32 u boundary mirror; u[t+1] = u[y-2] + u[y+2] - u[t-1];",
               "coarsened,threads=32x4,vector=4,coarsen=y64,steps=16")
                .why_one,
            "the prefetched rows need 110592 bytes of shared memory, and a block has 49152; use "
            "fewer warps per block");
}

// Planes stay for cells that no step assigns where such cells would have to pass through sums in
// f32, and where there is room for them.
TEST(PlanTemporal, PlanesAreHeldForCellsThatNoStepAssigns) {
  const std::string star = "u[x-1] + u[x+1] + u[y-1] + u[y+1] + u[z-1] + u[z+1]";
  Schedule schedule;
  const auto of_sum = [&](const std::string& field, const std::string& sum, int steps = 3) {
    const Temporal found = of_stream(field, "0.1*(" + sum + ")", steps, schedule);
    EXPECT_EQ(found.why_one, "");
    return found;
  };
  const Temporal fixed = of_sum("f32 u boundary fixed", star);
  EXPECT_EQ(fixed.unassigned_rows, 3);
  EXPECT_EQ(fixed.planes_held_back(), 3);
  EXPECT_EQ(fixed.shared_bytes(schedule), kRow * (6 * 34 + 2 * 32));
  EXPECT_EQ(of_sum("f32 u boundary fixed", star + " + u[x-2] + u[z+2]").unassigned_rows, 6);
  EXPECT_EQ(of_sum("f32 u boundary fixed", star + " + u[x+1, z+1]").unassigned_rows, 6)
      << "a plane later";
  EXPECT_EQ(of_sum("f32 u boundary none", star).unassigned_rows, 3);
  const Temporal clamp = of_sum("f32 u boundary clamp", star);
  EXPECT_EQ(clamp.unassigned_rows, -1);
  EXPECT_EQ(clamp.planes_held_back(), 1);
  EXPECT_EQ(of_sum("f64 u boundary fixed", star).unassigned_rows, -1) << "registers are no matter";
  EXPECT_EQ(of_sum("f32 u boundary fixed; field f32 v", star).unassigned_rows, -1);
  EXPECT_EQ(of_sum("f32 u boundary fixed", star, 5).unassigned_rows, 5);
  EXPECT_EQ(of_sum("f32 u boundary fixed", star + " + u[x+1, z+1]", 5).unassigned_rows, -1)
      << "no room";
}

TEST(PlanTemporal, PlanesWaitToBeThoseOfTheLevelBefore) {
  Schedule schedule;
  const auto of_sum = [&](const std::string& sum, const std::string& boundary, int steps = 3) {
    return of_stream("f32 u boundary " + boundary + "; field f32 c", sum, steps, schedule);
  };
  const std::string wave = "2*u - u[t-1] + 0.2*laplacian(u)";
  // The plane that came last, which the sum adds; of three time steps, because it stands for those
  // beyond the last one, too. 4 planes of t on their way and 3 of t-1, and 32 rows exchanged in
  // turns.
  const Temporal one = of_sum(wave, "clamp");
  EXPECT_EQ(one.why_one, "");
  EXPECT_EQ(one.past(), 1);
  EXPECT_EQ(one.before_lag(), 1);
  EXPECT_EQ(one.past_planes(), 3);
  EXPECT_EQ(one.shared_bytes(schedule), kRow * (4 * 34 + 2 * 32 + 3 * 32 + 3 * 32));
  const Temporal zero = of_sum(wave, "zero");
  EXPECT_EQ(zero.past_planes(), 2);
  EXPECT_EQ(zero.shared_bytes(schedule), kRow * (4 * 34 + 2 * 32 + 3 * 32 + 2 * 32));
  // Read besides the sum, when that is complete.
  const Temporal besides = of_sum("2*u - u[t-1] + c*laplacian(u)", "zero");
  EXPECT_EQ(besides.why_one, "");
  EXPECT_EQ(besides.past(), 2);
  EXPECT_EQ(besides.past_planes(), 4);
  EXPECT_FALSE(besides.past_is_held());
  // A time step later, where a sum takes cells beside the own one from its newest plane.
  const std::string box = "0.1*(u[x-1,z-1] + u[x+1,z+1] + u)";
  EXPECT_EQ(of_sum(box + " - u[t-1]", "zero").past(), 2);
  EXPECT_EQ(of_sum("c*(" + box + ") - u[t-1]", "zero", 2).past(), 3);
  const Temporal far = of_sum("2*u - u[t-1] + 0.1*laplacian(u, order = 4)", "zero", 2);
  EXPECT_EQ(far.past(), 2);
  EXPECT_EQ(far.before_lag(), 1);
  EXPECT_EQ(of_sum("2*u - u[t-1] + 0.1*laplacian(u, order = 4) + c*u[t-1]", "zero", 2).why_one,
            "a step reads `t-1` both in a sum that is built plane by plane and outside of it, 1 "
            "plane later");
  EXPECT_EQ(of_sum("2*u - u[t-1] + 0.1*laplacian(u) + c*u[t-1]", "zero").why_one, "");
  EXPECT_EQ(of_sum("0.2*laplacian(u) - u[t-1, x+1]", "zero").why_one,
            "`u` is read at `t-1` in neighbouring cells");
  // The newest plane is the cell's own: the level before it has to wait for one.
  const Temporal behind = of_sum("0.3*u[z-1] + 0.2*u - u[t-1]", "zero");
  EXPECT_EQ(behind.why_one, "");
  EXPECT_EQ(behind.step_lag(), 1);
  EXPECT_TRUE(behind.later);
}

TEST(PlanTemporal, BlocksTakeStepsOfValuesThatDependOnTheirNumber) {
  Schedule schedule;
  EXPECT_EQ(of_stream("f32 u boundary clamp", "f32(t)*u[z-1] + u[z+1]", 4, schedule).why_one, "");
}

TEST(PlanTemporal, FieldsOfBlocksThatOverlapHaveTwoBuffersForEachLevel) {
  const ir::Stencil stencil =
      on("x, y",
         "field f32 u boundary clamp; field f32 v; field f32 w boundary clamp; "
         "u[t+1] = u[x-1] + v; v[t+1] = 0.5*v; w[t+1] = w[x-1] - w[t-1];");
  const auto buffers = [&](const std::string& schedule) {
    return parse(schedule, stencil, Target::cuda).schedule.stages.buffers;
  };
  EXPECT_EQ(buffers("coarsened"), (std::vector<int>{2, 1, 2}));
  EXPECT_EQ(buffers(kSchedule), (std::vector<int>{2, 2, 4}));
}

TEST(PlanTemporal, SchedulesThatWarpsCannotStreamByAreRefused) {
  const ir::Stencil stencil = on("x, y", star("clamp"));
  const auto problem = [&](const std::string& parts) {
    return parse("coarsened," + parts, stencil, Target::cuda, testing::gpu()).problem;
  };
  expect_rows(problem, R"(
    steps=0 => `steps=0`: a launch takes 1 to 32 time steps
    threads=64x4,vector=4,coarsen=y64,steps=4
      => `steps=4` needs 32 threads along x, and the schedule has 64
    threads=32x4,vector=1,coarsen=y64,steps=4
      => `steps=4` is for streaming along the last axis (add `vector` and `coarsen`) or for resident tiles (add `vector` and `rows`)
    threads=32x4,vector=4,rows=4,steps=4 =>
    threads=32x4,vector=4,coarsen=y64,shared=async,steps=4
      => `steps=4` cannot be combined with `shared=async`, because values pass from step to step in registers; write `shared=none`
    threads=32x4,vector=4,coarsen=y64,ends=peeled,steps=4
      => `steps=4` cannot be combined with `ends=peeled`; leave that out
  )");
}

TEST(PlanTemporal, TilesShrinkByTheReachOfAllPassesOfEachStep) {
  const ir::Stencil stencil = on("x, y",
                                 "field f64 ex, hz boundary none; field f64 e out; "
                                 "ex[t+1] = ex - (hz - hz[y-1]); e = ex[t+1]; hz[t+1] = hz - "
                                 "(ex[t+1, y+2] - ex[t+1]) + (ex[t+1, x+1] - ex[t+1]);");
  const Schedule schedule = scheduled("coarsened,threads=32x8,vector=2,rows=8,steps=4", stencil);
  const Temporal found = temporal(stencil, schedule);
  EXPECT_EQ(found.why_one, "");
  EXPECT_TRUE(found.resident_tile());
  EXPECT_EQ(found.steps, 4);
  EXPECT_EQ(found.left_lanes, 0);
  EXPECT_EQ(found.right_lanes, 2) << "4 steps of a cell, of 2 a vector";
  EXPECT_EQ(found.stored_rows(schedule), 64 - 4 * (1 + 2));
  EXPECT_EQ(passes_of(stencil).size(), 2u);
  const auto why = [](const std::string& items) {
    const ir::Stencil one = on("x, y", items);
    return temporal(one, scheduled("coarsened,threads=32x4,vector=4,rows=4,steps=4", one)).why_one;
  };
  expect_rows(why, R"(
    field f32 u boundary clamp; u[t+1] = u[y-2] + u[y+3]; => with 4 steps the halo covers a whole tile of 16 rows
    field f32 u boundary clamp; u[t+1] = u[y-5]; => a step reads rows at a distance of 5, so a thread needs as many rows
    field f32 u boundary clamp; reduce s = sum(u); u[t+1] = u[x-1] + s;
      => each step reads a reduction over the grid
    field f32 u boundary clamp; field f32 v out; v = u on x > 0; u[t+1] = u[x-1];
      => `v` is an output field that is not written in every cell
  )");
}

}  // namespace
}  // namespace stencilc::plan
