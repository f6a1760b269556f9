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

// 16384 x 16384 on an H200, each case in the newest form of the kernels that it was measured in
// (bench/results/2026-11-22-h200-steps.txt).
const Case kMeasured[] = {
    {"box2d1",
     "f32",
     "clamp",
     {{8, 4, 270, 1898.7},
      {8, 4, 547, 1916.9},
      {8, 8, 270, 1543.3},
      {8, 8, 547, 1319.7},
      {10, 4, 270, 1948.1},
      {10, 4, 547, 1929.5}}},
    {"box2d1",
     "f64",
     "clamp",
     {{8, 2, 270, 817.4},
      {8, 2, 547, 873.6},
      {6, 4, 270, 1069.4},
      {6, 4, 547, 963.0},
      {6, 4, 1100, 886.0},
      {8, 4, 270, 1011.4},
      {8, 4, 547, 1010.1},
      {8, 4, 1100, 926.6}}},
    {"star2d1",
     "f32",
     "clamp",
     {{10, 8, 256, 2979.8},
      {10, 8, 391, 2836.9},
      {12, 4, 253, 2925.3},
      {12, 4, 382, 2966.1},
      {12, 4, 512, 2851.7},
      {12, 8, 193, 2261.7},
      {12, 8, 288, 2305.6},
      {12, 8, 391, 2218.1},
      {12, 8, 586, 2125.8}}},
    {"star2d1",
     "f32",
     "fixed",
     {{10, 8, 256, 1250.0},
      {10, 8, 391, 1023.2},
      {12, 4, 253, 1989.7},
      {12, 4, 382, 2010.6},
      {12, 4, 512, 1850.7},
      {12, 8, 193, 885.4},
      {12, 8, 288, 845.0},
      {12, 8, 391, 762.4},
      {12, 8, 586, 651.5}}},
    {"star2d1",
     "f32",
     "periodic",
     {{10, 8, 256, 3040.0},
      {10, 8, 391, 3075.6},
      {12, 4, 253, 2931.8},
      {12, 4, 382, 3050.1},
      {12, 4, 512, 2896.9},
      {12, 8, 193, 3028.5},
      {12, 8, 288, 3125.4},
      {12, 8, 391, 3050.6},
      {12, 8, 586, 2943.6}}},
    {"star2d1",
     "f32",
     "zero",
     {{10, 8, 256, 2768.1},
      {10, 8, 391, 2719.8},
      {12, 4, 253, 3066.5},
      {12, 4, 382, 3153.1},
      {12, 4, 512, 3027.2},
      {12, 8, 193, 1608.1},
      {12, 8, 288, 1622.4},
      {12, 8, 391, 1601.7},
      {12, 8, 586, 1552.5}}},
    {"star2d1",
     "f64",
     "clamp",
     {{8, 4, 270, 1339.8},
      {8, 4, 547, 1290.3},
      {10, 2, 316, 1179.7},
      {10, 2, 631, 1201.8},
      {10, 4, 270, 1362.5},
      {10, 4, 391, 1449.6},
      {10, 4, 547, 1610.1},
      {10, 4, 1100, 1566.1}}},
    {"star2d1",
     "f64",
     "fixed",
     {{10, 4, 270, 1380.8}, {10, 4, 391, 1332.1}, {10, 4, 547, 1382.9}, {10, 4, 1100, 880.6}}},
    {"star2d1",
     "f64",
     "periodic",
     {{8, 4, 270, 1351.3},
      {8, 4, 547, 1286.8},
      {10, 2, 316, 1243.9},
      {10, 2, 631, 1291.5},
      {10, 4, 270, 1508.9},
      {10, 4, 547, 1619.3},
      {10, 4, 1100, 1623.9}}},
    {"star2d1", "f64", "zero", {{10, 4, 270, 1400.5}, {10, 4, 547, 1491.3}, {10, 4, 1100, 1384.0}}},
    {"star2d2",
     "f32",
     "clamp",
     {{5, 4, 270, 1590.9},
      {5, 4, 547, 1495.8},
      {6, 4, 270, 1476.0},
      {6, 4, 547, 1601.7},
      {6, 8, 270, 1690.9},
      {6, 8, 547, 1506.4}}},
    {"star2d2",
     "f64",
     "clamp",
     {{3, 4, 270, 543.5},
      {3, 4, 547, 551.6},
      {4, 2, 270, 616.2},
      {4, 2, 547, 630.7},
      {4, 4, 270, 762.2},
      {4, 4, 547, 703.2},
      {4, 4, 1100, 595.4},
      {5, 4, 270, 656.2},
      {5, 4, 547, 651.3},
      {5, 4, 1100, 683.1}}},
    {"star2d4",
     "f32",
     "clamp",
     {{3, 4, 270, 777.1}, {3, 4, 547, 748.2}, {3, 8, 270, 872.4}, {3, 8, 547, 801.7}}},
    {"star2d4",
     "f64",
     "clamp",
     {{2, 2, 270, 321.8},
      {2, 2, 547, 321.6},
      {2, 4, 270, 366.5},
      {2, 4, 547, 371.3},
      {2, 4, 1100, 326.0},
      {3, 4, 270, 359.1},
      {3, 4, 547, 363.8},
      {3, 4, 1100, 388.0}}},
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
      const Forecast seen = forecast_of(stencil, schedule_of(stencil, row));
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
// (bench/results/2026-11-22-h200-two-levels.txt).
TEST(PlanSteps, PredictsFieldsThatAreReadAtTwoLevels) {
  struct {
    const char *type, *boundary;
    Row row;
    int registers;
  } const measured[] = {
      {"f32", "clamp", {4, 4, 256, 756.6}, 96},    {"f32", "clamp", {6, 4, 256, 1234.0}, 134},
      {"f32", "clamp", {8, 4, 256, 1438.2}, 178},  {"f32", "clamp", {8, 4, 512, 1398.7}, 178},
      {"f32", "clamp", {12, 4, 656, 1708.9}, 222}, {"f32", "clamp", {4, 8, 384, 731.8}, 164},
      {"f32", "clamp", {6, 8, 384, 1055.2}, 228},  {"f32", "fixed", {8, 4, 256, 1583.3}, 152},
      {"f32", "zero", {8, 4, 256, 1572.2}, 158},   {"f32", "fixed", {12, 4, 656, 1798.9}, 205},
      {"f64", "clamp", {6, 2, 256, 533.4}, 128},   {"f64", "clamp", {4, 4, 256, 382.6}, 156},
  };
  const std::string wave = "2*u - u[t-1] + 0.2*laplacian(u)";
  for (const auto& one : measured) {
    const ir::Stencil stencil = stencil_of(one.type, one.boundary, wave);
    const Forecast seen = forecast_of(stencil, schedule_of(stencil, one.row));
    EXPECT_FALSE(seen.spills);
    EXPECT_LT(std::abs(std::log(seen.rate * 1e-9 / one.row.rate)), 0.13)
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
      const Forecast seen = forecast_of(stencil, schedule_of(stencil, row));
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
  EXPECT_EQ(choose(stencil_of("f32", "fixed", star(1)), Target::cuda, 2, h200()).resident, 0);
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
