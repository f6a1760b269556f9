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

// 16384 x 16384 on an H200 (bench/results/2026-11-24-h200-every-place.txt).
const Case kMeasured[] = {
    {"star2d1",
     "f32",
     "clamp",
     {{8, 4, 0, 3274.1, false},
      {12, 4, 0, 3470.9, false},
      {6, 8, 0, 2121.4, false},
      {8, 8, 0, 2879.0, false},
      {10, 8, 8, 3804.5, false},
      {11, 8, 8, 3858.3, false},
      {12, 8, 8, 3092.8, true}}},
    {"star2d1",
     "f64",
     "clamp",
     {{10, 2, 0, 1432.0, false},
      {6, 4, 0, 1094.3, false},
      {8, 4, 0, 1577.1, false},
      {10, 4, 8, 1767.1, false},
      {11, 4, 8, 1843.1, false},
      {12, 4, 8, 1328.0, true}}},
    {"star2d2",
     "f32",
     "clamp",
     {{6, 4, 0, 1850.2, false},
      {4, 8, 0, 1611.4, false},
      {5, 8, 8, 1929.8, false},
      {6, 8, 8, 2196.3, false}}},
    {"star2d2",
     "f64",
     "clamp",
     {{6, 2, 0, 686.9, false},
      {4, 4, 0, 806.7, false},
      {5, 4, 8, 915.3, false},
      {6, 4, 8, 1000.0, false}}},
    {"box2d1",
     "f32",
     "clamp",
     {{8, 4, 0, 2308.3, false}, {6, 8, 0, 2313.6, false}, {8, 8, 8, 2533.6, false}}},
    {"box2d1", "f64", "clamp", {{6, 4, 0, 1134.1, false}, {8, 4, 8, 1245.4, false}}},
    {"star2d3",
     "f32",
     "clamp",
     {{4, 4, 0, 1276.4, false}, {3, 8, 0, 1187.9, false}, {4, 8, 8, 1467.1, false}}},
    {"star2d3",
     "f64",
     "clamp",
     {{3, 2, 0, 463.1, false}, {3, 4, 8, 570.9, false}, {4, 4, 8, 658.7, false}}},
    {"star2d4",
     "f32",
     "clamp",
     {{3, 4, 0, 965.4, false}, {2, 8, 0, 830.7, false}, {3, 8, 8, 1091.3, false}}},
    {"star2d4", "f64", "clamp", {{2, 4, 8, 403.7, false}, {3, 4, 8, 504.3, false}}},
    {"star2d1",
     "f32",
     "fixed",
     {{8, 4, 0, 3276.0, false},
      {12, 4, 0, 3439.7, false},
      {10, 8, 8, 3694.7, false},
      {11, 8, 8, 3540.7, false}}},
    {"star2d1",
     "f32",
     "periodic",
     {{10, 8, 8, 3828.6, false}, {8, 8, 0, 2901.1, false}, {11, 8, 8, 3788.2, false}}},
    {"star2d1", "f32", "zero", {{11, 8, 8, 3858.7, false}}},

    {"box2d1", "f32", "periodic", {{8, 8, 0, 2627.2, false}, {8, 8, 8, 2613.1, false}}},

    {"box2d1", "f32", "fixed", {{8, 8, 8, 2466.9, false}}},
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
  EXPECT_LT(median(errors), 0.06);
  EXPECT_LT(quantile(errors, 0.9), 0.11);
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

// The last strip ends with a vector, whatever rows have: it takes as long as the first.
TEST(PlanFull, VectorsThatDoNotFillRowsMakeNoStripLonger) {
  const auto costs = [](const std::string& field, const std::string& schedule) {
    const ir::Stencil stencil =
        testing::canonical("stencil s { axes x, y; field " + field +
                           "; u[t+1] = 0.2*u[x-1] + 0.3*u[x+1] + 0.1*u[y-1] + 0.2*u[y+1]; }");
    const Choice choice = parse(schedule, stencil, Target::cuda, *find_device("sm_90"));
    EXPECT_EQ(choice.problem, "");
    return march_costs(stencil, temporal(stencil, choice.schedule));
  };
  const std::string eight = "coarsened,threads=32x1,vector=8,chunks=full,sums=scatter,steps=8";
  for (const std::string boundary : {"clamp", "zero", "periodic", "fixed", "reflect"}) {
    const MarchCosts of = costs("f32 u boundary " + boundary, eight);
    EXPECT_EQ(of.ragged.rim, of.filled.rim) << boundary;
    EXPECT_EQ(of.ragged.beside, of.filled.beside) << boundary;
    EXPECT_EQ(of.ragged.ends, of.filled.ends) << boundary;
  }
  // Of halves a lane waits for each row that it loads cell by cell.
  const MarchCosts halves = costs("f16 u compute f32 boundary clamp", eight);
  EXPECT_GT(halves.ragged.rim, halves.filled.rim);
}

}  // namespace
}  // namespace stencilc::plan
