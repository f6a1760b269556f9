// The degree, the vector and the chunk that are chosen for launches of several steps, beside what
// was measured.
#include <gtest/gtest.h>

#include <cmath>

#include "plan/degree.h"
#include "plan/model.h"
#include "plan/temporal.h"
#include "support/analysed.h"
#include "support/measured.h"

namespace stencilc::plan {
namespace {

using testing::fastest;
using testing::median;
using testing::quantile;

struct Row {
  int steps, vector, chunk;
  double rate;  // GCells/s
};
struct Case {
  const char *stencil, *type, *boundary;
  std::vector<Row> rows;
};

// 16384 x 16384 on an H200, all in one run
// (bench/results/2026-11-23-h200-inside.txt).
const Case kMeasured[] = {
    {"box2d1",
     "f32",
     "clamp",
     {{8, 4, 270, 2230.8},
      {8, 4, 547, 2104.1},
      {8, 8, 270, 2412.6},
      {8, 8, 547, 2303.9},
      {10, 4, 270, 2090.0},
      {10, 4, 547, 2202.8}}},
    {"box2d1",
     "f64",
     "clamp",
     {{8, 2, 270, 977.2},
      {8, 2, 547, 982.6},
      {6, 4, 270, 1067.6},
      {6, 4, 547, 1024.3},
      {6, 4, 1100, 912.2},
      {8, 4, 270, 1161.1},
      {8, 4, 547, 1136.7},
      {8, 4, 1100, 1062.5}}},
    {"star2d1",
     "f32",
     "clamp",
     {{10, 8, 256, 3504.8},
      {10, 8, 391, 3448.7},
      {12, 4, 253, 3150.1},
      {12, 4, 382, 3310.6},
      {12, 4, 512, 3272.4},
      {12, 8, 193, 2963.1},
      {12, 8, 288, 2939.2},
      {12, 8, 391, 3018.9},
      {12, 8, 586, 2941.5}}},
    {"star2d1",
     "f32",
     "fixed",
     {{10, 8, 256, 2596.0},
      {10, 8, 391, 2278.5},
      {12, 4, 253, 2934.3},
      {12, 4, 382, 2548.0},
      {12, 4, 512, 2293.6},
      {12, 8, 193, 2452.0},
      {12, 8, 288, 2524.3},
      {12, 8, 391, 2103.1},
      {12, 8, 586, 1674.9}}},
    {"star2d1",
     "f32",
     "periodic",
     {{10, 8, 256, 3414.6},
      {10, 8, 391, 3342.6},
      {12, 4, 253, 3173.0},
      {12, 4, 382, 3304.8},
      {12, 4, 512, 3199.7},
      {12, 8, 193, 2929.9},
      {12, 8, 288, 2897.3},
      {12, 8, 391, 2887.1},
      {12, 8, 586, 2878.3}}},
    {"star2d1",
     "f32",
     "zero",
     {{10, 8, 256, 3363.2},
      {10, 8, 391, 3263.7},
      {12, 4, 253, 3271.0},
      {12, 4, 382, 3367.2},
      {12, 4, 512, 3212.3},
      {12, 8, 193, 3014.0},
      {12, 8, 288, 3007.4},
      {12, 8, 391, 2962.5},
      {12, 8, 586, 2933.5}}},
    {"star2d1",
     "f64",
     "clamp",
     {{8, 4, 270, 1582.2},
      {8, 4, 547, 1424.6},
      {10, 2, 316, 1380.8},
      {10, 2, 631, 1368.7},
      {10, 4, 270, 1679.0},
      {10, 4, 391, 1564.5},
      {10, 4, 547, 1609.2},
      {10, 4, 1100, 1359.0}}},
    {"star2d1",
     "f64",
     "fixed",
     {{10, 4, 270, 1619.9}, {10, 4, 391, 1620.4}, {10, 4, 547, 1561.5}, {10, 4, 1100, 1548.1}}},
    {"star2d1",
     "f64",
     "periodic",
     {{8, 4, 270, 1471.0},
      {8, 4, 547, 1552.0},
      {10, 2, 316, 1428.1},
      {10, 2, 631, 1371.2},
      {10, 4, 270, 1592.7},
      {10, 4, 547, 1547.1},
      {10, 4, 1100, 1625.7}}},
    {"star2d1", "f64", "zero", {{10, 4, 270, 1700.7}, {10, 4, 547, 1616.2}, {10, 4, 1100, 1447.2}}},
    {"star2d2",
     "f32",
     "clamp",
     {{5, 4, 270, 1679.0},
      {5, 4, 547, 1617.3},
      {6, 4, 270, 1725.4},
      {6, 4, 547, 1723.9},
      {6, 8, 270, 1922.4},
      {6, 8, 547, 1647.0}}},
    {"star2d2",
     "f64",
     "clamp",
     {{3, 4, 270, 567.9},
      {3, 4, 547, 557.6},
      {4, 2, 270, 750.1},
      {4, 2, 547, 739.3},
      {4, 4, 270, 755.2},
      {4, 4, 547, 751.4},
      {4, 4, 1100, 708.8},
      {5, 4, 270, 873.2},
      {5, 4, 547, 863.8},
      {5, 4, 1100, 776.1}}},
    {"star2d4",
     "f32",
     "clamp",
     {{3, 4, 270, 897.2}, {3, 4, 547, 906.9}, {3, 8, 270, 940.2}, {3, 8, 547, 843.7}}},
    {"star2d4",
     "f64",
     "clamp",
     {{2, 2, 270, 345.0},
      {2, 2, 547, 346.1},
      {2, 4, 270, 390.3},
      {2, 4, 547, 385.8},
      {2, 4, 1100, 347.0},
      {3, 4, 270, 494.0},
      {3, 4, 547, 524.2},
      {3, 4, 1100, 473.4}}},
};

const Device& h200() { return *find_device("sm_90"); }

std::string star(int radius) { return testing::star(radius, "xy"); }
const std::string kBox = "0.1*sum(i in -1..1, j in -1..1 : u[x+i, y+j])";

ir::Stencil stencil_of(const std::string& type, const std::string& boundary,
                       const std::string& value) {
  return testing::canonical("stencil s { axes x, y; field " + type + " u boundary " + boundary +
                            "; u[t+1] = " + value + "; }");
}
ir::Stencil stencil_of(const Case& one) {
  const std::string name = one.stencil;
  return stencil_of(one.type, one.boundary, name == "box2d1" ? kBox : star(name.back() - '0'));
}

Schedule schedule_of(const ir::Stencil& stencil, const Row& row) {
  const Choice choice =
      parse("coarsened,threads=32x1,vector=" + std::to_string(row.vector) + ",coarsen=y" +
                std::to_string(row.chunk) + ",sums=scatter,steps=" + std::to_string(row.steps),
            stencil, Target::cuda, h200());
  EXPECT_EQ(choice.problem, "");
  return choice.schedule;
}

Forecast forecast_of(const ir::Stencil& stencil, const Schedule& schedule) {
  return forecast(stencil, schedule, h200(), usual_extents(2));
}

TEST(PlanSteps, PredictsTheTimeOfALaunch) {
  std::vector<double> errors;
  for (const Case& one : kMeasured) {
    const ir::Stencil stencil = stencil_of(one);
    for (const Row& row : one.rows) {
      const Schedule schedule = schedule_of(stencil, row);
      const Forecast seen = forecast_of(stencil, schedule);
      ASSERT_EQ(seen.launches.at(0).steps, row.steps);
      if (!seen.spills) errors.push_back(std::abs(std::log(seen.rate * 1e-9 / row.rate)));
    }
  }
  ASSERT_GT(errors.size(), 50U);
  EXPECT_LT(median(errors), 0.05);
  EXPECT_LT(quantile(errors, 0.9), 0.16);
  RecordProperty("kernels", std::to_string(errors.size()));
  RecordProperty("median", std::to_string(median(errors)));
  RecordProperty("nine_of_ten", std::to_string(quantile(errors, 0.9)));
}

// The wave equation, which is read at two time levels
// (bench/results/2026-11-23-h200-inside.txt; other boundaries and f64:
// 2026-11-22-h200-two-levels.txt).
TEST(PlanSteps, PredictsFieldsThatAreReadAtTwoLevels) {
  struct {
    const char *type, *boundary;
    Row row;
    int registers;
  } const measured[] = {
      {"f32", "clamp", {4, 4, 256, 829.5}, 112},   {"f32", "clamp", {6, 4, 256, 1351.2}, 136},
      {"f32", "clamp", {8, 4, 256, 1637.9}, 174},  {"f32", "clamp", {8, 4, 512, 1648.0}, 174},
      {"f32", "clamp", {12, 4, 656, 2122.2}, 233}, {"f32", "fixed", {8, 4, 256, 1583.3}, 152},
      {"f32", "zero", {8, 4, 256, 1572.2}, 158},   {"f32", "fixed", {12, 4, 656, 1798.9}, 205},
      {"f64", "clamp", {6, 2, 256, 533.4}, 128},   {"f64", "clamp", {4, 4, 256, 382.6}, 156},
  };
  const std::string wave = "2*u - u[t-1] + 0.2*laplacian(u)";
  for (const auto& one : measured) {
    const ir::Stencil stencil = stencil_of(one.type, one.boundary, wave);
    const Forecast seen = forecast_of(stencil, schedule_of(stencil, one.row));
    EXPECT_FALSE(seen.spills);
    EXPECT_LT(std::abs(std::log(seen.rate * 1e-9 / one.row.rate)), 0.18)
        << one.row.rate << " and " << seen.rate;
    EXPECT_LT(std::abs(seen.launches.at(0).registers - one.registers), 45);
  }
  const Schedule chosen = choose(stencil_of("f32", "clamp", wave), Target::cuda, 2, h200());
  EXPECT_EQ(chosen.steps, 12) << "the fastest of those measured";
  EXPECT_EQ(chosen.vector, 4);
}

TEST(PlanSteps, OfWhatWasMeasuredItTakesOneThatIsHardlySlowerThanTheFastest) {
  std::vector<double> lost;
  for (const Case& one : kMeasured) {
    const ir::Stencil stencil = stencil_of(one);
    double best = 0, taken = 0;
    for (const Row& row : one.rows) {
      const Schedule schedule = schedule_of(stencil, row);
      const Forecast seen = forecast_of(stencil, schedule);
      if (seen.spills || seen.rate <= best) continue;
      best = seen.rate;
      taken = row.rate;
    }
    if (taken == 0) continue;  // all of these may spill
    lost.push_back(1 - taken / fastest(one));
    EXPECT_LT(lost.back(), 0.15) << one.stencil << " " << one.type << " " << one.boundary;
  }
  EXPECT_GE(lost.size() + 1, std::size(kMeasured));
  EXPECT_LT(median(lost), 0.05);
  RecordProperty("median", std::to_string(median(lost)));
}

TEST(PlanSteps, RegistersAreAskedForWherePtxasWouldSpill) {
  const ir::Stencil wide = stencil_of("f64", "clamp", star(1));
  const Schedule chosen = choose(wide, Target::cuda, 2, h200());
  EXPECT_EQ(chosen.resident, 8);
  const Forecast seen = forecast_of(wide, chosen);
  EXPECT_GT(seen.launches.at(0).registers, 168);
  EXPECT_FALSE(seen.spills);
  Schedule deeper = chosen;
  deeper.steps = 16;
  EXPECT_TRUE(forecast_of(wide, deeper).spills);
  // Cells that stay take none where they pass through the sums.
  EXPECT_EQ(choose(stencil_of("f32", "fixed", star(1)), Target::cuda, 2, h200()).resident, 8);
}

TEST(PlanSteps, TheFartherAStepReadsTheFewerAreTaken) {
  for (const char* type : {"f32", "f64"})
    for (int radius = 1; radius < 4; ++radius)
      EXPECT_GT(choose(stencil_of(type, "clamp", star(radius)), Target::cuda, 2, h200()).steps,
                choose(stencil_of(type, "clamp", star(radius + 1)), Target::cuda, 2, h200()).steps)
          << type << ", radius " << radius;
}

TEST(PlanSteps, OneStepIsTakenWhereSeveralAreNotPossibleOrNotKnownToWin) {
  const auto why = [](const std::string& statements) {
    const ir::Stencil stencil = testing::canonical("stencil s { axes x, y; " + statements + " }");
    const Schedule chosen = choose(stencil, Target::cuda, 2, h200());
    EXPECT_EQ(chosen.steps, 1) << statements;
    EXPECT_TRUE(chosen.single.empty());
    return degree(stencil, chosen, h200(), usual_extents(2)).why_one;
  };
  EXPECT_EQ(why("field f32 u boundary clamp; u[t+1] = u[x-1] + u[t-2];"),
            "`u` is read at 3 time levels");
  EXPECT_EQ(why("field f32 u boundary clamp; u[t+1] = 2*u;"),
            "a step reads nothing beside the cell");
  EXPECT_EQ(why("field f32 u boundary clamp; let g = 1 / (1 + u*u); u[t+1] = g[x-1] + g[y+1];"),
            "the model is not fitted to several steps with divisions, roots or longer functions "
            "that neighbouring cells share");
  EXPECT_EQ(why("field u8 u boundary clamp; u[t+1] = max(u[x-1], u[y+1]);"),
            "the model is not fitted to several steps of integers in fewer than 4 bytes that bits "
            "do not hold");
  EXPECT_EQ(why("field f32 u boundary clamp; u[t+1] = u[x-1] where u > 0;"),
            "the model is not fitted to several steps of cells under a mask");
}

TEST(PlanSteps, OnSmallGridsBlocksDwellOnTiles) {
  const ir::Stencil near = stencil_of("f32", "clamp", star(1));
  for (const int64_t n : {192, 256, 512, 1024, 2048}) {
    const Schedule small = choose(near, Target::cuda, 2, h200(), {n, n, 1});
    EXPECT_GT(small.steps, 1) << n;
    EXPECT_TRUE(dwells(small)) << n;
    EXPECT_TRUE(small.smaller.empty());
  }
  const Schedule usual = choose(near, Target::cuda, 2, h200());
  EXPECT_FALSE(dwells(usual)) << "strips that march have fewer cells twice";
  ASSERT_EQ(usual.smaller.size(), 1u) << "the same file serves small grids, too";
  EXPECT_TRUE(dwells(usual.smaller[0]));
  EXPECT_TRUE(usual.full);
  EXPECT_GT(usual.least_cells, 1024 * 1024) << "on fewer tiles are faster";
  EXPECT_LT(usual.least_cells, 8192 * 8192);
}

TEST(PlanSteps, WhatIsLeftOfARunIsTakenByTheShapeForOneStep) {
  const ir::Stencil near = stencil_of("f32", "clamp", star(1));
  const Schedule chosen = choose(near, Target::cuda, 2, h200());
  ASSERT_EQ(chosen.single.size(), 1U);
  const Schedule alone = parse("coarsened", near, Target::cuda, h200()).schedule;
  EXPECT_EQ(alone.steps, 1) << "the preset takes one step a launch";
  EXPECT_EQ(print(chosen.single[0], near), print(alone, near));
}

TEST(PlanSteps, TheCpuTakesOneStep) {
  EXPECT_EQ(choose(stencil_of("f32", "clamp", star(1)), Target::cpu, 2).steps, 1);
}

}  // namespace
}  // namespace stencilc::plan
