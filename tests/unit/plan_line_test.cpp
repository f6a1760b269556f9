// Warps that hold tiles of the only axis: what the model says of them, and what is chosen, beside
// what was measured.
#include <gtest/gtest.h>

#include "plan/model/one_step.h"
#include "plan/search/choose_steps.h"
#include "support/measured.h"
#include "support/planned.h"

namespace stencilc::plan {
namespace {

using testing::Case;
using testing::gpu;
using testing::on;
using testing::Row;

// On an H200 (bench/results/2026-11-23-h200-line.txt): a file with its own type or another, the
// extent, and what one step per launch made.
const std::vector<Case>& measured() {
  static const std::vector<Case> all = testing::measured("vector steps rate", R"(
    bench/temporal/line1 - 268435456 532.7
      | 8 4 1567.6 | 8 8 3170.3 | 8 16 5741.7 | 8 32 6206.1 | 4 16 2411.6 | 16 16 6795 | 16 32 8136
    bench/temporal/line1 - 4194304 647.6
      | 8 16 5157 | 8 32 6010.1 | 4 32 3237.4 | 4 16 2410.4
    bench/temporal/line1 f64 134217728 266.4
      | 4 16 2486.4 | 8 16 3576.5 | 8 32 3741.1 | 4 8 1480.3 | 16 32 4181.5
    bench/temporal/line2 - 268435456 532.2
      | 8 8 2937 | 8 16 3359.1 | 16 16 4638.4 | 16 32 4456.7 | 4 8 1210.7
    examples/advection - 134217728 266.7
      | 4 8 1480.5 | 8 16 3449.8 | 8 32 3284.1
  )");
  return all;
}

ir::Stencil stencil_of(const Case& one) {
  std::string source = testing::content(one.words.at(0) + ".stn");
  if (one.words.at(1) != "-") source.replace(source.find("f32"), 3, one.words[1]);
  return testing::canonical(source);
}
int64_t extent_of(const Case& one) { return std::stol(one.words.at(2)); }

// GCells/s of each row.
std::vector<double> predicted(const Case& one) {
  const ir::Stencil stencil = stencil_of(one);
  std::vector<double> rates;
  for (const Row& row : one.rows) {
    const std::string text = "coarsened,threads=32,vector=" + std::to_string(row.vector) +
                             ",steps=" + std::to_string(row.steps);
    const Schedule schedule = testing::scheduled(text, stencil);
    const Forecast seen = forecast(stencil, schedule, gpu(), {extent_of(one), 1, 1});
    EXPECT_FALSE(seen.spills) << text;
    rates.push_back(seen.cells() / seen.seconds() * 1e-9);
  }
  return rates;
}

TEST(PlanLine, IsPredicted) {
  std::vector<double> errors;
  for (const Case& one : measured()) {
    const std::vector<double> seen = predicted(one);
    for (size_t n = 0; n < seen.size(); ++n) {
      errors.push_back(testing::error(seen[n], one.rows[n].rate));
      EXPECT_LT(errors.back(), 0.09) << one.name() << ", " << one.rows[n].rate << ": " << seen[n];
    }
  }
  testing::expect_below(errors, 20, 0.02);
}

// Of what was measured the fastest by the model is nearly the fastest; and where the choice was
// measured, it is, too.
TEST(PlanLine, TheChoiceIsNearlyTheFastest) {
  int known = 0;
  for (const Case& one : measured()) {
    SCOPED_TRACE(one.name());
    const std::vector<double> seen = predicted(one);
    const auto best = std::max_element(seen.begin(), seen.end()) - seen.begin();
    const double good = 0.85 * testing::fastest(one);
    EXPECT_GT(one.rows[static_cast<size_t>(best)].rate, good);
    const Schedule chosen = choose(stencil_of(one), Target::cuda, 2, gpu(), {extent_of(one), 1, 1});
    EXPECT_GT(chosen.steps, 1);
    EXPECT_EQ(chosen.reason,
              std::to_string(chosen.steps) +
                  " steps per launch: each warp keeps a tile in registers for all of them");
    for (const Row& row : one.rows)
      if (row.vector == chosen.vector && row.steps == chosen.steps) {
        ++known;
        EXPECT_GT(row.rate, good);
      }
  }
  EXPECT_GE(known, 3);
}

// Around a periodic axis a tile must not meet itself.
TEST(PlanLine, SmallGridsTakeSeveralStepsToo) {
  const auto several = [](const std::string& boundary, int64_t extent) {
    const ir::Stencil stencil =
        on("x", "field f32 u boundary " + boundary + "; u[t+1] = u[x-1] + u[x+1];");
    return choose(stencil, Target::cuda, 2, gpu(), {extent, 1, 1}).steps > 1;
  };
  for (const int64_t extent : {100, 1000, 65536}) EXPECT_TRUE(several("clamp", extent)) << extent;
  EXPECT_FALSE(several("periodic", 100));
}

TEST(PlanLine, OneStepSaysWhy) {
  const auto why_one = [](const std::string& items) {
    const ir::Stencil stencil = on("x", items);
    const Schedule one = choose(stencil, Target::cuda, 2, gpu());
    EXPECT_EQ(one.steps, 1);
    return choose_steps(stencil, one, gpu(), usual_extents(1)).why_one;
  };
  testing::expect_rows(why_one, R"(
    field f32 u; u[t+1] = 2*u;  => a step reads no neighbouring cells
    field f16 u boundary clamp; u[t+1] = u[x-1] + u;
      => the performance model does not cover several steps per launch with fields with fewer than 4 bytes per cell
    field f32 u boundary clamp; u[t+1] = sqrt(u[x-1]) + u[x+1];
      => the performance model does not cover several steps per launch with divisions, roots or transcendental functions
  )");
}

}  // namespace
}  // namespace stencilc::plan
