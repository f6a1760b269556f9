// Small grids in space, one step a launch: what the model says of them, and what is chosen, beside
// what was measured.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <vector>

#include "plan/model_small.h"
#include "support/analysed.h"
#include "support/measured.h"

namespace stencilc::plan {
namespace {

struct Row {
  const char* file;
  int64_t extent;
  const char* shape;
  double rate;  // GCells/s
};

// On an H200, launches recorded as graphs (bench/results/2026-11-23-h200-small-in-space.txt, parts
// 3 and 4, and 2026-11-23-h200-line.txt, part 2).
const Row kMeasured[] = {
    {"bench/one-step/star3d1", 64, "32x8x1,vector=2,rows=1,coarsen=z4", 97.5},
    {"bench/one-step/star3d1", 64, "16x16x1,vector=4,rows=1,coarsen=z2", 169},
    {"bench/one-step/star3d1", 96, "24x10x1,vector=4,rows=1,coarsen=z2", 347.5},
    {"bench/one-step/star3d1", 96, "24x10x1,vector=4,rows=1,coarsen=z4", 331.3},
    {"bench/one-step/star3d1", 128, "32x8x1,vector=4,rows=1,coarsen=z8", 479.8},
    {"bench/one-step/star3d1", 128, "32x8x1,vector=4,rows=1,coarsen=z4", 534},
    {"bench/one-step/star3d1", 128, "32x8x1,vector=4,rows=1,coarsen=z2", 477.5},
    {"bench/one-step/star3d1", 128, "32x4x1,vector=4,rows=1,coarsen=z4", 519.7},
    {"bench/one-step/star3d1", 160, "40x8x1,vector=4,rows=1,coarsen=z4", 515},
    {"bench/one-step/star3d1", 160, "40x8x1,vector=4,rows=1,coarsen=z8", 568},
    {"bench/one-step/star3d1", 160, "40x6x1,vector=4,rows=1,coarsen=z4", 541},
    {"bench/one-step/star3d1", 160, "40x6x1,vector=4,rows=1,coarsen=z2", 539.5},
    {"bench/one-step/star3d1", 160, "40x4x1,vector=4,rows=1,coarsen=z4", 530},
    {"bench/one-step/star3d1", 160, "20x10x1,vector=8,rows=1,coarsen=z4", 329},
    {"bench/one-step/star3d2", 96, "24x10x1,vector=4,rows=2,coarsen=z2", 283},
    {"examples/fdtd3d", 96, "24x10x1,vector=4,rows=1,coarsen=z2", 32.06},
    {"examples/fdtd3d", 96, "32x4x1,vector=4,rows=1,coarsen=z8", 21.69},
    {"examples/heat3d", 128, "32x8x1,vector=2,rows=2,coarsen=z2", 96.77},
    {"examples/heat3d", 128, "32x8x1,vector=2,rows=2,coarsen=z8", 79.85},
    {"examples/wave3d", 96, "8x32x1,vector=4,rows=1,coarsen=z4", 130},
};

const Device& h200() { return *find_device("sm_90"); }

ir::Stencil stencil_of(const std::string& name) {
  std::ifstream file(STENCILC_SOURCE_DIR "/" + name + ".stn");
  std::stringstream text;
  text << file.rdbuf();
  return testing::canonical(text.str());
}

double rate_of(const ir::Stencil& stencil, const std::string& shape, int64_t extent) {
  const Choice choice =
      parse("coarsened,threads=" + shape + ",sums=gather,shared=none,launches=early", stencil,
            Target::cuda, h200());
  EXPECT_EQ(choice.problem, "") << shape;
  const double seconds =
      seconds_of_small(stencil, choice.schedule, h200(), {extent, extent, extent});
  return static_cast<double>(extent * extent * extent) / seconds * 1e-9;
}

TEST(PlanSmall, StepsArePredicted) {
  std::vector<double> errors;
  for (const Row& row : kMeasured) {
    const double seen = rate_of(stencil_of(row.file), row.shape, row.extent);
    errors.push_back(std::abs(std::log(seen / row.rate)));
    EXPECT_LT(errors.back(), 0.34)
        << row.file << " " << row.extent << " " << row.shape << ": " << seen;
  }
  EXPECT_LT(testing::median(errors), 0.05);
}

Schedule chosen(const std::string& name, int64_t extent) {
  return choose(stencil_of(name), Target::cuda, 2, h200(), {extent, extent, extent});
}

// Naive kernels made 46 and 94 GCells/s there, and what was chosen before 22 and 80.
TEST(PlanSmall, StepsOfSeveralLaunchesTakeFewCellsAThread) {
  for (const auto& [name, extent] :
       {std::pair("examples/fdtd3d", 96), std::pair("examples/heat3d", 128)}) {
    const Schedule schedule = chosen(name, extent);
    EXPECT_LE(schedule.vector * schedule.rows * schedule.coarsen, 2) << name;
    EXPECT_TRUE(schedule.early) << name;
  }
  EXPECT_EQ(chosen("examples/fdtd3d", 96).reason,
            "one cell a thread; neighbours come from the caches");
  EXPECT_EQ(chosen("examples/heat3d", 128).reason,
            "a thread keeps what it has loaded for its next cells");
  const Schedule large = chosen("examples/fdtd3d", 768);
  EXPECT_EQ(large.vector, 4);
  EXPECT_EQ(large.coarsen, 8);
}

// Boxes and sums by scatter are for long marches, of which a small grid has few.
TEST(PlanSmall, StepsThatScatterOnLargeGridsGather) {
  const Schedule schedule = chosen("bench/one-step/star3d4", 96);
  EXPECT_EQ(schedule.shared, Shared::none);
  EXPECT_FALSE(schedule.scatter);
  EXPECT_EQ(schedule.reason,
            "a thread moves 4 cells at once, and keeps what it has loaded for its next ones");
}

}  // namespace
}  // namespace stencilc::plan
