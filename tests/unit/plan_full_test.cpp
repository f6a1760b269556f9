// What is chosen for launches of several steps by warps that march in chunks that fill the card,
// beside what was measured.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "plan/march.h"
#include "plan/model.h"
#include "plan/temporal.h"
#include "support/analysed.h"
#include "support/measured.h"

namespace stencilc::plan {
namespace {

using testing::median;
using testing::quantile;

struct Row {
  int steps, vector, resident;
  double rate;  // GCells/s
  bool spills;
};
struct Case {
  const char *stencil, *type, *boundary;
  std::vector<Row> rows;
};

// 16384 x 16384 on an H200 (bench/results/2026-11-23-h200-inside.txt).
const Case kMeasured[] = {
    {"star2d1",
     "f32",
     "clamp",
     {{8, 4, 0, 3318.9, false},
      {12, 4, 0, 3310.9, false},
      {16, 4, 8, 3163.0, false},
      {6, 8, 0, 2038.7, false},
      {8, 8, 0, 2894.8, false},
      {10, 8, 8, 3590.9, false},
      {11, 8, 8, 3663.8, false},
      {12, 8, 8, 2780.6, true}}},
    {"star2d1",
     "f64",
     "clamp",
     {{10, 2, 0, 1430.0, false},
      {6, 4, 0, 1083.2, false},
      {8, 4, 0, 1502.6, false},
      {10, 4, 8, 1695.9, false},
      {11, 4, 8, 1831.6, false},
      {12, 4, 8, 1170.2, true}}},
    {"star2d2",
     "f32",
     "clamp",
     {{6, 4, 0, 1762.2, false},
      {4, 8, 0, 1620.6, false},
      {5, 8, 8, 1860.0, false},
      {6, 8, 8, 2097.5, false}}},
    {"star2d2",
     "f64",
     "clamp",
     {{6, 2, 0, 673.9, false},
      {4, 4, 0, 790.0, false},
      {5, 4, 8, 920.3, false},
      {6, 4, 8, 999.6, false}}},
    {"box2d1",
     "f32",
     "clamp",
     {{8, 4, 0, 2230.5, false},
      {6, 8, 0, 2220.8, false},
      {8, 8, 8, 2411.7, false},
      {9, 8, 8, 2412.4, false}}},
    {"box2d1",
     "f64",
     "clamp",
     {{6, 4, 0, 1128.2, false}, {8, 4, 8, 1157.6, false}, {9, 4, 8, 1137.5, false}}},
    {"star2d3",
     "f32",
     "clamp",
     {{4, 4, 0, 1205.5, false}, {3, 8, 0, 1182.4, false}, {4, 8, 8, 1434.4, false}}},
    {"star2d3",
     "f64",
     "clamp",
     {{3, 2, 0, 466.4, false}, {3, 4, 8, 564.7, false}, {4, 4, 8, 637.7, false}}},
    {"star2d4",
     "f32",
     "clamp",
     {{3, 4, 0, 925.8, false}, {2, 8, 0, 826.7, false}, {3, 8, 8, 1068.5, false}}},
    {"star2d4", "f64", "clamp", {{2, 4, 8, 406.3, false}, {3, 4, 8, 504.2, false}}},
    {"star2d1",
     "f32",
     "fixed",
     {{8, 4, 0, 3115.2, false},
      {12, 4, 0, 2956.4, false},
      {9, 8, 8, 3106.3, false},
      {10, 8, 8, 3181.6, true}}},
    {"star2d1",
     "f32",
     "periodic",
     {{10, 8, 8, 3209.9, false}, {8, 8, 0, 2787.2, false}, {11, 8, 8, 3588.4, false}}},
    {"star2d1", "f32", "zero", {{11, 8, 8, 3609.9, false}}},
    {"star2d1", "f32", "reflect", {{11, 8, 8, 3527.1, false}}},
    {"box2d1", "f32", "periodic", {{8, 8, 0, 2582.4, false}, {8, 8, 8, 2457.8, false}}},
    {"box2d1", "f32", "zero", {{9, 8, 8, 2453.9, false}}},
    {"box2d1", "f32", "fixed", {{8, 8, 8, 2284.3, false}}},
};

const Device& h200() { return *find_device("sm_90"); }
const std::string kBox = "0.1*sum(i in -1..1, j in -1..1 : u[x+i, y+j])";

ir::Stencil stencil_of(const Case& one) {
  const std::string name = one.stencil;
  return testing::canonical(
      "stencil s { axes x, y; field " + std::string(one.type) + " u boundary " + one.boundary +
      "; u[t+1] = " + (name == "box2d1" ? kBox : testing::star(name.back() - '0', "xy")) + "; }");
}

Forecast forecast_of(const ir::Stencil& stencil, const Row& row) {
  const Choice choice =
      parse("coarsened,threads=32x1,vector=" + std::to_string(row.vector) +
                ",chunks=full,sums=scatter,steps=" + std::to_string(row.steps) +
                (row.resident > 0 ? ",resident=" + std::to_string(row.resident) : ""),
            stencil, Target::cuda, h200());
  EXPECT_EQ(choice.problem, "");
  return forecast(stencil, choice.schedule, h200(), usual_extents(2));
}

TEST(PlanFull, PredictsTheTimeOfALaunch) {
  std::vector<double> errors;
  for (const Case& one : kMeasured)
    for (const Row& row : one.rows) {
      if (!row.spills)
        errors.push_back(
            std::abs(std::log(forecast_of(stencil_of(one), row).rate * 1e-9 / row.rate)));
    }
  ASSERT_GT(errors.size(), 40U);
  EXPECT_LT(median(errors), 0.08);
  EXPECT_LT(quantile(errors, 0.9), 0.17);
  RecordProperty("median", std::to_string(median(errors)));
  RecordProperty("nine_of_ten", std::to_string(quantile(errors, 0.9)));
}

TEST(PlanFull, WhatIsChosenIsAsFastAsWhatWasMeasured) {
  std::vector<double> lost;
  for (const Case& one : kMeasured) {
    SCOPED_TRACE(std::string(one.stencil) + " " + one.type + " " + one.boundary);
    const Schedule chosen = choose(stencil_of(one), Target::cuda, 2, h200());
    EXPECT_EQ(chosen.threads, (std::array{32, 1, 1}));
    EXPECT_TRUE(chosen.scatter && chosen.full);
    double fastest = 0, taken = 0;
    for (const Row& row : one.rows) {
      fastest = std::max(fastest, row.rate);
      if (row.steps == chosen.steps && row.vector == chosen.vector &&
          row.resident == chosen.resident)
        taken = row.rate;
    }
    if (taken == 0) continue;  // not measured
    lost.push_back(1 - taken / fastest);
    EXPECT_LT(lost.back(), 0.15) << taken << " of " << fastest;
  }
  EXPECT_GE(lost.size(), 6U);
  EXPECT_LT(median(lost), 0.05);
}

}  // namespace
}  // namespace stencilc::plan
