// The schedules that `stencilc bench --schedules=all` times, and the search of `stencilc tune` on
// times that are made up.
#include <gtest/gtest.h>

#include <set>

#include "plan/tuning/candidates.h"
#include "plan/tuning/neighbours.h"
#include "plan/tuning/tune.h"
#include "support/planned.h"
#include "support/rows.h"

namespace stencilc::plan {
namespace {

using Texts = std::vector<std::string>;

using testing::gpu;
using testing::on;

ir::Stencil star(int rank, int radius, const std::string& type = "f32") {
  std::string sum = "u";
  for (int a = 0; a < rank; ++a)
    for (int r = 1; r <= radius; ++r) {
      const std::string axis(1, "xyz"[a]), by = std::to_string(r);
      sum += " + 0.25*u[" + axis + "-" + by + "] + 0.125*u[" + axis + "+" + by + "]";
    }
  return on(rank == 1   ? "x"
            : rank == 2 ? "x, y"
                        : "x, y, z",
            "field " + type + " u boundary clamp; u[t+1] = " + sum + ";");
}
// The value of v takes that of u beside the cell, which may be computed again.
ir::Stencil chain() {
  return on("x, y", "field f32 u, v boundary clamp; u[t+1] = 2*u[x-1]; v[t+1] = v + u[x-1, t+1];");
}

bool has(const Texts& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

size_t different(const Texts& list) {
  return std::set<std::string>(list.begin(), list.end()).size();
}

TEST(PlanCandidates, AreLegalPrintedAndDifferent) {
  for (const std::string axes : {"x", "x, y", "x, y, z"}) {
    const ir::Stencil stencil = on(axes, "field f32 u boundary clamp; u[t+1] = 0.5*laplacian(u);");
    const Texts list = candidates(stencil, Target::cuda);
    EXPECT_GT(list.size(), 10u);
    EXPECT_LT(list.size(), 85u);
    EXPECT_EQ(different(list), list.size());
    for (const std::string& text : list)
      EXPECT_EQ(print(testing::scheduled(text, stencil, any_device()), stencil), text);
    for (const char* preset : {"naive", "coarsened"})
      EXPECT_TRUE(has(list, print(parse(preset, stencil, Target::cuda).schedule, stencil)));
    EXPECT_TRUE(has(list, print(choose(stencil, Target::cuda, 2), stencil)));
    const auto count = [&](const std::string& part) {
      return std::count_if(list.begin(), list.end(), [&](const std::string& text) {
        return text.find(part) != std::string::npos;
      });
    };
    EXPECT_GT(count(",vector=2"), 2);
    EXPECT_GT(count(",coarsen=" + stencil.axes.back() + "8"), 2);
    EXPECT_EQ(count(",sums=scatter") > 0, axes != "x");
    EXPECT_GT(count(",steps="), 1);
  }
}

TEST(PlanCandidates, OfColoursHaveNoVectors) {
  const Texts list = candidates(
      on("x, y", "field f32 p boundary zero; color a, b by (x+y) % 2; p = p[x-1] + p[y+1];"),
      Target::cuda);
  EXPECT_GT(list.size(), 10u);
  for (const std::string& text : list) EXPECT_EQ(text.find("vector"), std::string::npos) << text;
}

TEST(PlanCandidates, OneCellAThreadHasLimitsAndThreadsNearTheBoundary) {
  const auto list = [](int rank) { return candidates(star(rank, 1), Target::cuda); };
  for (const char* end : {",registers=128", ",edges=cells", ",edges=cells,registers=128"}) {
    EXPECT_TRUE(has(list(2), std::string("naive,threads=32x4") + end)) << end;
    EXPECT_TRUE(has(list(3), std::string("naive,threads=32x4x1") + end)) << end;
  }
  EXPECT_TRUE(has(list(1), "naive,threads=128,registers=128"));
}

TEST(PlanCandidates, SplitAndRecomputedStagesAreTriedWhereTheyDiffer) {
  const ir::Stencil alone =
      on("x, y", "field f32 u, v boundary clamp; u[t+1] = 2*u[x-1]; v[t+1] = v[y-1];");
  EXPECT_EQ(candidates(alone, Target::cpu), Texts{"loops"});
  EXPECT_EQ(candidates(chain(), Target::cpu), (Texts{"loops", "loops,stages=split"}));
}

TEST(PlanCandidates, TilesAreTriedWhereThereAreAny) {
  const auto tiles = [](const std::string& items) {
    std::string text;
    for (const std::string& one :
         candidates(on("x, y", "field f32 u, v boundary clamp; " + items), Target::cuda))
      if (const size_t at = std::min(one.find(",stages=tile"), one.find(",tile=")); at < one.size())
        text += one.substr(at);
    return text;
  };
  testing::expect_rows(tiles, R"(
    u[t+1] = u[x-1]; v[t+1] = u[t+1];                      =>
    let g = u*u; u[t+1] = g - g[x-1]; v[t+1] = v*u;        => ,tile=g
    u[t+1] = u*u; v[t+1] = u[x-1, t+1];                    => ,stages=tile
    let g = u*u; u[t+1] = g - g[x-1]; v[t+1] = u[x-1, t+1]; => ,tile=g,stages=tile,stages=tile,tile=g
  )");
}

TEST(PlanCandidates, StreamsOfValuesAreTriedWhereThereAreAny) {
  const auto streams = [](const std::string& items) {
    std::string text;
    for (const std::string& one :
         candidates(on("x, y", "field f32 u, v boundary clamp; " + items), Target::cuda))
      if (const size_t at = one.find(",stream="); at < one.size())
        text += (text.empty() ? "" : " ") + one.substr(one.find("vector="));
    return text;
  };
  testing::expect_rows(streams, R"(
    u[t+1] = u[x-1]; v[t+1] = u[t+1];                => 
    let g = u*u; u[t+1] = g + v; v[t+1] = v*u;       => 
    let g = u*u; u[t+1] = g - g[x-1]; v[t+1] = v*u;  => vector=1,coarsen=y8,stream=g vector=1,coarsen=y16,stream=g vector=1,coarsen=y32,stream=g vector=2,coarsen=y16,stream=g vector=2,coarsen=y32,stream=g
  )");
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
struct Measured {
  const ir::Stencil& stencil;
  std::function<Outcome(const Schedule&)> outcome;
  size_t most = 1000;  // trials
  Texts all;

  std::vector<Outcome> operator()(const Texts& texts) {
    std::vector<Outcome> outcomes;
    for (const std::string& text : texts) {
      if (all.size() == most) break;
      all.push_back(text);
      const Schedule schedule = testing::scheduled(text, stencil);
      EXPECT_EQ(print(schedule, stencil), text);
      outcomes.push_back(outcome(schedule));
    }
    return outcomes;
  }
};

std::vector<Trial> search(Measured& measured) {
  return tune(measured.stencil, Target::cuda, gpu(),
              print(choose(measured.stencil, Target::cuda, 2, gpu()), measured.stencil),
              std::ref(measured));
}

TEST(PlanTune, FindsTheLowestPointOfAValley) {
  const ir::Stencil stencil = star(2, 1);
  Measured measured{stencil, [](const Schedule& one) { return Outcome{valley(one), ""}; }};
  const std::vector<Trial> trials = search(measured);
  ASSERT_NE(fastest(trials), nullptr);
  EXPECT_EQ(fastest(trials)->schedule.find("coarsened,threads=128x2,vector=2,coarsen=y1"), 0u);
  EXPECT_LT(fastest(trials)->outcome.seconds, 1.03) << fastest(trials)->schedule;
  EXPECT_FALSE(has(candidates(stencil, Target::cuda, gpu()), fastest(trials)->schedule))
      << "the list of candidates alone would have done";
  EXPECT_EQ(trials[0].schedule, print(choose(stencil, Target::cuda, 2, gpu()), stencil));
  EXPECT_EQ(different(measured.all), measured.all.size());
  ASSERT_EQ(trials.size(), measured.all.size());
  for (size_t n = 0; n < trials.size(); ++n) EXPECT_EQ(trials[n].schedule, measured.all[n]);
}

TEST(PlanTune, SameTimesGiveTheSameSearch) {
  const ir::Stencil stencil = star(3, 2);
  const auto outcome = [](const Schedule& one) { return Outcome{valley(one), ""}; };
  Measured first{stencil, outcome}, second{stencil, outcome};
  search(first);
  search(second);
  EXPECT_EQ(first.all, second.all);
  EXPECT_GT(first.all.size(), 30u);
}

TEST(PlanTune, EndsWhereThereAreNoMoreOutcomes) {
  const ir::Stencil stencil = star(2, 1);
  for (const size_t most : {0u, 1u, 7u, 40u}) {
    Measured measured{stencil, [](const Schedule& one) { return Outcome{valley(one), ""}; }, most};
    const std::vector<Trial> trials = search(measured);
    EXPECT_EQ(trials.size(), most);
    EXPECT_EQ(fastest(trials) == nullptr, most == 0);
  }
}

TEST(PlanTune, WhatFailsIsLeftBehind) {
  const ir::Stencil stencil = star(2, 1);
  // Most of it fails, and would be the fastest.
  Measured measured{stencil, [](const Schedule& one) {
                      const bool fails = one.vector > 2 || one.threads[0] == 64;
                      return fails ? Outcome{0, "it spills"} : Outcome{valley(one), ""};
                    }};
  const std::vector<Trial> trials = search(measured);
  ASSERT_NE(fastest(trials), nullptr);
  EXPECT_LT(fastest(trials)->outcome.seconds, 1.03) << fastest(trials)->schedule;
  Measured none{stencil, [](const Schedule&) { return Outcome{0, "it does not run"}; }};
  EXPECT_EQ(fastest(search(none)), nullptr);
  EXPECT_LE(none.all.size(), 27u);
}

TEST(PlanTune, EndsWhereNothingIsFaster) {
  const ir::Stencil stencil = star(2, 1);
  Measured flat{stencil, [](const Schedule& one) {
                  return Outcome{1 + 1e-5 * off(one.threads[0], 1024), ""};
                }};
  const std::vector<Trial> trials = search(flat);
  EXPECT_EQ(fastest(trials), &trials[0]) << "a thousandth is no gain";
  EXPECT_LT(trials.size(), 100u);
}

TEST(PlanTune, OnTheCpuTheStagesAreAllThereIs) {
  const auto split_is_faster = [](const Texts& texts) {
    std::vector<Outcome> outcomes;
    for (const std::string& text : texts) outcomes.push_back({text == "loops" ? 2.0 : 1.0, ""});
    return outcomes;
  };
  const std::vector<Trial> trials =
      tune(chain(), Target::cpu, any_device(), "loops", split_is_faster);
  ASSERT_EQ(trials.size(), 2u);
  EXPECT_EQ(trials[0].schedule, "loops");
  EXPECT_EQ(fastest(trials)->schedule, "loops,stages=split");
}

TEST(PlanNeighbours, DifferInOneDecision) {
  const ir::Stencil stencil = star(3, 4);
  const std::string from =
      "coarsened,threads=32x16x1,vector=4,rows=2,coarsen=z48,sums=scatter,shared=boxes,ahead=2";
  const Texts list = neighbours(from, stencil, Target::cuda, gpu());
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
  EXPECT_EQ(different(list), list.size());
  EXPECT_LT(list.size(), 40u);
  for (const std::string& text : neighbours(from, stencil, Target::cuda, gpu("sm_80")))
    EXPECT_EQ(text.find("boxes"), std::string::npos) << text;
  EXPECT_TRUE(neighbours("fast", stencil, Target::cuda, gpu()).empty());
}

TEST(PlanNeighbours, OneLaunchOfAStepGetsAnotherShapeOrThatOfTheOthers) {
  const ir::Stencil stencil = on("x, y",
                                 "field f32 u, v boundary clamp; let g = u*u; "
                                 "u[t+1] = 1/g[x-1]; v[t+1] = v + u[x-1, t+1];");
  const std::string whole = "naive,threads=32x8,global=g";
  const Texts list = neighbours(whole, stencil, Target::cuda, gpu());
  for (const char* shape : {"g(naive,threads=32x4)", "u(naive,threads=32x8,edges=cells)",
                            "v(coarsened,threads=128x1,vector=1,coarsen=y8)"})
    EXPECT_TRUE(has(list, whole + ",launch=" + shape)) << shape;
  const std::string one = whole + ",launch=u(naive,threads=64x4)",
                    two = one + ",launch=g(naive,threads=32x4)";
  const Texts others = neighbours(one, stencil, Target::cuda, gpu());
  EXPECT_TRUE(has(others, whole));
  EXPECT_TRUE(has(others, two));
  EXPECT_TRUE(has(others, whole + ",launch=u(naive,threads=128x2)"));
  EXPECT_EQ(different(others), others.size());
}

TEST(PlanNeighbours, TakeSidesFromLanesAndBack) {
  const std::string loads = "coarsened,threads=64x4,vector=4,coarsen=y4",
                    lanes = loads + ",sides=lanes";
  EXPECT_TRUE(has(neighbours(loads, star(2, 1), Target::cuda, gpu()), lanes));
  EXPECT_TRUE(has(neighbours(lanes, star(2, 1), Target::cuda, gpu()), loads));
}

TEST(PlanNeighbours, OneCellAThreadGetsOtherLimitsAndThreadsNearTheBoundaryAndStreamsOtherLimits) {
  // What the neighbours have for registers and for the cells near the boundary, if it differs.
  const auto others = [](int rank, const std::string& from) {
    const ir::Stencil stencil = star(rank, 1);
    const Schedule before = testing::scheduled(from, stencil);
    std::string text;
    for (const std::string& other : neighbours(from, stencil, Target::cuda, gpu())) {
      const Schedule one = testing::scheduled(other, stencil);
      if (one.registers != before.registers) text += std::to_string(one.registers) + " ";
      if (one.edge_cells != before.edge_cells) text += one.edge_cells ? "cells " : "blocks ";
    }
    return text;
  };
  EXPECT_EQ(others(1, "naive,threads=128"), "64 80 96 128 168 ");
  EXPECT_EQ(others(2, "naive,threads=32x4"), "64 80 96 128 168 cells ");
  EXPECT_EQ(others(3, "naive,threads=32x4,edges=cells,registers=128"), "0 64 80 96 168 blocks ");
  EXPECT_EQ(others(2, "coarsened,threads=64x4,vector=4,coarsen=y4"), "");
  EXPECT_EQ(others(3, "coarsened,threads=32x4x1,vector=4,coarsen=z8"), "96 128 168 ");
}

TEST(PlanNeighbours, StagesThatMakeNoOtherLaunchesAreNone) {
  const ir::Stencil alone = star(2, 1);
  for (const std::string& text : neighbours("coarsened", alone, Target::cuda, gpu()))
    EXPECT_EQ(text.find("stages"), std::string::npos) << text;
  const std::string chosen = print(choose(chain(), Target::cuda, 2, gpu()), chain());
  EXPECT_TRUE(has(neighbours(chosen, chain(), Target::cuda, gpu()), chosen + ",stages=split"));
}

}  // namespace
}  // namespace stencilc::plan
