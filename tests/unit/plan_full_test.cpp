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

// 16384 x 16384 on an H200, some of them in one turn of warps (2026-11-23-h200-full-chunks.txt and
// 2026-11-23-h200-marches.txt in bench/results).
const Case kMeasured[] = {
    {"star2d1",
     "f32",
     "clamp",
     {{8, 4, 0, 3161.5, false},
      {12, 4, 0, 3244.3, false},
      {16, 4, 0, 2954.1, false},
      {20, 4, 0, 2523.6, true},
      {6, 8, 0, 2043.6, false},
      {8, 8, 0, 2690.8, false},
      {10, 8, 0, 3221.3, false},
      {10, 8, 8, 3232.8, false},
      {11, 8, 8, 3448.5, false},
      {12, 8, 0, 3408.1, true},
      {12, 8, 8, 3398.6, true},
      {13, 8, 8, 2279.2, true},
      {14, 8, 0, 1486.0, true}}},
    {"star2d1",
     "f64",
     "clamp",
     {{8, 2, 0, 1357.3, false},
      {10, 2, 0, 1262.5, false},
      {12, 2, 0, 1182.5, false},
      {16, 2, 0, 926.7, false},
      {4, 4, 0, 756.0, false},
      {6, 4, 0, 1117.5, false},
      {8, 4, 0, 1409.0, false},
      {10, 4, 8, 1644.1, false}}},
    {"star2d2",
     "f32",
     "clamp",
     {{4, 4, 0, 1609.7, false},
      {6, 4, 0, 1702.7, false},
      {7, 4, 0, 1612.6, false},
      {8, 4, 0, 1532.0, false},
      {2, 8, 0, 703.3, false},
      {3, 8, 0, 1184.9, false},
      {4, 8, 0, 1492.0, false},
      {5, 8, 8, 1632.7, false},
      {6, 8, 8, 1816.7, false}}},
    {"star2d2",
     "f64",
     "clamp",
     {{4, 2, 0, 687.2, false},
      {6, 2, 0, 616.6, false},
      {8, 2, 0, 518.6, false},
      {2, 4, 0, 391.5, false},
      {3, 4, 0, 572.7, false},
      {4, 4, 0, 763.8, false},
      {5, 4, 8, 838.6, false},
      {6, 4, 8, 916.0, true}}},
    {"box2d1",
     "f32",
     "clamp",
     {{8, 4, 0, 2146.2, false},
      {10, 4, 0, 1993.7, false},
      {12, 4, 0, 1945.6, false},
      {4, 8, 0, 1548.1, false},
      {6, 8, 0, 2243.2, false},
      {8, 8, 0, 2182.2, false},
      {8, 8, 8, 2237.9, false},
      {9, 8, 8, 2092.1, false}}},
    {"box2d1",
     "f64",
     "clamp",
     {{8, 2, 0, 875.5, false},
      {10, 2, 0, 846.8, false},
      {4, 4, 0, 748.4, false},
      {6, 4, 0, 1009.4, false},
      {8, 4, 0, 1175.5, false},
      {8, 4, 8, 1139.3, false}}},
    {"star2d3",
     "f32",
     "clamp",
     {{3, 4, 0, 1111.9, false},
      {4, 4, 0, 1161.7, false},
      {5, 4, 0, 1066.7, false},
      {2, 8, 0, 805.1, false},
      {3, 8, 0, 1109.0, false},
      {4, 8, 8, 1244.5, false}}},
    {"star2d3",
     "f64",
     "clamp",
     {{3, 2, 0, 434.7, false},
      {4, 2, 0, 417.4, false},
      {3, 4, 8, 548.0, false},
      {4, 4, 8, 626.2, false}}},
    {"star2d4",
     "f32",
     "clamp",
     {{2, 4, 0, 831.9, false},
      {3, 4, 0, 907.8, false},
      {4, 4, 0, 816.7, false},
      {2, 8, 0, 785.2, false},
      {3, 8, 8, 984.9, false}}},
    {"star2d4",
     "f64",
     "clamp",
     {{2, 2, 0, 334.1, false},
      {3, 2, 0, 348.8, false},
      {4, 2, 0, 272.2, false},
      {2, 4, 8, 382.9, false}}},
    {"star2d1",
     "f32",
     "zero",
     {{10, 8, 0, 3205.8, false}, {11, 8, 8, 3475.8, false}, {12, 8, 8, 3582.4, true}}},
    {"star2d1",
     "f32",
     "periodic",
     {{10, 8, 0, 3106.8, false},
      {10, 8, 8, 3225.0, false},
      {11, 8, 8, 3331.2, false},
      {12, 8, 8, 3019.9, true}}},
    {"star2d1",
     "f32",
     "reflect",
     {{10, 8, 0, 3018.2, false}, {11, 8, 8, 3230.9, true}, {12, 8, 8, 2876.4, true}}},
    {"box2d1", "f32", "zero", {{10, 4, 0, 2076.6, false}}},
    {"box2d1", "f32", "periodic", {{10, 4, 0, 1992.7, false}, {8, 8, 0, 2324.9, false}}},
    {"star2d1",
     "f32",
     "fixed",
     {{12, 4, 0, 3000.5, false},
      {9, 8, 8, 2798.1, false},
      {10, 8, 0, 2819.3, true},
      {10, 8, 8, 2923.4, true},
      {11, 8, 8, 2682.1, true},
      {12, 8, 8, 2635.5, true}}},
    {"box2d1", "f32", "fixed", {{8, 8, 8, 2073.1, false}}},
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
    for (const Row& row : one.rows)
      if (!row.spills)
        errors.push_back(
            std::abs(std::log(forecast_of(stencil_of(one), row).rate * 1e-9 / row.rate)));
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

// All rows of all strips are stored once.
TEST(PlanFull, PartsAreTheGrid) {
  for (const int64_t strips : {1, 2, 3, 74})
    for (const int64_t rows : {1, 3, 17, 100, 1000, 16385})
      for (const int64_t places : {1, 5, 264, 1056})
        for (const st::MarchCost& cost : {st::MarchCost{24, 120, 135}, st::MarchCost{2, 0, 100}}) {
          const st::March march = st::march_of(strips, rows, places, cost);
          std::vector<std::vector<std::pair<int64_t, int64_t>>> chunks(strips);
          for (int64_t part = 0; part < march.parts() + 3; ++part) {
            int64_t strip = -1, first = -1, behind = -1;
            st::part_of<int64_t>(march, part, rows, strip, first, behind);
            ASSERT_LE(first, behind);
            if (part >= march.parts()) {
              ASSERT_EQ(first, behind);
            } else {
              chunks.at(strip).emplace_back(first, behind);
            }
          }
          for (auto& strip : chunks) {
            std::sort(strip.begin(), strip.end());
            int64_t next = 0;
            for (const auto& [first, behind] : strip) {
              if (first == behind) continue;
              ASSERT_EQ(first, next);
              next = behind;
            }
            ASSERT_EQ(next, rows) << strips << " strips, " << places << " places";
          }
        }
}

TEST(PlanFull, StripsAtTheRimHaveShorterChunks) {
  const st::March march = st::march_of(74, 16384, 1056, {24, 120, 135});
  EXPECT_LT(march.rim.rows, march.inner.rows);
  EXPECT_GT(march.inner.less, 50);
  EXPECT_LE(march.inner.less, 120);
  EXPECT_GT(march.parts(), 2 * 1056) << "several turns: the last one of a turn takes longer";
  EXPECT_LE(march.parts() % 1056 == 0 ? 0 : 1056 - march.parts() % 1056, 100)
      << "the last turn is nearly full";
  const st::March even = st::chunks_of(74, 16384, 432);
  EXPECT_EQ(even.inner.rows, 432);
  EXPECT_EQ(even.rim.rows, 432);
  EXPECT_EQ(even.parts(), 74 * 38);
}

}  // namespace
}  // namespace stencilc::plan
