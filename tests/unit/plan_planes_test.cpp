// The shape that is chosen for launches of several steps in space, beside what was measured.
#include <gtest/gtest.h>

#include "plan/model/one_step.h"
#include "plan/search/choose.h"
#include "plan/search/choose_steps.h"
#include "plan/temporal/streaming_partition.h"
#include "support/measured.h"
#include "support/planned.h"
#include "support/tables.h"

namespace stencilc::plan {
namespace {

using testing::Case;
using testing::error;
using testing::expect_below;
using testing::fastest;
using testing::gpu;
using testing::Row;

// 768 x 768 x 768 on an H200 (bench/results/2026-11-23-h200-blocks-apart.txt; f32 with `fixed`:
// 2026-11-25-h200-columns.txt there, part 13).
const std::vector<Case>& in_chunks() {
  static const std::vector<Case> all = testing::measured("warps rows steps chunk rate", R"(
    star3d1 f32 clamp    | 8 4 2 154 689.3 | 8 4 3 384 1067.2 | 8 4 4 154 1249.6 | 8 4 5 64 1329.1
                         | 8 4 5 110 1399.4 | 8 4 5 128 1367 | 8 4 5 192 1419 | 8 4 5 256 1303.9
                         | 16 2 2 154 783.3 | 16 2 3 384 1033.8 | 16 2 4 154 1164.8
                         | 12 3 3 110 1122.5 | 12 3 4 77 1282.7 | 12 3 4 128 1282.7
                         | 12 3 4 154 1296.6 | 12 3 4 192 1284.5 | 12 3 4 256 1205.4
                         | 8 3 5 128 1144.4 | 16 3 2 128 721.9 | 8 5 4 154 1265.7
                         | 8 5 4 192 1323.4 | 8 5 4 256 1272.1 | 8 5 4 110 1317.8
                         | 8 5 3 192 1045.1 | 8 6 3 192 1048.5 | 12 4 3 128 1082.1
                         | 12 4 3 192 1042.9 | 12 4 2 128 719.1 | 8 4 5 154 1389.8
                         | 8 5 4 128 1294.7
    star3d1 f32 fixed    | 8 4 5 192 1447.3 | 8 4 5 110 1444.5 | 12 3 4 154 1256
                         | 12 3 3 110 1012.6 | 8 4 4 154 1279 | 8 5 4 192 1253.5
                         | 12 4 3 128 941.9 | 8 4 5 256 1394.9
    star3d1 f32 periodic | 8 4 5 192 1348.1 | 12 3 4 154 1344.6 | 8 5 4 192 1328.7
                         | 8 4 4 154 1275.2 | 8 4 5 256 1237.6
    star3d1 f32 zero     | 8 4 5 192 1204.9 ! | 8 4 5 110 1197.3 ! | 12 3 4 154 1207.1
                         | 8 5 4 192 1221 ! | 8 4 4 154 1129.8 | 8 4 4 192 1078.2
    star3d1 f64 clamp    | 8 4 2 110 400.6 | 8 4 3 768 599.3 | 8 4 4 128 685.8 | 8 4 5 192 618.6
                         | 12 3 3 154 618.5 | 12 3 4 96 708.9 | 12 3 4 110 715 | 12 3 4 128 721.7
                         | 12 3 4 154 725.2 | 12 3 4 192 710.6 | 12 3 4 256 712.8 | 16 2 3 768 573
                         | 16 2 4 154 641 | 8 5 4 192 755.5 | 8 5 4 128 753.4 | 8 6 3 192 589.5
                         | 12 4 3 128 583.2 | 12 4 3 192 570.4 | 8 5 3 192 595.4 | 8 5 4 256 740.8
                         | 8 4 4 192 699.3
    star3d1 f64 fixed    | 12 3 4 128 698.4 | 12 3 4 192 697.6 | 8 5 4 192 695.3
                         | 12 4 3 128 576.8
    star3d1 f64 periodic | 12 3 4 192 698.7 | 8 5 4 192 739 | 8 4 4 192 688.5
    star3d1 f64 zero     | 12 3 4 192 667.4 | 8 5 4 192 713.1 | 8 4 4 192 677.6
    star3d2 f32 clamp    | 8 4 2 384 685 | 12 3 2 128 679.7 | 12 3 2 256 678.5 | 16 2 2 384 588.8
                         | 8 3 3 192 629.5 | 12 2 3 128 548.9 | 8 5 2 128 681.1 | 8 4 3 128 717.4
                         | 8 4 3 192 746.2 | 8 4 3 256 690.3 | 8 5 2 256 648.6 | 8 4 2 128 683.9
                         | 8 3 3 128 631.6
    star3d2 f32 fixed    | 12 3 2 256 628.7 | 8 4 2 192 646.2 | 8 4 3 192 729.2 | 8 5 2 128 652.7
    star3d2 f32 periodic | 12 3 2 128 707.6 | 8 4 3 192 746.5 | 8 5 2 128 703.2
    star3d2 f32 zero     | 12 3 2 128 605 | 8 4 3 192 615.3 !
    star3d2 f64 clamp    | 8 4 2 768 357.6 | 12 3 2 128 348 | 12 3 2 154 356.8 | 12 3 2 256 351.6
                         | 16 2 2 768 281.5 ! | 8 5 2 256 372.9 | 8 5 2 154 378.7
                         | 8 4 3 192 287.3 ! | 8 4 2 256 366.2
    star3d2 f64 fixed    | 12 3 2 154 373.8 | 8 5 2 256 315.5 ! | 8 4 3 192 271.8 !
    box3d1 f32 clamp     | 16 2 2 154 570.7 | 16 3 2 70 573.3 | 16 3 2 128 557.1 | 8 4 2 154 570
                         | 12 3 2 128 548.9 | 8 4 3 192 534.2 | 12 2 3 128 559.3 | 8 5 2 128 545.8
                         | 8 6 2 154 535.6 | 12 4 2 128 552.5 | 8 4 3 110 536.9
                         | 8 5 3 192 541.5 ! | 8 6 2 70 543.5
    box3d1 f32 fixed     | 16 3 2 70 618.7 | 8 4 2 154 598.1 | 8 4 3 192 572.3
    box3d1 f32 periodic  | 8 4 2 154 545.7 | 8 4 3 192 469.4
    box3d1 f32 zero      | 8 4 2 154 518.2
    box3d1 f64 clamp     | 8 4 2 154 331.8 | 12 3 2 128 334.5 | 12 3 2 256 327 | 16 2 2 154 334.9
                         | 8 4 3 192 329 | 8 5 2 154 324.5 | 8 6 2 192 324 | 8 4 3 154 328.9
                         | 8 4 4 192 281.7 ! | 8 5 3 192 305.9 !
    box3d1 f64 fixed     | 12 3 2 256 305.5 ! | 8 6 2 192 318.6
  )");
  return all;
}

// Columns and pieces that fill the card, grids of so many cells along each axis
// (bench/results/2026-11-25-h200-columns.txt, parts 1, 5, 6).
const std::vector<Case>& in_columns() {
  static const std::vector<Case> all = testing::measured("warps rows steps rate", R"(
    star3d1 f32 clamp 768    | 8 4 5 1628.1
    star3d1 f32 fixed 768    | 8 4 5 1585.1
    star3d1 f32 periodic 768 | 8 4 5 1487.0
    star3d1 f32 zero 768     | 8 4 5 1479.0
    star3d1 f32 clamp 512    | 8 4 5 1448.5
    star3d1 f32 clamp 256    | 8 4 5 929.2
    star3d1 f32 clamp 192    | 8 4 5 765.7
    star3d1 f64 clamp 768    | 8 5 4 785.1
    star3d1 f64 periodic 768 | 8 5 4 765.0
    star3d1 f64 zero 768     | 8 5 4 784.7
    star3d2 f32 clamp 768    | 8 4 3 839.5
    star3d2 f32 periodic 768 | 8 4 3 808.9
    star3d2 f32 fixed 768    | 8 4 3 806.5
    star3d2 f32 zero 768     | 8 4 3 814.5
    star3d2 f64 clamp 768    | 8 5 2 392.3
    star3d2 f64 periodic 768 | 8 5 2 411.9
  )");
  return all;
}

const std::string kBox =
    "sum(i in -1..1, j in -1..1, k in -1..1 : (0.01*(i + 3*j + 9*k) + 0.2)*u[x+i, y+j, z+k])";

// A star or a box, a type and a boundary.
ir::Stencil stencil_of(const Case& one) {
  const std::string& name = one.words.at(0);
  return testing::on("x, y, z",
                     "field " + one.words.at(1) + " u boundary " + one.words.at(2) + "; u[t+1] = " +
                         (name == "box3d1" ? kBox : testing::star(name.back() - '0', "xyz")) + ";");
}
Schedule schedule_of(const ir::Stencil& stencil, const Case& one, const Row& row) {
  return testing::scheduled(
      "coarsened,threads=32x" + std::to_string(row.warps) + ",vector=" +
          (one.words.at(1) == "f32" ? "4" : "2") + ",rows=" + std::to_string(row.rows) +
          (row.chunk == 0 ? ",chunks=full" : ",coarsen=z" + std::to_string(row.chunk)) +
          ",sums=scatter,shared=none,steps=" + std::to_string(row.steps),
      stencil);
}
std::vector<Forecast> forecasts(const Case& one) {
  const ir::Stencil stencil = stencil_of(one);
  std::array<int64_t, 3> extents = usual_extents(3);
  if (one.words.size() > 3) extents.fill(std::stol(one.words[3]));
  std::vector<Forecast> all;
  for (const Row& row : one.rows) {
    all.push_back(forecast(stencil, schedule_of(stencil, one, row), gpu(), extents));
    EXPECT_EQ(all.back().launches.at(0).steps, row.steps);
  }
  return all;
}

// In percent: of columns at the first and the last end of rows, and of those at the ends of planes.
TEST(PlanPlanes, ColumnsAtTheBoundaryTakeLonger) {
  Temporal temporal;
  temporal.left = 2;
  temporal.right = 1;
  testing::expect_rows(
      [&](const std::string& boundary) {
        const ir::Stencil stencil = testing::on(
            "x, y, z", "field f32 u boundary " + boundary + "; u[t+1] = u[x-2] + u[x+1];");
        const st::ColumnCost cost = column_cost(stencil, Schedule{}, temporal, 64);
        return std::to_string(cost.first) + " " + std::to_string(cost.last) + " " +
               std::to_string(cost.tile);
      },
      R"(
    none => 100 100 100
    periodic => 107 107 100
    clamp => 114 114 100
    zero => 142 121 100
    fixed => 120 120 140
    antireflect => 200 200 180
  )");
}

TEST(PlanPlanes, PredictsTheTimeOfALaunch) {
  expect_below(testing::errors_of(in_chunks(), forecasts), 90, 0.05, 0.12);
}

TEST(PlanPlanes, OfWhatWasMeasuredItTakesOneThatIsHardlySlowerThanTheFastest) {
  expect_below(testing::lost_by_forecast(in_chunks(), forecasts), in_chunks().size() - 1, 0.05);
}

// By the measured chunk that is nearest to 256 planes: columns and pieces, which are chosen, were
// timed less, and are below. Small grids go step by step.
TEST(PlanPlanes, WhatIsChosenIsAsFastAsWhatWasMeasured) {
  std::vector<double> lost;
  for (const Case& one : in_chunks()) {
    SCOPED_TRACE(one.name());
    const ir::Stencil stencil = stencil_of(one);
    const Schedules all = choose_all(stencil, Target::cuda, 2, gpu(), usual_extents(3));
    const Schedule& chosen = all.schedule;
    ASSERT_GT(chosen.steps, 1);
    EXPECT_TRUE(chosen.scatter);
    EXPECT_FALSE(forecast(stencil, chosen, gpu(), usual_extents(3)).spills);
    EXPECT_GT(all.least_cells, 1);
    const Row* nearest = nullptr;
    const auto away = [&](const Row& row) { return error(row.chunk, chosen.coarsen); };
    for (const Row& row : one.rows)
      if (row.steps == chosen.steps && row.rows == chosen.rows && row.warps == chosen.threads[1] &&
          (!nearest || away(row) < away(*nearest)))
        nearest = &row;
    if (!nearest) continue;  // not measured
    lost.push_back(1 - nearest->rate / fastest(one));
    EXPECT_LT(lost.back(), 0.15) << nearest->rate << " of " << fastest(one);
  }
  expect_below(lost, 8, 0.05);
}

TEST(PlanPlanes, ColumnsAndPiecesTakeAsLongAsWasMeasured) {
  std::vector<double> errors;
  for (const Case& one : in_columns()) {
    const double rate = forecasts(one).at(0).rate * 1e-9;
    errors.push_back(error(rate, one.rows[0].rate));
    EXPECT_LT(errors.back(), 0.12) << one.name() << ": " << rate;
  }
  expect_below(errors, 15, 0.06);
}

// Rows that are shorter than 32 vectors of 16 bytes are held by narrower ones.
TEST(PlanPlanes, ThinGridsAreStreamedWithNarrowVectors) {
  const ir::Stencil stencil = stencil_of(in_chunks()[0]);
  const Schedule chosen = choose(stencil, Target::cuda, 2, gpu(), {96, 512, 512});
  EXPECT_GT(chosen.steps, 1);
  EXPECT_TRUE(chosen.full);
  EXPECT_EQ(chosen.vector, 2);
}

TEST(PlanPlanes, WhatGhostCellsAreMadeOfCosts) {
  for (const Case& one : testing::measured("warps rows steps chunk rate", R"(
    star3d1 f32 antireflect | 8 4 5 192 600.7
    star3d1 f32 reflect     | 8 4 5 192 1205.4
  )"))
    EXPECT_NEAR(forecasts(one).at(0).rate * 1e-9, one.rows[0].rate,
                one.words[2] == "reflect" ? 180 : 120)
        << one.name();
}

}  // namespace
}  // namespace stencilc::plan
