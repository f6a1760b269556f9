// How many steps a launch can take, and what rows and columns outside the grid ask for.
#include <gtest/gtest.h>

#include "plan/search/plan.h"
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

// `lag 1, held 0`: what is said there of a launch, as it is, or why there is none.
std::string facts(const Temporal& of, const Schedule& schedule, const std::string& names) {
  if (!of.why_one.empty()) return of.why_one;
  constexpr int kRow = 128 * 4;  // bytes of a row of a tile in space
  const bool in_space = of.plane_stream() != nullptr;
  const int shared = in_space ? of.shared_bytes(schedule) : 0;
  EXPECT_EQ(shared % kRow, 0);
  const std::map<std::string, int> all = {
      {"steps", of.steps},
      {"lag", of.lag},
      {"planes_before", of.planes_before},
      {"left_lanes", of.left_lanes},
      {"right_lanes", of.right_lanes},
      {"lost_left", of.lost_left},
      {"lost_right", of.lost_right},
      {"stored_cells", of.stored_cells(schedule.vector)},
      {"cell_bytes", of.cell_bytes},
      {"before_bytes", of.before_bytes},
      {"unassigned_rows", of.unassigned_rows},
      {"planes_held_back", in_space ? of.planes_held_back() : 0},
      {"shared_rows", shared / kRow},
      {"past", of.past()},
      {"past_planes", in_space ? of.past_planes() : 0},
      {"past_is_held", of.past_is_held()},
      {"before_lag", of.before_lag()},
      {"step_lag", of.step_lag()},
      {"later", of.later}};
  std::string text;
  for (const std::string& fact : testing::parts_of(names, ", ")) {
    const std::string name = fact.substr(0, fact.find(' '));
    const auto found = all.find(name);
    if (name.empty()) continue;
    text += (text.empty() ? "" : ", ") + name + " " +
            (found == all.end() ? "is not known" : std::to_string(found->second));
  }
  return text;
}

// Tiles shrink by the reach of each step, and a stream covers the rows that fill ghost rows. 16
// bytes are stored at once: of wide vectors a lane at the end of a tile may store a part.
TEST(PlanTemporal, InThePlane) {
  for (const Cells& row : testing::rows(R"(
    STAR clamp => => steps 8, left_lanes 2, stored_cells 112, lag 1, planes_before 1
    field f32 u boundary fixed; u[t+1] = u[x-3] + u[y+2]; => => left_lanes 6, right_lanes 0, lag 2, planes_before 0
    field f32 u boundary mirror; u[t+1] = u[y+2];  => => lag 2, planes_before 2
    field f32 u boundary reflect; u[t+1] = u[y-3]; => => lag 2, planes_before 3
    STAR clamp => 32x1,coarsen=y64,sums=scatter,vector=8,steps=11 => lost_left 12, lost_right 12, left_lanes 2
    STAR clamp => 32x1,coarsen=y64,sums=scatter,vector=8,steps=8  => lost_left 8, lost_right 8, left_lanes 1
    STAR clamp => 32x1,coarsen=y64,sums=scatter,vector=4,steps=11 => lost_left 12, lost_right 12, left_lanes 3
    field f64 u boundary clamp; u[t+1] = 0.3*u[x-1] + 0.3*u[x+2] + u[y-1];
      => 32x1,coarsen=y64,sums=scatter,vector=4,steps=5 => lost_left 6, lost_right 10, left_lanes 2
    STAR clamp => 32x4,vector=8,coarsen=y64,steps=12
      => the prefetched rows need 61440 bytes of shared memory, and a block has 49152; use fewer warps per block
    // Two levels are on their way, and one is held.
    field f32 u boundary clamp; WAVE => => cell_bytes 4, before_bytes 4
    // What stays is among the rows that are kept.
    field f64 u boundary fixed; field f32 v; WAVE v[t+1] = f32(u);
      => => unassigned_rows -1, cell_bytes 12, before_bytes 8
    // 4 warps, 128 cells: 3 rows of two levels on their way, 16 steps with 3 rows held.
    field f32 u boundary mirror; u[t+1] = u[y-2] + u[y+2] - u[t-1]; => 32x4,vector=4,coarsen=y64,steps=16
      => the prefetched rows need 110592 bytes of shared memory, and a block has 49152; use fewer warps per block
  )")) {
    SCOPED_TRACE(row[0] + ", " + row[1]);
    std::string items =
        testing::replaced(row[0], "WAVE", "u[t+1] = 2*u - u[t-1] + 0.2*laplacian(u);");
    if (items.starts_with("STAR ")) items = star(items.substr(5));
    const ir::Stencil stencil = on("x, y", items);
    const Schedule schedule = scheduled(row[1].empty() ? kSchedule : "coarsened,threads=" + row[1],
                                        stencil, any_device());
    EXPECT_EQ(facts(temporal(stencil, schedule), schedule, row[2]), row[2]);
  }
}

TEST(PlanTemporal, TilesOfWideVectorsEndWithRows) {
  const Temporal one = of(star("clamp"), "coarsened,threads=32x1,coarsen=y64,vector=8,steps=11");
  EXPECT_EQ(one.stored_cells(8), 232);
  EXPECT_EQ(one.first_less(8), 4) << "the first strip begins with a whole vector";
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

// A field, a sum, steps. Planes stay for cells that no step assigns where such cells would have to
// pass through sums in f32, and where there is room for them; and to be those of the level before.
TEST(PlanTemporal, InSpace) {
  for (const Cells& row : testing::rows(R"(
    // 6*34 + 2*32 rows
    f32 u boundary fixed => 0.1*(STAR) => 3 => unassigned_rows 3, planes_held_back 3, shared_rows 268
    f32 u boundary fixed => 0.1*(STAR + u[x-2] + u[z+2]) => 3 => unassigned_rows 6
    // A plane later.
    f32 u boundary fixed => 0.1*(STAR + u[x+1, z+1])     => 3 => unassigned_rows 6
    f32 u boundary none  => 0.1*(STAR) => 3 => unassigned_rows 3
    f32 u boundary clamp => 0.1*(STAR) => 3 => unassigned_rows -1, planes_held_back 1
    // Registers are no matter.
    f64 u boundary fixed => 0.1*(STAR) => 3 => unassigned_rows -1
    f32 u boundary fixed; field f32 v => 0.1*(STAR) => 3 => unassigned_rows -1
    f32 u boundary fixed => 0.1*(STAR) => 5 => unassigned_rows 5
    // No room.
    f32 u boundary fixed => 0.1*(STAR + u[x+1, z+1])     => 5 => unassigned_rows -1
    // The plane that came last, which the sum adds; of three time steps, because it stands for those beyond the last
    // one, too. 4 planes of t on their way and 3 of t-1, and 32 rows exchanged in turns: 4*34 + 2*32 + 3*32 + 3*32.
    f32 u boundary clamp; field f32 c => WAVE => 3 => past 1, before_lag 1, past_planes 3, shared_rows 392
    f32 u boundary zero; field f32 c  => WAVE => 3 => past_planes 2, shared_rows 360
    // Read besides the sum, when that is complete.
    f32 u boundary zero; field f32 c => 2*u - u[t-1] + c*laplacian(u) => 3 => past 2, past_planes 4, past_is_held 0
    // A time step later, where a sum takes cells beside the own one from its newest plane.
    f32 u boundary zero; field f32 c => BOX - u[t-1]     => 3 => past 2
    f32 u boundary zero; field f32 c => c*(BOX) - u[t-1] => 2 => past 3
    f32 u boundary zero; field f32 c => 2*u - u[t-1] + 0.1*laplacian(u, order = 4) => 2 => past 2, before_lag 1
    f32 u boundary zero; field f32 c => 2*u - u[t-1] + 0.1*laplacian(u, order = 4) + c*u[t-1] => 2
      => a step reads `t-1` both in a sum that is built plane by plane and outside of it, 1 plane later
    f32 u boundary zero; field f32 c => 2*u - u[t-1] + 0.1*laplacian(u) + c*u[t-1] => 3 =>
    f32 u boundary zero; field f32 c => 0.2*laplacian(u) - u[t-1, x+1] => 3 => `u` is read at `t-1` in neighbouring cells
    // The newest plane is the cell's own: the level before it has to wait for one.
    f32 u boundary zero; field f32 c => 0.3*u[z-1] + 0.2*u - u[t-1] => 3 => step_lag 1, later 1
    // A value that depends on the number of the step.
    f32 u boundary clamp => f32(t)*u[z-1] + u[z+1] => 4 =>
  )")) {
    SCOPED_TRACE(row[0] + ", " + row[1] + ", " + row[2]);
    std::string sum = row[1];
    for (const auto& [name, text] :
         {std::pair{"STAR", "u[x-1] + u[x+1] + u[y-1] + u[y+1] + u[z-1] + u[z+1]"},
          {"WAVE", "2*u - u[t-1] + 0.2*laplacian(u)"},
          {"BOX", "0.1*(u[x-1,z-1] + u[x+1,z+1] + u)"}})
      sum = testing::replaced(sum, name, text);
    const ir::Stencil stencil = on("x, y, z", "field " + row[0] + "; u[t+1] = " + sum + ";");
    const Schedule schedule = scheduled(
        "coarsened,threads=32x8,vector=4,rows=4,shared=none,coarsen=z64,sums=scatter,steps=" +
            row[2],
        stencil);
    EXPECT_EQ(facts(temporal(stencil, schedule), schedule, row[3]), row[3]);
  }
}

TEST(PlanTemporal, FieldsOfBlocksThatOverlapHaveTwoBuffersForEachLevel) {
  const ir::Stencil stencil =
      on("x, y",
         "field f32 u boundary clamp; field f32 v; field f32 w boundary clamp; "
         "u[t+1] = u[x-1] + v; v[t+1] = 0.5*v; w[t+1] = w[x-1] - w[t-1];");
  const auto buffers = [&](const std::string& schedule) {
    return make_plan(stencil, parse(schedule, stencil, Target::cuda).schedule, Target::cuda)
        .buffers;
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
