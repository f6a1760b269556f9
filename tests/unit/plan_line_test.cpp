// Warps that hold strips of the only axis: what the model says of them, and what is chosen, beside
// what was measured.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <vector>

#include "plan/degree.h"
#include "plan/model.h"
#include "plan/temporal.h"
#include "support/analysed.h"
#include "support/measured.h"

namespace stencilc::plan {
namespace {

struct Row {
  int vector, steps;
  double rate;  // GCells/s
};
struct Case {
  const char *file, *type;  // empty: as the file has it
  int64_t extent;
  double one;  // what one step a launch made
  std::vector<Row> rows;
};

// On an H200 (bench/results/2026-11-23-h200-line.txt).
const Case kMeasured[] = {
    {"bench/temporal/line1",
     "",
     268435456,
     532.7,
     {{8, 4, 1567.6},
      {8, 8, 3170.3},
      {8, 16, 5741.7},
      {8, 32, 6206.1},
      {4, 16, 2411.6},
      {16, 16, 6795.0},
      {16, 32, 8136.0}}},
    {"bench/temporal/line1",
     "",
     4194304,
     647.6,
     {{8, 16, 5157.0}, {8, 32, 6010.1}, {4, 32, 3237.4}, {4, 16, 2410.4}}},
    {"bench/temporal/line1",
     "f64",
     134217728,
     266.4,
     {{4, 16, 2486.4}, {8, 16, 3576.5}, {8, 32, 3741.1}, {4, 8, 1480.3}, {16, 32, 4181.5}}},
    {"bench/temporal/line2",
     "",
     268435456,
     532.2,
     {{8, 8, 2937.0}, {8, 16, 3359.1}, {16, 16, 4638.4}, {16, 32, 4456.7}, {4, 8, 1210.7}}},
    {"examples/advection",
     "",
     134217728,
     266.7,
     {{4, 8, 1480.5}, {8, 16, 3449.8}, {8, 32, 3284.1}}},
};

const Device& h200() { return *find_device("sm_90"); }

ir::Stencil stencil_of(const Case& one) {
  std::ifstream file(std::string(STENCILC_SOURCE_DIR "/") + one.file + ".stn");
  std::stringstream text;
  text << file.rdbuf();
  std::string source = text.str();
  if (*one.type) source.replace(source.find("f32"), 3, one.type);
  return testing::canonical(source);
}

std::string text_of(const Row& row) {
  return "coarsened,threads=32,vector=" + std::to_string(row.vector) +
         ",steps=" + std::to_string(row.steps);
}

double predicted(const ir::Stencil& stencil, const std::string& text, int64_t extent) {
  const Choice choice = parse(text, stencil, Target::cuda, h200());
  EXPECT_EQ(choice.problem, "") << text;
  const Forecast seen = forecast(stencil, choice.schedule, h200(), {extent, 1, 1});
  EXPECT_FALSE(seen.spills) << text;
  return seen.cells() / seen.seconds() * 1e-9;
}

TEST(PlanLine, IsPredicted) {
  std::vector<double> errors;
  for (const Case& one : kMeasured) {
    const ir::Stencil stencil = stencil_of(one);
    for (const Row& row : one.rows) {
      const double seen = predicted(stencil, text_of(row), one.extent);
      errors.push_back(std::abs(std::log(seen / row.rate)));
      EXPECT_LT(errors.back(), 0.09) << one.file << " " << text_of(row) << ": " << seen;
    }
  }
  EXPECT_LT(testing::median(errors), 0.02);
}

// Of what was measured the fastest by the model is nearly the fastest; and where the choice was
// measured, it is, too.
TEST(PlanLine, TheChoiceIsNearlyTheFastest) {
  int known = 0;
  for (const Case& one : kMeasured) {
    const ir::Stencil stencil = stencil_of(one);
    const auto best =
        std::max_element(one.rows.begin(), one.rows.end(), [&](const Row& a, const Row& b) {
          return predicted(stencil, text_of(a), one.extent) <
                 predicted(stencil, text_of(b), one.extent);
        });
    EXPECT_GT(best->rate, 0.85 * testing::fastest(one)) << one.file;
    const Schedule chosen = choose(stencil, Target::cuda, 2, h200(), {one.extent, 1, 1});
    EXPECT_GT(chosen.steps, 1) << one.file;
    EXPECT_EQ(chosen.reason, std::to_string(chosen.steps) +
                                 " steps a launch: a warp holds a strip in registers and takes "
                                 "all steps of it");
    for (const Row& row : one.rows)
      if (row.vector == chosen.vector && row.steps == chosen.steps) {
        ++known;
        EXPECT_GT(row.rate, 0.85 * testing::fastest(one)) << one.file;
      }
  }
  EXPECT_GE(known, 3);
}

std::string chosen(const std::string& source, int64_t extent) {
  const ir::Stencil stencil = testing::canonical(source);
  return print(choose(stencil, Target::cuda, 2, h200(), {extent, 1, 1}), stencil);
}

TEST(PlanLine, SmallGridsTakeSeveralStepsToo) {
  const std::string source =
      "stencil s { axes x; field f32 u boundary clamp; u[t+1] = u[x-1] + u[x+1]; }";
  for (const int64_t extent : {100, 1000, 65536})
    EXPECT_NE(chosen(source, extent).find("steps="), std::string::npos) << extent;
  // Around a periodic axis a strip must not meet itself.
  const std::string around =
      "stencil s { axes x; field f32 u boundary periodic; u[t+1] = u[x-1] + u[x+1]; }";
  EXPECT_EQ(chosen(around, 100).find("steps="), std::string::npos);
}

std::string why_one(const std::string& source) {
  const ir::Stencil stencil = testing::canonical(source);
  const Schedule one = choose(stencil, Target::cuda, 2, h200());
  EXPECT_EQ(one.steps, 1);
  return degree(stencil, one, h200(), usual_extents(1)).why_one;
}

TEST(PlanLine, OneStepSaysWhy) {
  EXPECT_EQ(why_one("stencil s { axes x; field f32 u; u[t+1] = 2*u; }"),
            "a step reads nothing beside the cell");
  EXPECT_EQ(why_one("stencil s { axes x; field f16 u boundary clamp; u[t+1] = u[x-1] + u; }"),
            "the model is not fitted to strips of fields with fewer than 4 bytes a cell");
  EXPECT_EQ(
      why_one("stencil s { axes x; field f32 u boundary clamp; u[t+1] = sqrt(u[x-1]) + u[x+1]; }"),
      "the model is not fitted to strips with divisions, roots or longer functions");
}

}  // namespace
}  // namespace stencilc::plan
