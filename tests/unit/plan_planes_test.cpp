// The shape that is chosen for launches of several steps in space, beside what was measured.
#include <gtest/gtest.h>

#include <cmath>

#include "plan/degree.h"
#include "plan/model.h"
#include "support/analysed.h"
#include "support/measured.h"

namespace stencilc::plan {
namespace {

using testing::fastest;
using testing::median;
using testing::quantile;

struct Row {
  int warps, rows, steps, chunk;
  double rate;  // GCells/s
  bool spills = false;
};
struct Case {
  const char *stencil, *type, *boundary;
  std::vector<Row> rows;
};

// 768 x 768 x 768 on an H200 (bench/results/2026-11-23-h200-steps-in-blocks.txt).
const Case kMeasured[] = {
    {"star3d1",
     "f32",
     "clamp",
     {{8, 4, 2, 154, 705.5},   {8, 4, 3, 384, 1063.6},  {8, 4, 4, 154, 1208.1},
      {8, 4, 5, 64, 1272.9},   {8, 4, 5, 110, 1347.1},  {8, 4, 5, 128, 1304.3},
      {8, 4, 5, 192, 1364.5},  {8, 4, 5, 256, 1244.7},  {8, 4, 5, 768, 1220.6},
      {16, 2, 2, 154, 776.8},  {16, 2, 3, 384, 993.5},  {16, 2, 4, 154, 1091.7},
      {12, 3, 3, 110, 1107.9}, {12, 3, 4, 77, 1187.4},  {12, 3, 4, 128, 1167.8},
      {12, 3, 4, 154, 1208.2}, {12, 3, 4, 192, 1170.5}, {12, 3, 4, 256, 1079.8},
      {8, 3, 5, 128, 1089},    {8, 3, 6, 128, 980.5},   {12, 2, 5, 128, 980},
      {20, 2, 3, 128, 1038.2}, {24, 2, 2, 70, 782},     {16, 3, 2, 128, 715.4},
      {8, 5, 4, 154, 1161.1},  {8, 5, 4, 192, 1249.4},  {8, 5, 4, 256, 1190.5},
      {8, 5, 4, 110, 1221},    {8, 5, 3, 192, 1054.9},  {8, 6, 3, 192, 1063.2},
      {12, 4, 3, 128, 1095.9}, {12, 4, 3, 192, 1066.2}, {12, 4, 2, 128, 719.7}}},
    {"star3d1",
     "f32",
     "fixed",
     {{8, 4, 5, 192, 1181},
      {8, 4, 5, 110, 1184.4},
      {12, 3, 4, 154, 1183.6},
      {12, 3, 3, 110, 1083.2},
      {8, 4, 4, 154, 1130.5},
      {8, 5, 4, 192, 1198.7},
      {12, 4, 3, 128, 1090}}},
    {"star3d1",
     "f32",
     "zero",
     {{8, 4, 5, 192, 1286.7},
      {8, 4, 5, 110, 1272.3},
      {12, 3, 4, 154, 1187.6},
      {8, 5, 4, 192, 1148.6}}},
    {"star3d1",
     "f32",
     "periodic",
     {{8, 4, 5, 192, 1265.5}, {12, 3, 4, 154, 1212.1}, {8, 5, 4, 192, 1323.9}}},
    {"star3d1",
     "f64",
     "clamp",
     {{8, 4, 2, 110, 369.6},  {8, 4, 3, 768, 544},    {8, 4, 4, 128, 595},
      {8, 4, 5, 192, 543.7},  {12, 3, 3, 154, 562.7}, {12, 3, 4, 96, 602.1},
      {12, 3, 4, 110, 589.3}, {12, 3, 4, 128, 603.2}, {12, 3, 4, 154, 621.6},
      {12, 3, 4, 192, 587.9}, {12, 3, 4, 256, 618.1}, {12, 3, 4, 768, 587.6},
      {16, 2, 3, 768, 524.3}, {16, 2, 4, 154, 559.4}, {12, 2, 5, 192, 445.1},
      {8, 3, 6, 192, 435.3},  {8, 5, 4, 192, 699.4},  {8, 5, 4, 128, 685.3},
      {8, 6, 3, 192, 599.1},  {12, 4, 3, 128, 622.1}, {12, 4, 3, 192, 612.8},
      {8, 5, 3, 192, 603.3}}},
    {"star3d1",
     "f64",
     "fixed",
     {{12, 3, 4, 128, 602.7},
      {12, 3, 4, 192, 625.6},
      {8, 5, 4, 192, 665.9},
      {12, 4, 3, 128, 591.1}}},
    {"star3d1", "f64", "zero", {{12, 3, 4, 192, 608.5}}},
    {"star3d1", "f64", "periodic", {{12, 3, 4, 192, 610}}},
    {"star3d2",
     "f32",
     "clamp",
     {{8, 4, 2, 384, 599.4},
      {12, 3, 2, 128, 637.7},
      {12, 3, 2, 256, 632.8},
      {16, 2, 2, 384, 582},
      {8, 3, 3, 192, 565.9},
      {12, 2, 3, 128, 507},
      {8, 5, 2, 128, 584.8, true}}},
    {"star3d2", "f32", "fixed", {{12, 3, 2, 256, 517, true}, {8, 4, 2, 192, 548.8}}},
    {"star3d2", "f64", "fixed", {{12, 3, 2, 154, 317.5}}},
    {"star3d2", "f32", "zero", {{12, 3, 2, 128, 599.4}}},
    {"star3d2", "f32", "periodic", {{12, 3, 2, 128, 645.8}}},
    {"star3d2",
     "f64",
     "clamp",
     {{8, 4, 2, 768, 320.5},
      {12, 3, 2, 128, 321.6},
      {12, 3, 2, 154, 326.4},
      {12, 3, 2, 256, 324.8},
      {16, 2, 2, 768, 299.6},
      {8, 5, 2, 256, 353.3},
      {8, 5, 2, 154, 359.3}}},
    {"box3d1",
     "f32",
     "clamp",
     {{16, 2, 2, 154, 510.9},
      {16, 3, 2, 70, 541.3},
      {16, 3, 2, 128, 516.1},
      {8, 4, 2, 154, 532.8},
      {12, 3, 2, 128, 517.6},
      {8, 4, 3, 192, 525.9},
      {20, 2, 2, 128, 509.4},
      {12, 2, 3, 128, 504.1},
      {8, 5, 2, 128, 505.4},
      {8, 6, 2, 154, 507},
      {12, 4, 2, 128, 529.6}}},
    {"box3d1", "f32", "fixed", {{16, 3, 2, 70, 504.3}, {8, 4, 2, 154, 501.6}}},
    {"box3d1", "f32", "zero", {{8, 4, 2, 154, 515.8}}},
    {"box3d1", "f32", "periodic", {{8, 4, 2, 154, 548}}},
    {"box3d1", "f64", "fixed", {{12, 3, 2, 256, 278.2}}},
    {"box3d1",
     "f64",
     "clamp",
     {{8, 4, 2, 154, 285.3},
      {12, 3, 2, 128, 277.9},
      {12, 3, 2, 256, 284.8},
      {16, 2, 2, 154, 275.6},
      {8, 4, 3, 192, 301.3},
      {8, 5, 2, 154, 288.9},
      {8, 6, 2, 192, 306.1}}},
};

const Device& h200() { return *find_device("sm_90"); }

std::string star(int radius) { return testing::star(radius, "xyz"); }
const std::string kBox =
    "sum(i in -1..1, j in -1..1, k in -1..1 : (0.01*(i + 3*j + 9*k) + 0.2)*u[x+i, y+j, z+k])";

ir::Stencil stencil_of(const Case& one) {
  const std::string name = one.stencil;
  return testing::canonical(
      "stencil s { axes x, y, z; field " + std::string(one.type) + " u boundary " + one.boundary +
      "; u[t+1] = " + (name == "box3d1" ? kBox : star(name.back() - '0')) + "; }");
}

Schedule schedule_of(const ir::Stencil& stencil, const Case& one, const Row& row) {
  const Choice choice =
      parse("coarsened,threads=32x" + std::to_string(row.warps) +
                ",vector=" + (std::string(one.type) == "f32" ? "4" : "2") +
                ",rows=" + std::to_string(row.rows) + ",coarsen=z" + std::to_string(row.chunk) +
                ",sums=scatter,shared=none,steps=" + std::to_string(row.steps),
            stencil, Target::cuda, h200());
  EXPECT_EQ(choice.problem, "");
  return choice.schedule;
}

Forecast forecast_of(const ir::Stencil& stencil, const Schedule& schedule) {
  return forecast(stencil, schedule, h200(), usual_extents(3));
}

TEST(PlanPlanes, PredictsTheTimeOfALaunch) {
  std::vector<double> errors;
  for (const Case& one : kMeasured) {
    const ir::Stencil stencil = stencil_of(one);
    for (const Row& row : one.rows) {
      const Forecast seen = forecast_of(stencil, schedule_of(stencil, one, row));
      ASSERT_EQ(seen.launches.at(0).steps, row.steps);
      if (!row.spills && !seen.spills)
        errors.push_back(std::abs(std::log(seen.rate * 1e-9 / row.rate)));
    }
  }
  ASSERT_GT(errors.size(), 90U);
  EXPECT_LT(median(errors), 0.05);
  EXPECT_LT(quantile(errors, 0.9), 0.12);
  RecordProperty("kernels", std::to_string(errors.size()));
  RecordProperty("median", std::to_string(median(errors)));
  RecordProperty("nine_of_ten", std::to_string(quantile(errors, 0.9)));
}

TEST(PlanPlanes, OfWhatWasMeasuredItTakesOneThatIsHardlySlowerThanTheFastest) {
  std::vector<double> lost;
  for (const Case& one : kMeasured) {
    const ir::Stencil stencil = stencil_of(one);
    double best = 0, taken = 0;
    for (const Row& row : one.rows) {
      const Forecast seen = forecast_of(stencil, schedule_of(stencil, one, row));
      if (seen.spills || seen.rate <= best) continue;
      best = seen.rate;
      taken = row.rate;
    }
    lost.push_back(1 - taken / fastest(one));
    EXPECT_LT(lost.back(), 0.15) << one.stencil << " " << one.type << " " << one.boundary;
  }
  EXPECT_LT(median(lost), 0.05);
  RecordProperty("median", std::to_string(median(lost)));
}

// By the measured chunk that is nearest to the chosen one.
TEST(PlanPlanes, WhatIsChosenIsAsFastAsWhatWasMeasured) {
  std::vector<double> lost;
  for (const Case& one : kMeasured) {
    SCOPED_TRACE(std::string(one.stencil) + " " + one.type + " " + one.boundary);
    const ir::Stencil stencil = stencil_of(one);
    const Schedule chosen = choose(stencil, Target::cuda, 2, h200());
    ASSERT_GT(chosen.steps, 1);
    EXPECT_TRUE(chosen.scatter);
    EXPECT_FALSE(forecast_of(stencil, chosen).spills);
    const Row* nearest = nullptr;
    const auto away = [&](const Row& row) {
      return std::abs(std::log(static_cast<double>(row.chunk) / chosen.coarsen));
    };
    for (const Row& row : one.rows)
      if (row.steps == chosen.steps && row.rows == chosen.rows && row.warps == chosen.threads[1] &&
          (!nearest || away(row) < away(*nearest)))
        nearest = &row;
    if (!nearest) continue;  // not measured
    lost.push_back(1 - nearest->rate / fastest(one));
    EXPECT_LT(lost.back(), 0.15) << nearest->rate << " of " << fastest(one);
  }
  EXPECT_GE(lost.size(), 9U);
  EXPECT_LT(median(lost), 0.05);
  RecordProperty("median", std::to_string(median(lost)));
}

TEST(PlanPlanes, WhatCellsBeyondTheRimAreMadeOfCosts) {
  Case one = kMeasured[0];
  const auto rate = [&](const char* boundary) {
    one.boundary = boundary;
    const ir::Stencil stencil = stencil_of(one);
    return forecast_of(stencil, schedule_of(stencil, one, {8, 4, 5, 192, 0})).rate * 1e-9;
  };
  EXPECT_NEAR(rate("antireflect"), 600.7, 120);
  EXPECT_NEAR(rate("reflect"), 1205.4, 180);
}

TEST(PlanPlanes, SmallGridsGoStepByStep) {
  for (const Case& one : kMeasured)
    EXPECT_GT(choose(stencil_of(one), Target::cuda, 2, h200()).least_blocks, 1)
        << one.stencil << " " << one.type << " " << one.boundary;
}

}  // namespace
}  // namespace stencilc::plan
