// Launches of several steps with divisions, roots and narrow types, and of cells held as bits: what
// the model says of them, and what is chosen, beside what was measured.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <regex>
#include <sstream>

#include "plan/choose.h"
#include "plan/degree.h"
#include "plan/march.h"
#include "plan/model.h"
#include "support/analysed.h"
#include "support/measured.h"

namespace stencilc::plan {
namespace {

using testing::fastest;
using testing::median;
using testing::quantile;

struct Row {
  int steps, vector, chunk;  // of no rows: chunks fill the card
  double rate;               // GCells/s
};
struct Case {
  const char *file, *type, *boundary;  // empty: as the file has it
  int64_t extent;
  double one;  // what one step a launch made
  std::vector<Row> rows;
  bool older = false;  // measured when divisions did not run side by side
};

// On an H200 (2026-11-23-h200-steps-of-more.txt and 2026-11-23-h200-marches.txt in bench/results);
// of life without the first step of a run, which is taken alone.
const Case kMeasured[] = {
    {"examples/life",
     "",
     "",
     32768,
     999.8,
     {{4, 32, 270, 5787.0},
      {8, 32, 136, 11566.0},
      {8, 32, 270, 10952.0},
      {8, 32, 547, 11592.0},
      {12, 32, 270, 13685.0},
      {16, 32, 136, 15043.0},
      {16, 32, 270, 14097.0},
      {16, 32, 547, 15357.0},
      {24, 32, 270, 15087.0}}},
    {"examples/life",
     "",
     "",
     16384,
     954.9,
     {{4, 32, 270, 5532.0},
      {8, 32, 136, 9210.0},
      {8, 32, 270, 7720.0},
      {8, 32, 68, 9843.0},
      {12, 32, 270, 8831.0},
      {16, 32, 136, 10929.0},
      {16, 32, 270, 9210.0},
      {16, 32, 68, 10929.0},
      {24, 32, 270, 9919.0}}},
    {"bench/temporal/gradient2d",
     "f32",
     "clamp",
     16384,
     497.2,
     {{2, 4, 0, 786.9},
      {3, 4, 0, 993.4},
      {4, 4, 0, 991.5},
      {5, 4, 0, 929.8},
      {6, 4, 0, 899.7},
      {8, 4, 0, 799.7},
      {2, 8, 0, 779.8},
      {3, 8, 0, 949.7},
      {4, 8, 0, 890.6},
      {4, 2, 0, 836.9},
      {6, 2, 0, 791.1}}},
    {"bench/temporal/gradient2d",
     "f64",
     "clamp",
     16384,
     222.5,
     {{2, 2, 0, 368.5},
      {3, 2, 0, 403.4},
      {4, 2, 0, 403.3},
      {6, 2, 0, 342.8},
      {2, 4, 0, 387.8},
      {3, 4, 0, 449.5},
      {4, 4, 0, 411.5}}},
    {"bench/temporal/gradient2d", "f32", "periodic", 16384, 496.3, {{4, 4, 0, 927.2}}},
    {"examples/burgers2d",
     "f32",
     "",
     16384,
     205.7,
     {{2, 4, 0, 277.5}, {3, 4, 0, 257.1}, {4, 4, 0, 224.4}, {3, 2, 0, 244.7}, {2, 8, 0, 230.0}}},
    {"examples/hotspot", "f32", "", 16384, 358.6, {{6, 4, 0, 1634.6}, {8, 4, 0, 1746.0}}},
    {"examples/shallow_water", "", "", 8192, 37.5, {{2, 2, 278, 41.4}, {3, 2, 278, 37.0}}, true},
    {"examples/phase_field", "", "", 8192, 41.7, {{2, 2, 278, 22.8}}, true},
    {"examples/lattice_boltzmann",
     "",
     "",
     8192,
     55.1,
     {{2, 2, 278, 19.4}, {2, 4, 278, 9.0}, {3, 2, 278, 17.0}},
     true},
    {"bench/one-step/box2d1_u8",
     "",
     "",
     32768,
     1388.6,
     {{2, 4, 278, 1182.0},
      {4, 4, 278, 1358.5},
      {2, 8, 278, 1330.2},
      {4, 8, 278, 1418.8},
      {2, 16, 278, 1439.0}}},
};

const Device& h200() { return *find_device("sm_90"); }

ir::Stencil stencil_of(const Case& one) {
  std::ifstream file(std::string(STENCILC_SOURCE_DIR) + "/" + one.file + ".stn");
  std::stringstream text;
  text << file.rdbuf();
  std::string program = text.str();
  const std::string type = one.type, boundary = one.boundary;
  if (!type.empty()) program = std::regex_replace(program, std::regex("\\bf32\\b"), type);
  if (!boundary.empty())
    program = std::regex_replace(program, std::regex("boundary clamp"), "boundary " + boundary);
  return testing::canonical(program);
}

std::array<int64_t, 3> extents_of(const Case& one) { return {one.extent, one.extent, 1}; }

Forecast forecast_of(const ir::Stencil& stencil, const Case& one, const Row& row) {
  const bool sums = std::string(one.file).find("box2d1") != std::string::npos;
  const Choice choice =
      parse("coarsened,threads=32x1,vector=" + std::to_string(row.vector) +
                (row.chunk == 0 ? ",chunks=full" : ",coarsen=y" + std::to_string(row.chunk)) +
                (sums ? ",sums=scatter" : "") + ",steps=" + std::to_string(row.steps),
            stencil, Target::cuda, h200());
  EXPECT_EQ(choice.problem, "");
  return forecast(stencil, choice.schedule, h200(), extents_of(one));
}

// Are several steps weighed? Of others the model says nothing.
bool weighed(const ir::Stencil& stencil, const Case& one) {
  Schedule single = columns(2);
  single.stages = stages(stencil, Fusion::best, true);
  return degree(stencil, single, h200(), extents_of(one)).why_one.empty();
}

TEST(PlanStepsOfMore, PredictsTheTimeOfALaunch) {
  std::vector<double> errors;
  for (const Case& one : kMeasured) {
    const ir::Stencil stencil = stencil_of(one);
    if (one.older || !weighed(stencil, one)) continue;
    for (const Row& row : one.rows) {
      const Forecast seen = forecast_of(stencil, one, row);
      ASSERT_EQ(seen.launches.at(0).steps, row.steps);
      if (!seen.spills) errors.push_back(std::abs(std::log(seen.rate * 1e-9 / row.rate)));
    }
  }
  ASSERT_GT(errors.size(), 45U);
  EXPECT_LT(median(errors), 0.08);
  EXPECT_LT(quantile(errors, 0.9), 0.2);
  RecordProperty("kernels", std::to_string(errors.size()));
  RecordProperty("median", std::to_string(median(errors)));
  RecordProperty("nine_of_ten", std::to_string(quantile(errors, 0.9)));
}

// By the measured chunk that is nearest to the chosen one.
TEST(PlanStepsOfMore, WhatIsChosenIsAsFastAsWhatWasMeasured) {
  std::vector<double> lost;
  for (const Case& one : kMeasured) {
    SCOPED_TRACE(std::string(one.file) + " " + one.type + " " + one.boundary);
    const Schedule chosen = choose(stencil_of(one), Target::cuda, 2, h200(), extents_of(one));
    const Row* nearest = nullptr;
    double rows = chosen.coarsen;
    if (chosen.full) {
      const ir::Stencil stencil = stencil_of(one);
      const Forecast seen = forecast(stencil, chosen, h200(), extents_of(one));
      const int places = card_for(h200()).multiprocessors * seen.launches.at(0).warps;
      rows = static_cast<double>(
          march_of(stencil, chosen, temporal(stencil, chosen), extents_of(one), places).inner.rows);
    }
    const auto away = [&](const Row& row) {
      return row.chunk == 0 ? 0 : std::abs(std::log(row.chunk / rows));
    };
    for (const Row& row : one.rows)
      if (row.steps == chosen.steps && row.vector == chosen.vector &&
          (!nearest || away(row) < away(*nearest)))
        nearest = &row;
    if (chosen.steps > 1 && !nearest) continue;  // not measured
    const double taken = nearest ? nearest->rate : one.one;
    lost.push_back(1 - taken / std::max(one.one, fastest(one)));
    EXPECT_LT(lost.back(), 0.15) << print(chosen, stencil_of(one)) << ": " << taken;
  }
  EXPECT_GE(lost.size(), 8U);
  EXPECT_LT(median(lost), 0.05);
  RecordProperty("cases", std::to_string(lost.size()));
  RecordProperty("median", std::to_string(median(lost)));
}

}  // namespace
}  // namespace stencilc::plan
