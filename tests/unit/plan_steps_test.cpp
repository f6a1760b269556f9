// Launches of several steps by warps that stream in the plane: what the model says of them, and
// which are chosen, beside what was measured.
#include <gtest/gtest.h>

#include "plan/model/one_step.h"
#include "plan/search/choose.h"
#include "plan/search/choose_steps.h"
#include "plan/search/plan.h"
#include "plan/temporal/streaming_partition.h"
#include "support/measured.h"
#include "support/planned.h"

namespace stencilc::plan {
namespace {

using testing::Case;
using testing::error;
using testing::expect_below;
using testing::fastest;
using testing::gpu;
using testing::on;
using testing::Row;
using testing::scheduled;
using Numbers = std::vector<double>;

// 16384 x 16384 on an H200, all in one run
// (bench/results/2026-11-23-h200-inside.txt).
const std::vector<Case>& in_chunks() {
  static const std::vector<Case> all = testing::measured("steps vector chunk rate", R"(
    box2d1 f32 clamp     | 8 4 270 2230.8 | 8 4 547 2104.1 | 8 8 270 2412.6 | 8 8 547 2303.9
                         | 10 4 270 2090 | 10 4 547 2202.8
    box2d1 f64 clamp     | 8 2 270 977.2 | 8 2 547 982.6 | 6 4 270 1067.6 | 6 4 547 1024.3
                         | 6 4 1100 912.2 | 8 4 270 1161.1 | 8 4 547 1136.7 | 8 4 1100 1062.5
    star2d1 f32 clamp    | 10 8 256 3504.8 | 10 8 391 3448.7 | 12 4 253 3150.1 | 12 4 382 3310.6
                         | 12 4 512 3272.4 | 12 8 193 2963.1 | 12 8 288 2939.2 | 12 8 391 3018.9
                         | 12 8 586 2941.5
    star2d1 f32 fixed    | 10 8 256 2596 | 10 8 391 2278.5 | 12 4 253 2934.3 | 12 4 382 2548
                         | 12 4 512 2293.6 | 12 8 193 2452 | 12 8 288 2524.3 | 12 8 391 2103.1
                         | 12 8 586 1674.9
    star2d1 f32 periodic | 10 8 256 3414.6 | 10 8 391 3342.6 | 12 4 253 3173 | 12 4 382 3304.8
                         | 12 4 512 3199.7 | 12 8 193 2929.9 | 12 8 288 2897.3 | 12 8 391 2887.1
                         | 12 8 586 2878.3
    star2d1 f32 zero     | 10 8 256 3363.2 | 10 8 391 3263.7 | 12 4 253 3271 | 12 4 382 3367.2
                         | 12 4 512 3212.3 | 12 8 193 3014 | 12 8 288 3007.4 | 12 8 391 2962.5
                         | 12 8 586 2933.5
    star2d1 f64 clamp    | 8 4 270 1582.2 | 8 4 547 1424.6 | 10 2 316 1380.8 | 10 2 631 1368.7
                         | 10 4 270 1679 | 10 4 391 1564.5 | 10 4 547 1609.2 | 10 4 1100 1359
    star2d1 f64 fixed    | 10 4 270 1619.9 | 10 4 391 1620.4 | 10 4 547 1561.5 | 10 4 1100 1548.1
    star2d1 f64 periodic | 8 4 270 1471 | 8 4 547 1552 | 10 2 316 1428.1 | 10 2 631 1371.2
                         | 10 4 270 1592.7 | 10 4 547 1547.1 | 10 4 1100 1625.7
    star2d1 f64 zero     | 10 4 270 1700.7 | 10 4 547 1616.2 | 10 4 1100 1447.2
    star2d2 f32 clamp    | 5 4 270 1679 | 5 4 547 1617.3 | 6 4 270 1725.4 | 6 4 547 1723.9
                         | 6 8 270 1922.4 | 6 8 547 1647
    star2d2 f64 clamp    | 3 4 270 567.9 | 3 4 547 557.6 | 4 2 270 750.1 | 4 2 547 739.3
                         | 4 4 270 755.2 | 4 4 547 751.4 | 4 4 1100 708.8 | 5 4 270 873.2
                         | 5 4 547 863.8 | 5 4 1100 776.1
    star2d4 f32 clamp    | 3 4 270 897.2 | 3 4 547 906.9 | 3 8 270 940.2 | 3 8 547 843.7
    star2d4 f64 clamp    | 2 2 270 345 | 2 2 547 346.1 | 2 4 270 390.3 | 2 4 547 385.8
                         | 2 4 1100 347 | 3 4 270 494 | 3 4 547 524.2 | 3 4 1100 473.4
  )");
  return all;
}

// The same in chunks that fill the card (bench/results/2026-11-24-h200-every-place.txt).
const std::vector<Case>& in_full_chunks() {
  static const std::vector<Case> all = testing::measured("steps vector resident rate", R"(
    star2d1 f32 clamp    | 8 4 0 3274.1 | 12 4 0 3470.9 | 6 8 0 2121.4 | 8 8 0 2879
                         | 10 8 8 3804.5 | 11 8 8 3858.3 | 12 8 8 3092.8 !
    star2d1 f64 clamp    | 10 2 0 1432 | 6 4 0 1094.3 | 8 4 0 1577.1 | 10 4 8 1767.1
                         | 11 4 8 1843.1 | 12 4 8 1328 !
    star2d2 f32 clamp    | 6 4 0 1850.2 | 4 8 0 1611.4 | 5 8 8 1929.8 | 6 8 8 2196.3
    star2d2 f64 clamp    | 6 2 0 686.9 | 4 4 0 806.7 | 5 4 8 915.3 | 6 4 8 1000
    box2d1 f32 clamp     | 8 4 0 2308.3 | 6 8 0 2313.6 | 8 8 8 2533.6
    box2d1 f64 clamp     | 6 4 0 1134.1 | 8 4 8 1245.4
    star2d3 f32 clamp    | 4 4 0 1276.4 | 3 8 0 1187.9 | 4 8 8 1467.1
    star2d3 f64 clamp    | 3 2 0 463.1 | 3 4 8 570.9 | 4 4 8 658.7
    star2d4 f32 clamp    | 3 4 0 965.4 | 2 8 0 830.7 | 3 8 8 1091.3
    star2d4 f64 clamp    | 2 4 8 403.7 | 3 4 8 504.3
    star2d1 f32 fixed    | 8 4 0 3276 | 12 4 0 3439.7 | 10 8 8 3694.7 | 11 8 8 3540.7
    star2d1 f32 periodic | 10 8 8 3828.6 | 8 8 0 2901.1 | 11 8 8 3788.2
    star2d1 f32 zero     | 11 8 8 3858.7
    box2d1 f32 periodic  | 8 8 0 2627.2 | 8 8 8 2613.1
    box2d1 f32 fixed     | 8 8 8 2466.9
  )");
  return all;
}

// Divisions, roots, narrow types, and cells held as bits, of files with their own type and boundary
// or others; then come the extent, and what one step per launch made
// (2026-11-23-h200-steps-of-more.txt and 2026-11-23-h200-streams.txt in bench/results); of life
// without the first step of a run, which is taken alone; `older`: when divisions did not run side
// by side. Of no rows: chunks fill the card.
const std::vector<Case>& of_more() {
  static const std::vector<Case> all = testing::measured("steps vector chunk rate", R"(
    examples/life - - 32768 999.8
      | 4 32 270 5787 | 8 32 136 11566 | 8 32 270 10952 | 8 32 547 11592 | 12 32 270 13685
      | 16 32 136 15043 | 16 32 270 14097 | 16 32 547 15357 | 24 32 270 15087
    examples/life - - 16384 954.9
      | 4 32 270 5532 | 8 32 136 9210 | 8 32 270 7720 | 8 32 68 9843 | 12 32 270 8831
      | 16 32 136 10929 | 16 32 270 9210 | 16 32 68 10929 | 24 32 270 9919
    bench/temporal/gradient2d f32 clamp 16384 497.2
      | 2 4 0 786.9 | 3 4 0 993.4 | 4 4 0 991.5 | 5 4 0 929.8 | 6 4 0 899.7 | 8 4 0 799.7
      | 2 8 0 779.8 | 3 8 0 949.7 | 4 8 0 890.6 | 4 2 0 836.9 | 6 2 0 791.1
    bench/temporal/gradient2d f64 clamp 16384 222.5
      | 2 2 0 368.5 | 3 2 0 403.4 | 4 2 0 403.3 | 6 2 0 342.8 | 2 4 0 387.8 | 3 4 0 449.5
      | 4 4 0 411.5
    bench/temporal/gradient2d f32 periodic 16384 496.3
      | 4 4 0 927.2
    examples/burgers2d f32 - 16384 205.7
      | 2 4 0 277.5 | 3 4 0 257.1 | 4 4 0 224.4 | 3 2 0 244.7 | 2 8 0 230
    examples/hotspot f32 - 16384 358.6
      | 6 4 0 1634.6 | 8 4 0 1746
    examples/shallow_water - - 8192 37.5 older
      | 2 2 278 41.4 | 3 2 278 37
    examples/phase_field - - 8192 41.7 older
      | 2 2 278 22.8
    examples/lattice_boltzmann - - 8192 55.1 older
      | 2 2 278 19.4 | 2 4 278 9 | 3 2 278 17
    bench/one-step/box2d1_u8 - - 32768 1388.6
      | 2 4 278 1182 | 4 4 278 1358.5 | 2 8 278 1330.2 | 4 8 278 1418.8 | 2 16 278 1439
  )");
  return all;
}

const std::string kBox = "0.1*sum(i in -1..1, j in -1..1 : u[x+i, y+j])";
std::string star(int radius) { return testing::star(radius, "xy"); }

ir::Stencil stencil_of(const std::string& type, const std::string& boundary,
                       const std::string& value) {
  return on("x, y", "field " + type + " u boundary " + boundary + "; u[t+1] = " + value + ";");
}
// A star or a box, a type and a boundary.
ir::Stencil stencil_of(const Case& one) {
  const std::string& name = one.words.at(0);
  return stencil_of(one.words.at(1), one.words.at(2),
                    name == "box2d1" ? kBox : star(name.back() - '0'));
}
Schedule schedule_of(const ir::Stencil& stencil, const Row& row, bool sums = true) {
  return scheduled(
      "coarsened,threads=32x1,vector=" + std::to_string(row.vector) +
          (row.chunk == 0 ? ",chunks=full" : ",coarsen=y" + std::to_string(row.chunk)) +
          (sums ? ",sums=scatter" : "") + ",steps=" + std::to_string(row.steps) +
          (row.resident > 0 ? ",resident=" + std::to_string(row.resident) : ""),
      stencil);
}
Forecast forecast_of(const ir::Stencil& stencil, const Schedule& schedule) {
  return forecast(stencil, schedule, gpu(), usual_extents(2));
}
std::vector<Forecast> forecasts(const Case& one) {
  const ir::Stencil stencil = stencil_of(one);
  std::vector<Forecast> all;
  for (const Row& row : one.rows) {
    all.push_back(forecast_of(stencil, schedule_of(stencil, row)));
    EXPECT_EQ(all.back().launches.at(0).steps, row.steps);
  }
  return all;
}
Schedule chosen_for(const ir::Stencil& stencil) { return choose(stencil, Target::cuda, 2, gpu()); }

TEST(PlanSteps, PredictsTheTimeOfALaunch) {
  expect_below(testing::errors_of(in_chunks(), forecasts), 50, 0.05, 0.16);
}

// The wave equation, which is read at two time levels
// (bench/results/2026-11-23-h200-inside.txt; other boundaries and f64:
// 2026-11-22-h200-two-levels.txt).
TEST(PlanSteps, PredictsFieldsThatAreReadAtTwoLevels) {
  struct {
    const char *type, *boundary;
    int steps, vector, chunk;
    double rate;
    int registers;
  } const measured[] = {
      {"f32", "clamp", 4, 4, 256, 829.5, 112},   {"f32", "clamp", 6, 4, 256, 1351.2, 136},
      {"f32", "clamp", 8, 4, 256, 1637.9, 174},  {"f32", "clamp", 8, 4, 512, 1648.0, 174},
      {"f32", "clamp", 12, 4, 656, 2122.2, 233}, {"f32", "fixed", 8, 4, 256, 1583.3, 152},
      {"f32", "zero", 8, 4, 256, 1572.2, 158},   {"f32", "fixed", 12, 4, 656, 1798.9, 205},
      {"f64", "clamp", 6, 2, 256, 533.4, 128},   {"f64", "clamp", 4, 4, 256, 382.6, 156},
  };
  const std::string wave = "2*u - u[t-1] + 0.2*laplacian(u)";
  for (const auto& one : measured) {
    const ir::Stencil stencil = stencil_of(one.type, one.boundary, wave);
    Row row;
    row.steps = one.steps, row.vector = one.vector, row.chunk = one.chunk;
    const Forecast seen = forecast_of(stencil, schedule_of(stencil, row));
    EXPECT_FALSE(seen.spills);
    EXPECT_LT(error(seen.rate * 1e-9, one.rate), 0.18) << one.rate << " and " << seen.rate;
    EXPECT_LT(std::abs(seen.launches.at(0).registers - one.registers), 45) << one.rate;
  }
  const Schedule chosen = chosen_for(stencil_of("f32", "clamp", wave));
  EXPECT_EQ(chosen.steps, 12) << "the fastest of those measured";
  EXPECT_EQ(chosen.vector, 4);
}

TEST(PlanSteps, OfWhatWasMeasuredItTakesOneThatIsHardlySlowerThanTheFastest) {
  expect_below(testing::lost_by_forecast(in_chunks(), forecasts), in_chunks().size() - 2, 0.05);
}

TEST(PlanSteps, RegistersAreRequestedWherePtxasWouldSpill) {
  const ir::Stencil wide = stencil_of("f64", "clamp", star(1));
  const Schedule chosen = chosen_for(wide);
  EXPECT_EQ(chosen.resident, 8);
  const Forecast seen = forecast_of(wide, chosen);
  EXPECT_GT(seen.launches.at(0).registers, 168);
  EXPECT_FALSE(seen.spills);
  Schedule deeper = chosen;
  deeper.steps = 16;
  EXPECT_TRUE(forecast_of(wide, deeper).spills);
  // Cells that stay take none where they pass through the sums.
  EXPECT_EQ(chosen_for(stencil_of("f32", "fixed", star(1))).resident, 8);
}

TEST(PlanSteps, TheFartherAStepReadsTheFewerAreTaken) {
  for (const char* type : {"f32", "f64"})
    for (int radius = 1, more = 100; radius <= 4; ++radius) {
      const int steps = chosen_for(stencil_of(type, "clamp", star(radius))).steps;
      EXPECT_LT(steps, more) << type << ", radius " << radius;
      more = steps;
    }
}

// No tile of seven fields of f64 fits the shared memory of these, and one step is predicted to
// spill.
TEST(PlanSteps, WhatNoBlockHasRoomForIsNotTakenWhateverOneStepCosts) {
  const ir::Stencil stencil = testing::canonical(testing::content("tests/run/hard/grains.stn"));
  for (const std::string arch : {"sm_75", "sm_80"}) {
    const Schedule chosen = choose(stencil, Target::cuda, 2, testing::gpu(arch));
    EXPECT_EQ(chosen.steps, 1) << arch << ": " << print(chosen, stencil);
  }
}

TEST(PlanSteps, OneStepIsTakenWhereSeveralAreNotPossibleOrNotKnownToWin) {
  const auto why = [](const std::string& items) {
    const ir::Stencil stencil = on("x, y", items);
    const Schedule chosen = chosen_for(stencil);
    EXPECT_EQ(chosen.steps, 1);
    return choose_steps(stencil, chosen, gpu(), usual_extents(2)).why_one;
  };
  testing::expect_rows(why, R"(
    field f32 u boundary clamp; u[t+1] = u[x-1] + u[t-2];  => `u` is read at 3 time levels
    field f32 u boundary clamp; u[t+1] = 2*u;              => a step reads no neighbouring cells
    field f32 u boundary clamp; let g = 1 / (1 + u*u); u[t+1] = g[x-1] + g[y+1];
      => the performance model does not cover several steps per launch with divisions, roots or transcendental functions that neighbouring cells share
    field u8 u boundary clamp; u[t+1] = max(u[x-1], u[y+1]);
      => the performance model does not cover several steps per launch with integers of fewer than 4 bytes that cannot be packed into bits
    field f32 u boundary clamp; u[t+1] = u[x-1] where u > 0;
      => the performance model does not cover several steps per launch with updates under a mask
    field f32 u boundary clamp; points at; series f32 p(at); u[t+1] = u[x-1] / (1 + u*u); inject u[t+1] += p[t] at at;
      => the performance model does not cover several steps per launch with divisions, roots or transcendental functions
  )");
}

TEST(PlanSteps, OnSmallGridsBlocksHoldResidentTiles) {
  const ir::Stencil near = stencil_of("f32", "clamp", star(1));
  for (const int64_t n : {192, 256, 512, 1024, 2048}) {
    const Schedules small = choose_all(near, Target::cuda, 2, gpu(), {n, n, 1});
    EXPECT_GT(small.schedule.steps, 1) << n;
    EXPECT_TRUE(is_resident_tile(small.schedule)) << n;
    EXPECT_TRUE(small.smaller.empty());
  }
  const Schedules usual = choose_all(near, Target::cuda, 2, gpu(), usual_extents(2));
  EXPECT_FALSE(is_resident_tile(usual.schedule)) << "streams have fewer cells twice";
  ASSERT_EQ(usual.smaller.size(), 1u) << "the same file serves small grids, too";
  EXPECT_TRUE(is_resident_tile(usual.smaller[0]));
  EXPECT_TRUE(usual.schedule.full);
  EXPECT_GT(usual.least_cells, 1024 * 1024) << "on fewer tiles are faster";
  EXPECT_LT(usual.least_cells, 8192 * 8192);
}

TEST(PlanSteps, WhatIsLeftOfARunIsTakenByTheShapeForOneStep) {
  const ir::Stencil near = stencil_of("f32", "clamp", star(1));
  const Schedule chosen = chosen_for(near);
  const Schedule single = make_plan(near, chosen, Target::cuda, gpu()).single;
  const Schedule alone = scheduled("coarsened", near);
  EXPECT_EQ(alone.steps, 1) << "the preset takes one step per launch";
  EXPECT_EQ(print(single, near), print(alone, near));
}

TEST(PlanSteps, TheCpuTakesOneStep) {
  EXPECT_EQ(choose(stencil_of("f32", "clamp", star(1)), Target::cpu, 2).steps, 1);
}

TEST(PlanFull, PredictsTheTimeOfALaunch) {
  expect_below(testing::errors_of(in_full_chunks(), forecasts, true), 40, 0.06, 0.11);
}

TEST(PlanFull, WhatIsChosenIsAsFastAsWhatWasMeasured) {
  Numbers lost;
  for (const Case& one : in_full_chunks()) {
    SCOPED_TRACE(one.name());
    const Schedule chosen = chosen_for(stencil_of(one));
    EXPECT_EQ(chosen.threads, (std::array{32, 1, 1}));
    EXPECT_TRUE(chosen.scatter && chosen.full);
    for (const Row& row : one.rows) {  // one of them, or it was not measured
      if (row.steps != chosen.steps || row.vector != chosen.vector ||
          row.resident != chosen.resident)
        continue;
      lost.push_back(1 - row.rate / fastest(one));
      EXPECT_LT(lost.back(), 0.15) << row.rate << " of " << fastest(one);
    }
  }
  expect_below(lost, 5, 0.05);
}

// The last tile ends with a vector, whatever rows have: it takes as long as the first.
TEST(PlanFull, VectorsThatDoNotFillRowsMakeNoTileLonger) {
  const auto costs = [](const std::string& field) {
    const ir::Stencil stencil = on("x, y", "field " + field +
                                               "; u[t+1] = 0.2*u[x-1] + 0.3*u[x+1] + 0.1*u[y-1] + "
                                               "0.2*u[y+1];");
    const Schedule schedule =
        scheduled("coarsened,threads=32x1,vector=8,chunks=full,sums=scatter,steps=8", stencil);
    return partition_costs(stencil, temporal(stencil, schedule));
  };
  for (const std::string boundary : {"clamp", "zero", "periodic", "fixed", "reflect"}) {
    const PartitionCosts of = costs("f32 u boundary " + boundary);
    EXPECT_EQ(of.ragged.boundary, of.filled.boundary) << boundary;
    EXPECT_EQ(of.ragged.beside, of.filled.beside) << boundary;
    EXPECT_EQ(of.ragged.ends, of.filled.ends) << boundary;
  }
  // Of halves a lane waits for each row that it loads cell by cell.
  const PartitionCosts halves = costs("f16 u compute f32 boundary clamp");
  EXPECT_GT(halves.ragged.boundary, halves.filled.boundary);
}

ir::Stencil program_of(const Case& one) {
  std::string program = testing::content(one.words.at(0) + ".stn");
  if (one.words.at(1) != "-") program = testing::replaced(program, "f32", one.words[1]);
  if (one.words.at(2) != "-")
    program = testing::replaced(program, "boundary clamp", "boundary " + one.words[2]);
  return testing::canonical(program);
}
std::array<int64_t, 3> extents_of(const Case& one) {
  const int64_t extent = std::stol(one.words.at(3));
  return {extent, extent, 1};
}

// Are several steps weighed? Of others the model says nothing.
bool weighed(const ir::Stencil& stencil, const Case& one) {
  return choose_steps(stencil, columns(2), gpu(), extents_of(one)).why_one.empty();
}

TEST(PlanStepsOfMore, PredictsTheTimeOfALaunch) {
  const auto seen = [](const Case& one) {
    const ir::Stencil stencil = program_of(one);
    std::vector<Forecast> all;
    if (one.words.back() == "older" || !weighed(stencil, one)) return all;
    const bool sums = one.words[0].find("box2d1") != std::string::npos;
    for (const Row& row : one.rows) {
      all.push_back(forecast(stencil, schedule_of(stencil, row, sums), gpu(), extents_of(one)));
      EXPECT_EQ(all.back().launches.at(0).steps, row.steps);
    }
    return all;
  };
  expect_below(testing::errors_of(of_more(), seen), 45, 0.08, 0.2);
}

// By the measured chunk that is nearest to the chosen one.
TEST(PlanStepsOfMore, WhatIsChosenIsAsFastAsWhatWasMeasured) {
  Numbers lost;
  for (const Case& one : of_more()) {
    SCOPED_TRACE(one.name());
    const ir::Stencil stencil = program_of(one);
    const Schedule chosen = choose(stencil, Target::cuda, 2, gpu(), extents_of(one));
    double rows = chosen.coarsen;
    if (chosen.full) {
      const Forecast seen = forecast(stencil, chosen, gpu(), extents_of(one));
      const int places = card_for(gpu()).multiprocessors * seen.launches.at(0).warps;
      rows = static_cast<double>(partition_of(stencil, chosen, temporal(stencil, chosen),
                                              extents_of(one), places,
                                              4 * card_for(gpu()).multiprocessors)
                                     .inner.rows);
    }
    const auto away = [&](const Row& row) { return row.chunk == 0 ? 0 : error(row.chunk, rows); };
    const Row* nearest = nullptr;
    for (const Row& row : one.rows)
      if (row.steps == chosen.steps && row.vector == chosen.vector &&
          (!nearest || away(row) < away(*nearest)))
        nearest = &row;
    if (chosen.steps > 1 && !nearest) continue;  // not measured
    const double single = std::stod(one.words.at(4)), taken = nearest ? nearest->rate : single;
    lost.push_back(1 - taken / std::max(single, fastest(one)));
    EXPECT_LT(lost.back(), 0.15) << print(chosen, stencil) << ": " << taken;
  }
  expect_below(lost, 7, 0.05);
}

}  // namespace
}  // namespace stencilc::plan
