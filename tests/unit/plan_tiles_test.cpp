// Small grids in space, by blocks that hold tiles for several steps and one step per launch: what
// the models say of them, and what is chosen, beside what was measured.
#include <gtest/gtest.h>

#include "plan/model/one_step.h"
#include "plan/model/one_step_small.h"
#include "plan/search/choose_steps.h"
#include "plan/temporal/survey.h"
#include "plan/temporal/temporal_blocking.h"
#include "support/measured.h"
#include "support/planned.h"

namespace stencilc::plan {
namespace {

using testing::error;
using testing::gpu;
using testing::scheduled;

std::array<int64_t, 3> cube(int64_t extent) { return {extent, extent, extent}; }
ir::Stencil program(const std::string& name) {
  return testing::canonical(testing::content(name + ".stn"));
}

// bench/one-step/star3d1.stn on an H200 (bench/results/2026-11-23-h200-small-in-space.txt): extent,
// shape, GCells/s.
constexpr const char* kTiles = R"(
  64  => 32x16x1,vector=2,rows=1,planes=10,strips=whole,steps=3 => 205
  64  => 32x16x1,vector=2,rows=1,planes=12,strips=whole,steps=4 => 202
  64  => 32x8x1,vector=2,rows=1,planes=8,strips=whole,steps=2   => 182.6
  64  => 32x12x1,vector=2,rows=1,planes=8,strips=whole,steps=2  => 197.9
  64  => 32x16x1,vector=2,rows=1,planes=8,strips=whole,steps=2  => 173.8
  64  => 32x12x1,vector=2,rows=1,planes=10,strips=whole,steps=2 => 193.8
  64  => 32x12x1,vector=2,rows=1,planes=10,strips=whole,steps=3 => 160.8
  64  => 32x14x1,vector=2,rows=1,planes=12,strips=whole,steps=3 => 188
  64  => 32x16x1,vector=4,rows=1,planes=10,strips=whole,steps=3 => 138.2
  64  => 32x8x1,vector=2,rows=2,planes=12,strips=whole,steps=4  => 191.7
  64  => 32x16x1,vector=2,rows=1,planes=14,strips=whole,steps=5 => 109.7
  96  => 32x16x1,vector=4,rows=1,planes=12,strips=whole,steps=2 => 329
  96  => 32x16x1,vector=4,rows=1,planes=12,strips=whole,steps=3 => 210
  128 => 32x20x1,vector=4,rows=1,planes=12,strips=whole,steps=2 => 540
  128 => 32x16x1,vector=4,rows=1,planes=15,strips=whole,steps=2 => 538
  128 => 32x20x1,vector=4,rows=1,planes=8,strips=whole,steps=2  => 423
  128 => 32x12x1,vector=4,rows=2,planes=8,strips=whole,steps=2  => 399
  128 => 32x8x1,vector=4,rows=2,planes=13,strips=whole,steps=2  => 362
  128 => 32x16x1,vector=2,rows=1,planes=16,steps=2              => 361
  160 => 32x12x1,vector=2,rows=2,planes=20,steps=2              => 466
  160 => 32x16x1,vector=2,rows=1,planes=16,steps=2              => 450
  160 => 32x16x1,vector=2,rows=2,planes=16,steps=2              => 462
  160 => 32x20x1,vector=2,rows=1,planes=20,steps=2              => 403
  192 => 32x16x1,vector=2,rows=2,planes=16,steps=2              => 400
)";

// On an H200, launches recorded as graphs (bench/results/2026-11-23-h200-small-in-space.txt, parts
// 3 and 4, and 2026-11-23-h200-line.txt, part 2).
constexpr const char* kSmall = R"(
  bench/one-step/star3d1 => 64  => 32x8x1,vector=2,rows=1,coarsen=z4  => 97.5
  bench/one-step/star3d1 => 64  => 16x16x1,vector=4,rows=1,coarsen=z2 => 169
  bench/one-step/star3d1 => 96  => 24x10x1,vector=4,rows=1,coarsen=z2 => 347.5
  bench/one-step/star3d1 => 96  => 24x10x1,vector=4,rows=1,coarsen=z4 => 331.3
  bench/one-step/star3d1 => 128 => 32x8x1,vector=4,rows=1,coarsen=z8  => 479.8
  bench/one-step/star3d1 => 128 => 32x8x1,vector=4,rows=1,coarsen=z4  => 534
  bench/one-step/star3d1 => 128 => 32x8x1,vector=4,rows=1,coarsen=z2  => 477.5
  bench/one-step/star3d1 => 128 => 32x4x1,vector=4,rows=1,coarsen=z4  => 519.7
  bench/one-step/star3d1 => 160 => 40x8x1,vector=4,rows=1,coarsen=z4  => 515
  bench/one-step/star3d1 => 160 => 40x8x1,vector=4,rows=1,coarsen=z8  => 568
  bench/one-step/star3d1 => 160 => 40x6x1,vector=4,rows=1,coarsen=z4  => 541
  bench/one-step/star3d1 => 160 => 40x6x1,vector=4,rows=1,coarsen=z2  => 539.5
  bench/one-step/star3d1 => 160 => 40x4x1,vector=4,rows=1,coarsen=z4  => 530
  bench/one-step/star3d1 => 160 => 20x10x1,vector=8,rows=1,coarsen=z4 => 329
  bench/one-step/star3d2 => 96  => 24x10x1,vector=4,rows=2,coarsen=z2 => 283
  examples/fdtd3d        => 96  => 24x10x1,vector=4,rows=1,coarsen=z2 => 32.06
  examples/fdtd3d        => 96  => 32x4x1,vector=4,rows=1,coarsen=z8  => 21.69
  examples/heat3d        => 128 => 32x8x1,vector=2,rows=2,coarsen=z2  => 96.77
  examples/heat3d        => 128 => 32x8x1,vector=2,rows=2,coarsen=z8  => 79.85
  examples/wave3d        => 96  => 8x32x1,vector=4,rows=1,coarsen=z4  => 130
)";

ir::Stencil star() {
  return testing::canonical(
      "stencil star3d1 { axes x, y, z; field f32 u boundary clamp; "
      "u[t+1] = 0.21*u + 0.11*u[x-1] + 0.12*u[x+1] + 0.13*u[y-1] + 0.1*u[y+1] + 0.09*u[z-1] + "
      "0.14*u[z+1]; }");
}

TEST(PlanTiles, InSpaceArePredicted) {
  const ir::Stencil stencil = star();
  std::vector<double> errors;
  for (const testing::Cells& row : testing::rows(kTiles)) {
    SCOPED_TRACE(row[0] + " " + row[1]);
    const Schedule schedule = scheduled("coarsened,threads=" + row[1], stencil);
    EXPECT_EQ(temporal(stencil, schedule).why_one, "");
    const Forecast seen = forecast(stencil, schedule, gpu(), cube(std::stol(row[0])));
    ASSERT_GT(seen.rate, 0);
    errors.push_back(error(seen.rate * 1e-9, std::stod(row[2])));
    EXPECT_LT(errors.back(), 0.36) << seen.rate * 1e-9;
  }
  testing::expect_below(errors, 23, 0.13);
}

// What is chosen for a grid was measured, and is nearly the fastest that was.
TEST(PlanTiles, ForSmallGridsAreChosenWhereTheyAreFastest) {
  const ir::Stencil stencil = star();
  const auto chosen = [&](const std::string& extent) {
    return print(choose(stencil, Target::cuda, 2, gpu(), cube(std::stol(extent))), stencil);
  };
  // For 128 one step per launch is as fast as the tiles that were measured there.
  testing::expect_rows(chosen, R"(
    64  => coarsened,threads=32x12x1,vector=2,rows=1,planes=8,strips=whole,coarsen=z1,steps=2
    128 => coarsened,threads=32x8x1,vector=4,rows=1,coarsen=z4,sums=gather,shared=none,launches=early
    160 => coarsened,threads=40x6x1,vector=4,rows=1,coarsen=z4,sums=gather,shared=none,launches=early
  )");
  EXPECT_EQ(chosen("768").find("launches"), std::string::npos);
  EXPECT_EQ(chosen("768").find("planes"), std::string::npos);
}

TEST(PlanTiles, OfSmallGridsVectorsAreNarrowWhereWideOnesGainLittle) {
  const ir::Stencil stencil =
      testing::on("x, y, z",
                  "field f32 u, v boundary clamp; u[t+1] = u + laplacian(v, order = 4); "
                  "v[t+1] = v + laplacian(u[t+1], order = 8);");
  EXPECT_EQ(choose(stencil, Target::cuda, 2, gpu(), cube(48)).vector, 2);
}

TEST(PlanTiles, WhatDoesNotFitSaysWhy) {
  for (const testing::Cells& row : testing::rows(R"(
    clamp => threads=32x8,vector=4,rows=2,planes=8,steps=2 =>
    clamp => threads=32x8,vector=4,rows=2,planes=8,steps=4
      => with 4 steps the halo covers a whole tile of 8 planes
    clamp => threads=32x8,vector=4,rows=2,planes=8
      => `planes` is for resident tiles: launches of several `steps` without `coarsen`
    clamp => threads=32x8,vector=4,strips=whole
      => `strips=whole` is for resident tiles: launches of several `steps` without `coarsen`
    periodic => threads=32x8,vector=4,rows=2,planes=8,strips=whole,steps=2
      => `strips=whole` does not support a periodic first axis
    clamp => threads=32x8,vector=4,rows=2,planes=33,steps=2
      => `planes=33`: a thread holds 1 to 32 planes
    clamp => threads=32x8,vector=4,strips=half
      => `strips=half`: write `apart` (tiles of a row overlap) or `whole` (a tile holds whole rows)
    clamp => launches=soon
      => `launches=soon`: write `early` (before the launch before has ended) or `late` (after it)
  )")) {
    const ir::Stencil stencil =
        testing::on("x, y, z", "field f32 u boundary " + row[0] + "; u[t+1] = laplacian(u);");
    const Choice choice = parse("coarsened," + row[1], stencil, Target::cuda, gpu());
    EXPECT_EQ(choice.problem.empty() ? temporal(stencil, choice.schedule).why_one : choice.problem,
              row[2])
        << row[0] << ", " << row[1];
  }
}

TEST(PlanSmall, StepsArePredicted) {
  std::vector<double> errors;
  for (const testing::Cells& row : testing::rows(kSmall)) {
    const ir::Stencil stencil = program(row[0]);
    const std::string shape = ",sums=gather,shared=none,launches=early";
    const Schedule schedule = scheduled("coarsened,threads=" + row[2] + shape, stencil);
    const int64_t extent = std::stol(row[1]);
    Survey survey(stencil);
    const double seconds = seconds_of_small(survey, schedule, gpu(), cube(extent)),
                 rate = static_cast<double>(extent * extent * extent) / seconds * 1e-9;
    errors.push_back(error(rate, std::stod(row[3])));
    EXPECT_LT(errors.back(), 0.34) << row[0] << " " << extent << " " << row[2] << ": " << rate;
  }
  testing::expect_below(errors, 19, 0.05);
}

Schedule chosen(const std::string& name, int64_t extent) {
  return choose(program(name), Target::cuda, 2, gpu(), cube(extent));
}

// Naive kernels made 46 and 94 GCells/s there, and what was chosen before 22 and 80.
TEST(PlanSmall, StepsOfSeveralLaunchesTakeFewCellsAThread) {
  const Schedule fdtd = chosen("examples/fdtd3d", 96), heat = chosen("examples/heat3d", 128);
  for (const Schedule& schedule : {fdtd, heat}) {
    EXPECT_LE(schedule.vector * schedule.rows * schedule.coarsen, 2) << schedule.reason;
    EXPECT_TRUE(schedule.early) << schedule.reason;
  }
  EXPECT_EQ(fdtd.reason, "each thread computes one cell; neighbours come from the caches");
  EXPECT_EQ(heat.reason,
            "each thread computes several cells, and reuses loaded values in registers");
  const Schedule large = chosen("examples/fdtd3d", 768);
  EXPECT_EQ(large.vector, 4);
  EXPECT_EQ(large.coarsen, 8);
}

// Boxes and sums by scatter are for long streams, of which a small grid has few.
TEST(PlanSmall, StepsThatScatterOnLargeGridsGather) {
  const Schedule schedule = chosen("bench/one-step/star3d4", 96);
  EXPECT_EQ(schedule.shared, Shared::none);
  EXPECT_FALSE(schedule.scatter);
  EXPECT_EQ(schedule.reason,
            "each thread loads and stores 4 cells at once, and reuses loaded values in registers");
}

}  // namespace
}  // namespace stencilc::plan
