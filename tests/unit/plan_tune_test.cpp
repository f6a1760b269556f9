// The search of `stencilc tune`, on times that are made up.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "plan/candidates.h"
#include "plan/neighbours.h"
#include "plan/tune.h"
#include "support/analysed.h"

namespace stencilc::plan {
namespace {

using Texts = std::vector<std::string>;

const Device& h200() { return *find_device("sm_90"); }

ir::Stencil star(int rank, int radius, const std::string& type = "f32") {
  const std::string axes = rank == 1 ? "x" : rank == 2 ? "x, y" : "x, y, z";
  std::string sum = "u";
  for (int a = 0; a < rank; ++a)
    for (int r = 1; r <= radius; ++r) {
      const std::string axis(1, "xyz"[a]), by = std::to_string(r);
      sum += " + 0.25*u[" + axis + "-" + by + "] + 0.125*u[" + axis + "+" + by + "]";
    }
  return testing::canonical("stencil s { axes " + axes + "; field " + type +
                            " u boundary clamp; u[t+1] = " + sum + "; }");
}

bool has(const Texts& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// How far a count is from the best one, in doublings.
double off(int count, int best) { return std::abs(std::log2(count / static_cast<double>(best))); }

// A valley with the one lowest point threads=128x2, vector=2, coarsen=y16. Steps of a half may pass
// it by a little.
double valley(const Schedule& one) {
  return 1 + 0.1 * off(one.threads[0], 128) + 0.1 * off(one.threads[1], 2) +
         0.2 * off(one.vector, 2) + 0.1 * off(one.coarsen, 16) + 0.1 * (one.coarsen_axis != 1) +
         0.1 * one.resident + (one.steps > 1) + (one.preset == "naive" ? 1 : 0);
}

// Measures by a formula, and keeps what was asked for.
struct Asked {
  const ir::Stencil& stencil;
  std::function<Outcome(const Schedule&)> outcome;
  size_t most = 1000;  // trials
  Texts all;

  std::vector<Outcome> operator()(const Texts& texts) {
    std::vector<Outcome> outcomes;
    for (const std::string& text : texts) {
      if (all.size() == most) break;
      all.push_back(text);
      const Choice choice = parse(text, stencil, Target::cuda, h200());
      EXPECT_EQ(choice.problem, "") << text;
      EXPECT_EQ(print(choice.schedule, stencil), text);
      outcomes.push_back(outcome(choice.schedule));
    }
    return outcomes;
  }
};

std::vector<Trial> search(Asked& asked) {
  return tune(asked.stencil, Target::cuda, h200(), std::ref(asked));
}

TEST(PlanTune, FindsTheLowestPointOfAValley) {
  const ir::Stencil stencil = star(2, 1);
  Asked asked{stencil, [](const Schedule& one) { return Outcome{valley(one), ""}; }};
  const std::vector<Trial> trials = search(asked);
  ASSERT_NE(fastest(trials), nullptr);
  EXPECT_EQ(fastest(trials)->schedule.find("coarsened,threads=128x2,vector=2,coarsen=y1"), 0u);
  EXPECT_LT(fastest(trials)->outcome.seconds, 1.03) << fastest(trials)->schedule;
  EXPECT_FALSE(has(candidates(stencil, Target::cuda, h200()), fastest(trials)->schedule))
      << "the list of candidates alone would have done";
  EXPECT_EQ(trials[0].schedule, print(choose(stencil, Target::cuda, 2, h200()), stencil));
  EXPECT_EQ(std::set<std::string>(asked.all.begin(), asked.all.end()).size(), asked.all.size());
  ASSERT_EQ(trials.size(), asked.all.size());
  for (size_t n = 0; n < trials.size(); ++n) EXPECT_EQ(trials[n].schedule, asked.all[n]);
}

TEST(PlanTune, SameTimesGiveTheSameSearch) {
  const ir::Stencil stencil = star(3, 2);
  const auto outcome = [](const Schedule& one) { return Outcome{valley(one), ""}; };
  Asked first{stencil, outcome}, second{stencil, outcome};
  search(first);
  search(second);
  EXPECT_EQ(first.all, second.all);
  EXPECT_GT(first.all.size(), 30u);
}

TEST(PlanTune, EndsWhereThereAreNoMoreOutcomes) {
  const ir::Stencil stencil = star(2, 1);
  for (const size_t most : {0u, 1u, 7u, 40u}) {
    Asked asked{stencil, [](const Schedule& one) { return Outcome{valley(one), ""}; }, most};
    const std::vector<Trial> trials = search(asked);
    EXPECT_EQ(trials.size(), most);
    EXPECT_EQ(fastest(trials) == nullptr, most == 0);
  }
}

TEST(PlanTune, WhatFailsIsLeftBehind) {
  const ir::Stencil stencil = star(2, 1);
  // Most of it fails, and would be the fastest.
  Asked asked{stencil, [](const Schedule& one) {
                const bool fails = one.vector > 2 || one.threads[0] == 64;
                return fails ? Outcome{0, "it spills"} : Outcome{valley(one), ""};
              }};
  const std::vector<Trial> trials = search(asked);
  ASSERT_NE(fastest(trials), nullptr);
  EXPECT_LT(fastest(trials)->outcome.seconds, 1.03) << fastest(trials)->schedule;
  Asked none{stencil, [](const Schedule&) { return Outcome{0, "it does not run"}; }};
  EXPECT_EQ(fastest(search(none)), nullptr);
  EXPECT_LE(none.all.size(), 25u);
}

TEST(PlanTune, EndsWhereNothingIsFaster) {
  const ir::Stencil stencil = star(2, 1);
  Asked flat{stencil, [](const Schedule& one) {
               return Outcome{1 + 1e-5 * off(one.threads[0], 1024), ""};
             }};
  const std::vector<Trial> trials = search(flat);
  EXPECT_EQ(fastest(trials), &trials[0]) << "a thousandth is no gain";
  EXPECT_LT(trials.size(), 100u);
}

TEST(PlanTune, OnTheCpuTheStagesAreAllThereIs) {
  const ir::Stencil chain = testing::canonical(
      "stencil s { axes x, y; field f32 u, v boundary clamp; u[t+1] = 2*u[x-1]; v[t+1] = v + "
      "u[x-1, t+1]; }");
  const auto split_is_faster = [](const Texts& texts) {
    std::vector<Outcome> outcomes;
    for (const std::string& text : texts) outcomes.push_back({text == "loops" ? 2.0 : 1.0, ""});
    return outcomes;
  };
  const std::vector<Trial> trials = tune(chain, Target::cpu, any_device(), split_is_faster);
  ASSERT_EQ(trials.size(), 2u);
  EXPECT_EQ(trials[0].schedule, "loops");
  EXPECT_EQ(fastest(trials)->schedule, "loops,stages=split");
}

TEST(PlanNeighbours, DifferInOneDecision) {
  const ir::Stencil stencil = star(3, 4);
  const std::string from =
      "coarsened,threads=32x16x1,vector=4,rows=2,coarsen=z48,sums=scatter,shared=boxes,ahead=2";
  const Texts list = neighbours(from, stencil, Target::cuda, h200());
  for (const char* other :
       {"coarsened,threads=32x8x1,vector=4,rows=2,coarsen=z48,sums=scatter,shared=boxes,ahead=2",
        "coarsened,threads=64x8x1,vector=4,rows=2,coarsen=z48,sums=scatter,shared=boxes,ahead=2",
        "coarsened,threads=32x16x1,vector=2,rows=2,coarsen=z48,sums=scatter,shared=boxes,ahead=2",
        "coarsened,threads=32x16x1,vector=4,rows=4,coarsen=z48,sums=scatter,shared=boxes,ahead=2",
        "coarsened,threads=32x16x1,vector=4,rows=2,coarsen=z72,sums=scatter,shared=boxes,ahead=2",
        "coarsened,threads=32x16x1,vector=4,rows=2,coarsen=z48,sums=gather,shared=boxes,ahead=2",
        "coarsened,threads=32x16x1,vector=4,rows=2,coarsen=z48,sums=scatter,shared=async,ahead=2",
        "coarsened,threads=32x16x1,vector=4,rows=2,coarsen=z48,sums=scatter,shared=none",
        "coarsened,threads=32x16x1,vector=4,rows=2,coarsen=z48,sums=scatter,shared=boxes,ahead=3",
        "coarsened,threads=32x16x1,vector=4,rows=2,coarsen=z48,sums=scatter,shared=boxes,ahead=2,"
        "resident=2"})
    EXPECT_TRUE(has(list, other)) << other;
  EXPECT_FALSE(has(list, from));
  EXPECT_EQ(std::set<std::string>(list.begin(), list.end()).size(), list.size());
  EXPECT_LT(list.size(), 40u);
  for (const std::string& text : neighbours(from, stencil, Target::cuda, *find_device("sm_80")))
    EXPECT_EQ(text.find("boxes"), std::string::npos) << text;
  EXPECT_TRUE(neighbours("fast", stencil, Target::cuda, h200()).empty());
}

TEST(PlanNeighbours, TakeSidesFromLanesAndBack) {
  const std::string loads = "coarsened,threads=64x4,vector=4,coarsen=y4",
                    lanes = loads + ",sides=lanes";
  EXPECT_TRUE(has(neighbours(loads, star(2, 1), Target::cuda, h200()), lanes));
  EXPECT_TRUE(has(neighbours(lanes, star(2, 1), Target::cuda, h200()), loads));
}

TEST(PlanNeighbours, StagesThatMakeNoOtherLaunchesAreNone) {
  const ir::Stencil alone = star(2, 1);
  for (const std::string& text : neighbours("coarsened", alone, Target::cuda, h200()))
    EXPECT_EQ(text.find("stages"), std::string::npos) << text;
  const ir::Stencil chain = testing::canonical(
      "stencil s { axes x, y; field f32 u, v boundary clamp; u[t+1] = 2*u[x-1]; v[t+1] = v + "
      "u[x-1, t+1]; }");
  const std::string chosen = print(choose(chain, Target::cuda, 2, h200()), chain);
  EXPECT_TRUE(has(neighbours(chosen, chain, Target::cuda, h200()), chosen + ",stages=split"));
}

}  // namespace
}  // namespace stencilc::plan
