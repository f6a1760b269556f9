// Blocks that hold tiles in space, and launches for small grids: what the model says of them, and
// what is chosen, beside what was measured.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "plan/degree.h"
#include "plan/model.h"
#include "plan/temporal.h"
#include "support/analysed.h"
#include "support/measured.h"

namespace stencilc::plan {
namespace {

struct Row {
  int64_t extent;
  const char* shape;
  double rate;  // GCells/s
};

// bench/one-step/star3d1.stn on an H200 (bench/results/2026-11-23-h200-small-in-space.txt).
const Row kMeasured[] = {
    {64, "32x16x1,vector=2,rows=1,planes=10,strips=whole,steps=3", 205},
    {64, "32x16x1,vector=2,rows=1,planes=12,strips=whole,steps=4", 202},
    {64, "32x8x1,vector=2,rows=1,planes=8,strips=whole,steps=2", 182.6},
    {64, "32x12x1,vector=2,rows=1,planes=8,strips=whole,steps=2", 197.9},
    {64, "32x16x1,vector=2,rows=1,planes=8,strips=whole,steps=2", 173.8},
    {64, "32x12x1,vector=2,rows=1,planes=10,strips=whole,steps=2", 193.8},
    {64, "32x12x1,vector=2,rows=1,planes=10,strips=whole,steps=3", 160.8},
    {64, "32x14x1,vector=2,rows=1,planes=12,strips=whole,steps=3", 188},
    {64, "32x16x1,vector=4,rows=1,planes=10,strips=whole,steps=3", 138.2},
    {64, "32x8x1,vector=2,rows=2,planes=12,strips=whole,steps=4", 191.7},
    {64, "32x16x1,vector=2,rows=1,planes=14,strips=whole,steps=5", 109.7},
    {96, "32x16x1,vector=4,rows=1,planes=12,strips=whole,steps=2", 329},
    {96, "32x16x1,vector=4,rows=1,planes=12,strips=whole,steps=3", 210},
    {128, "32x20x1,vector=4,rows=1,planes=12,strips=whole,steps=2", 540},
    {128, "32x16x1,vector=4,rows=1,planes=15,strips=whole,steps=2", 538},
    {128, "32x20x1,vector=4,rows=1,planes=8,strips=whole,steps=2", 423},
    {128, "32x12x1,vector=4,rows=2,planes=8,strips=whole,steps=2", 399},
    {128, "32x8x1,vector=4,rows=2,planes=13,strips=whole,steps=2", 362},
    {128, "32x16x1,vector=2,rows=1,planes=16,steps=2", 361},
    {160, "32x12x1,vector=2,rows=2,planes=20,steps=2", 466},
    {160, "32x16x1,vector=2,rows=1,planes=16,steps=2", 450},
    {160, "32x16x1,vector=2,rows=2,planes=16,steps=2", 462},
    {160, "32x20x1,vector=2,rows=1,planes=20,steps=2", 403},
    {192, "32x16x1,vector=2,rows=2,planes=16,steps=2", 400},
};

const Device& h200() { return *find_device("sm_90"); }

ir::Stencil star() {
  return testing::canonical(
      "stencil star3d1 { axes x, y, z; field f32 u boundary clamp; "
      "u[t+1] = 0.21*u + 0.11*u[x-1] + 0.12*u[x+1] + 0.13*u[y-1] + 0.1*u[y+1] + 0.09*u[z-1] + "
      "0.14*u[z+1]; }");
}

Schedule schedule_of(const Row& row, const ir::Stencil& stencil) {
  const Choice choice =
      parse(std::string("coarsened,threads=") + row.shape, stencil, Target::cuda, h200());
  EXPECT_EQ(choice.problem, "") << row.shape;
  EXPECT_EQ(temporal(stencil, choice.schedule).why_one, "") << row.shape;
  return choice.schedule;
}

TEST(PlanTiles, InSpaceArePredicted) {
  const ir::Stencil stencil = star();
  std::vector<double> errors;
  for (const Row& row : kMeasured) {
    const std::array<int64_t, 3> extents = {row.extent, row.extent, row.extent};
    const Forecast seen = forecast(stencil, schedule_of(row, stencil), h200(), extents);
    ASSERT_GT(seen.rate, 0) << row.shape;
    errors.push_back(std::abs(std::log(seen.rate * 1e-9 / row.rate)));
    EXPECT_LT(errors.back(), 0.36) << row.extent << " " << row.shape << ": " << seen.rate * 1e-9;
  }
  EXPECT_LT(testing::median(errors), 0.13);
}

// What is chosen for a grid was measured, and is nearly the fastest that was.
TEST(PlanTiles, ForSmallGridsAreChosenWhereTheyAreFastest) {
  const ir::Stencil stencil = star();
  const auto chosen = [&](int64_t extent) {
    const std::array<int64_t, 3> extents = {extent, extent, extent};
    return print(choose(stencil, Target::cuda, 2, h200(), extents), stencil);
  };
  EXPECT_EQ(chosen(64),
            "coarsened,threads=32x12x1,vector=2,rows=1,planes=8,strips=whole,coarsen=z1,steps=2");
  // One step a launch is as fast as the tiles that were measured there.
  EXPECT_EQ(chosen(128),
            "coarsened,threads=32x8x1,vector=4,rows=1,coarsen=z4,sums=gather,shared=none,"
            "launches=early");
  EXPECT_EQ(chosen(160),
            "coarsened,threads=40x6x1,vector=4,rows=1,coarsen=z4,sums=gather,shared=none,"
            "launches=early");
  EXPECT_EQ(chosen(768).find("launches"), std::string::npos);
  EXPECT_EQ(chosen(768).find("planes"), std::string::npos);
}

std::string why_one(const std::string& boundary, const std::string& shape) {
  const ir::Stencil stencil = testing::canonical("stencil s { axes x, y, z; field f32 u boundary " +
                                                 boundary + "; u[t+1] = laplacian(u); }");
  const Choice choice = parse("coarsened," + shape, stencil, Target::cuda, h200());
  return choice.problem.empty() ? temporal(stencil, choice.schedule).why_one : choice.problem;
}

TEST(PlanTiles, WhatDoesNotFitSaysWhy) {
  EXPECT_EQ(why_one("clamp", "threads=32x8,vector=4,rows=2,planes=8,steps=2"), "");
  EXPECT_EQ(why_one("clamp", "threads=32x8,vector=4,rows=2,planes=8,steps=4"),
            "4 steps leave nothing of a tile of 8 planes");
  EXPECT_EQ(why_one("clamp", "threads=32x8,vector=4,rows=2,planes=8"),
            "`planes` is for blocks that hold a tile for several `steps`, and march nowhere");
  EXPECT_EQ(why_one("clamp", "threads=32x8,vector=4,strips=whole"),
            "`strips=whole` is for blocks that hold a tile for several `steps`, and march nowhere");
  EXPECT_EQ(why_one("periodic", "threads=32x8,vector=4,rows=2,planes=8,strips=whole,steps=2"),
            "a strip of whole rows does not go around a periodic axis");
  EXPECT_EQ(why_one("clamp", "threads=32x8,vector=4,rows=2,planes=33,steps=2"),
            "`planes=33`: a thread holds 1 to 32 planes");
  EXPECT_EQ(why_one("clamp", "threads=32x8,vector=4,strips=half"),
            "`strips=half`; strips of a row are apart, each with cells of those beside it, or one "
            "is the whole");
  EXPECT_EQ(
      why_one("clamp", "launches=soon"),
      "`launches=soon`; the blocks of a launch come early, and wait for the launch before, or "
      "late, when it ended");
}

}  // namespace
}  // namespace stencilc::plan
