// Which launches a step is made of, what they store and recompute, and which memory t+1 goes to.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "plan/expand.h"
#include "plan/stages.h"
#include "support/analysed.h"

namespace stencilc::plan {
namespace {

using testing::canonical;

// "u v | w + r": launches in their order, the fields each stores, and the reductions it adds to;
// `every` where it does so in every step.
std::string launches_of(const ir::Stencil& stencil, const Stages& stages) {
  std::vector<std::string> launches;
  for (const Launch& launch : stages.launches) {
    std::vector<std::string> words;
    for (const Stored& stored : launch.stores)
      words.push_back(stencil.fields[stencil.updates[stored.update].field].name);
    for (const Combined& combined : launch.combines) {
      words.push_back("+");
      words.push_back(stencil.reductions[combined.reduction].name);
    }
    if (launch.every_step) words.push_back("every");
    launches.push_back(fmt::format("{}", fmt::join(words, " ")));
  }
  return fmt::format("{}", fmt::join(launches, " | "));
}

struct Case {
  const char* program;       // what stands in `stencil s { axes x, y; ... }`
  const char *best, *split;  // launches
  std::vector<int> buffers_best, buffers_split;
};

const Case kCases[] = {
    // What no other cell reads of level t is overwritten.
    {"field f32 u; u[t+1] = 2*u;", "u", "u", {1}, {1}},
    {"field f32 u boundary clamp; u[t+1] = u[x-1];", "u", "u", {2}, {2}},
    {"field f32 u boundary clamp; u[t+1] = u[x-1] - u[t-1];", "u", "u", {2}, {2}},
    {"field f32 u boundary clamp; u[t+1] = u - u[x-1, t-1];", "u", "u", {3}, {3}},
    {"field f32 u, v; u[t+1] = v; v[t+1] = u;", "u v", "u v", {1, 1}, {1, 1}},
    {"field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = u[x-1];", "u v", "u v", {2, 1}, {2, 1}},
    // t+1 at the cell needs no second launch, beside the cell it does or is computed there, too.
    {"field f32 u, v; u[t+1] = 2*u; v[t+1] = v + u[t+1];", "u v", "u v", {1, 1}, {1, 1}},
    {"field f32 u, v; v[t+1] = v + u[t+1]; u[t+1] = 2*u;", "u v", "u v", {1, 1}, {1, 1}},
    {"field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = v + u[x-1, t+1];",
     "u v",
     "u | v",
     {2, 1},
     {1, 1}},
    // A later launch reads level t: it must still be there.
    {"field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = u + u[x-1, t+1];",
     "u v",
     "u | v",
     {2, 1},
     {2, 1}},
    // What the recomputed value reads is read beside the cell, too; `u` itself nobody reads.
    {"field f32 u, v boundary clamp; u[t+1] = v; v[t+1] = u[x-1, t+1];",
     "u v",
     "u | v",
     {1, 2},
     {1, 1}},
    {"field f32 a, b, c boundary clamp; a[t+1] = 2*a; b[t+1] = a[x-1, t+1]; c[t+1] = b[y+1, t+1];",
     "a b c",
     "a | b | c",
     {2, 1, 1},  // `b` is recomputed from `a`: nobody reads what `b` was
     {1, 1, 1}},
    {"field f32 a, b, c boundary clamp; a[t+1] = 2*a; b[t+1] = b + a[x-1, t+1]; c[t+1] = "
     "b[y+1, t+1];",
     "a b c",
     "a | b | c",
     {2, 2, 1},
     {1, 1, 1}},
    {"field f32 a, b, c boundary clamp; a[t+1] = 2*a; b[t+1] = a[x-1, t+1] on x > 0; c[t+1] = "
     "b[y+1, t+1];",
     "a b c",
     "a | b | c",
     {2, 2, 1},
     {1, 1, 1}},
    // A cell that keeps its value reads level t where it is recomputed.
    {"field f32 u, v boundary clamp; u[t+1] = 1 on x == 3; v[t+1] = u[x-1, t+1];",
     "u v",
     "u | v",
     {2, 1},
     {1, 1}},
    // Nine values are too many to recompute.
    {"field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = sum(i in -4..4 : u[x+i, t+1]);",
     "u | v",
     "u | v",
     {1, 1},
     {1, 1}},
    // Outputs.
    {"field f32 u in; field f32 p out boundary clamp; field f32 q out; p = 2*u; q = p[x-1];",
     "p q",
     "p | q",
     {1, 1, 1},
     {1, 1, 1}},
    // Reductions.
    {"field f32 u; u[t+1] = 2*u; reduce r = sum(u[t+1]);", "u + r", "u + r", {1}, {1}},
    {"field f32 u; u[t+1] = 2*u; reduce r = sum(u);", "+ r | u", "+ r | u", {1}, {1}},
    {"field f32 u; u[t+1] = u / r; reduce r = sum(u); reduce q = max(u);",
     "+ r every | + q | u",
     "+ r every | + q | u",
     {1},
     {1}},
    {"field f32 u; u[t+1] = 2*u; reduce r = sum(u[t+1] - u);", "u + r", "u + r", {1}, {1}},
    {"field f32 u boundary clamp; u[t+1] = 2*u; reduce r = sum(u[t+1] - u[x-1]);",
     "u + r",
     "u + r",
     {2},
     {2}},
    {"field f32 u boundary clamp; u[t+1] = 2*u; reduce r = sum(u[x-1, t+1] - u);",
     "u | + r",
     "u | + r",
     {2},
     {2}},
    // Colours, in place.
    {"color red, black by (x + y) % 2; field f32 p boundary zero; p = p[x-1]; reduce r = "
     "sum(p[t+1]);",
     "p | + r",
     "p | + r",
     {1},
     {1}},
};

TEST(PlanStages, LaunchesAndBuffersOfSmallPrograms) {
  for (const Case& test : kCases) {
    SCOPED_TRACE(test.program);
    const ir::Stencil stencil =
        canonical("stencil s { axes x, y; " + std::string(test.program) + " }");
    const Stages best = stages(stencil, Fusion::best, true);
    EXPECT_EQ(launches_of(stencil, best), test.best);
    EXPECT_EQ(best.buffers, test.buffers_best);
    const Stages split = stages(stencil, Fusion::split, true);
    EXPECT_EQ(launches_of(stencil, split), test.split);
    EXPECT_EQ(split.buffers, test.buffers_split);
  }
}

Stages planned(const std::string& program, Fusion fusion = Fusion::best, bool fuses = true) {
  return stages(canonical("stencil s { axes x, y; " + program + " }"), fusion, fuses);
}

TEST(PlanStages, AskedToRecomputeNothingIsTooMuch) {
  const std::string program =
      "field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = sum(i in -4..4 : u[x+i, t+1]);";
  EXPECT_EQ(planned(program).launches.size(), 2u);
  EXPECT_EQ(planned(program, Fusion::recompute).launches.size(), 1u);
}

TEST(PlanStages, ReasonsSayWhatWasDecided) {
  using Reasons = std::vector<std::string>;
  const std::string one =
      "field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = u[x-1, t+1] + u[t+1];";
  EXPECT_EQ(planned(one).reasons, Reasons{"`v` in the same launch: `u[t+1]` beside the cell is one "
                                          "value recomputed, from 2 points in all"});
  EXPECT_EQ(planned(one, Fusion::split).reasons,
            Reasons{"`v` in a launch of its own: it reads `u[t+1]` beside the cell"});
  EXPECT_EQ(planned("field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = laplacian(u[t+1], "
                    "order = 4);")
                .reasons,
            Reasons{"`v` in a launch of its own: it reads `u[t+1]` beside the cell, and "
                    "recomputing 8 values would read 9 points"});
  EXPECT_EQ(planned("field f32 u, v; u[t+1] = 2*u; v[t+1] = u;").reasons, Reasons{});
}

TEST(PlanStages, ReasonsSayWhereReductionsAre) {
  const auto reason = [](const std::string& program, bool fuses = true) {
    const std::vector<std::string> reasons = planned(program, Fusion::best, fuses).reasons;
    return reasons.empty() ? "" : reasons.back();
  };
  const std::string plain = "field f32 u boundary zero; u[t+1] = 2*u; ";
  EXPECT_EQ(reason(plain + "reduce r = sum(u[t+1]);"),
            "reductions in the same launch as the updates");
  EXPECT_EQ(reason(plain + "reduce r = sum(u);"), "");
  EXPECT_EQ(
      reason(plain + "reduce r = sum(u[t+1]);", false),
      "reductions in a launch of their own: the rows of a block are no multiples of 32 cells");
  EXPECT_EQ(reason(plain + "reduce r = sum(u[y-1, t+1]);"),
            "reductions in a launch of their own: `u[t+1]` is read beside the cell");
  EXPECT_EQ(reason("color red, black by (x + y) % 2; field f32 p boundary zero; p = p[x-1]; reduce "
                   "r = sum(p[t+1]);"),
            "reductions in a launch of their own: the colours are updated one by one");
}

TEST(PlanStages, MarginsCoverReadsAndLimits) {
  const auto margin = [](const std::string& program, Fusion fusion = Fusion::best) {
    const ir::Reach reach = planned(program, fusion).launches.at(0).margin;
    return std::array{reach.low[0], reach.high[0], reach.low[1], reach.high[1]};
  };
  const std::string u = "field f32 u, v boundary clamp; u[t+1] = ";
  using Four = std::array<int, 4>;
  EXPECT_EQ(margin(u + "2*u;"), (Four{0, 0, 0, 0}));
  EXPECT_EQ(margin(u + "u[x-2] + u[y+3];"), (Four{2, 0, 0, 3}));
  EXPECT_EQ(margin(u + "2*u on x >= 5;"), (Four{5, 0, 0, 0}));
  EXPECT_EQ(margin(u + "2*u on x == 0, y < ny-4;"), (Four{1, 0, 0, 4}));
  EXPECT_EQ(margin(u + "2*u on x <= nx-1;"), (Four{0, 0, 0, 0}));
  EXPECT_EQ(margin(u + "2*u; reduce r = sum(u[t+1]) on y > 6;"), (Four{0, 0, 7, 0}));
  // Beside the cell the reads and the limits of what is recomputed count from there.
  const std::string both = u + "u[y-2] on x >= 3; v[t+1] = u[x-1, t+1];";
  EXPECT_EQ(margin(both), (Four{4, 0, 2, 0}));
  EXPECT_EQ(margin(both, Fusion::split), (Four{3, 0, 2, 0}));
  EXPECT_EQ(margin("field f32 u boundary none; u[t+1] = u[x-1] + u[x+2];"), (Four{1, 2, 0, 0}));
}

// The value that a launch stores of the first update, as the IR prints it.
std::string stored(const std::string& program) {
  const ir::Stencil stencil = canonical("stencil s { axes x, y; " + program + " }");
  const Stages made = stages(stencil, Fusion::best, true);
  const Stored& one = made.launches.at(0).stores.at(0);
  if (one.skipped) return "nothing";
  return ir::print(one.value, stencil) + (one.when ? " where " + ir::print(one.when, stencil) : "");
}

TEST(PlanStages, CellsAwayFromTheRimKnowWhichStatementsHold) {
  const std::string u = "field f32 u boundary zero; ";
  EXPECT_EQ(stored(u + "u[t+1] = 2*u; u[t+1] = 5 on x == 0;"), stored(u + "u[t+1] = 2*u;"));
  EXPECT_EQ(stored(u + "u[t+1] = 2*u on x >= 2, y < ny-1;"), stored(u + "u[t+1] = 2*u;"));
  EXPECT_EQ(stored(u + "u[t+1] = 5 on x < 2;"), "u");
  EXPECT_EQ(stored(u + "u[t+1] = u + 1; u[t+1] = 2*u[t+1];"), "mul(2, sum(1, 1 * u))");
}

TEST(PlanStages, AMaskSelectsBetweenAStatementAndTheOneBefore) {
  EXPECT_EQ(stored("field f32 u; u[t+1] = 5 where u > 1;"), "select(gt(u, 1), 5, u)");
  EXPECT_EQ(stored("field f32 u; u[t+1] = 2*u; u[t+1] = 5 where u > 1;"),
            "select(gt(u, 1), 5, mul(2, u))");
}

TEST(PlanStages, AnOutputIsWrittenWhereAStatementHolds) {
  const std::string p = "field f32 u in; field f32 p out; ";
  EXPECT_EQ(stored(p + "p = 2*u;"), "mul(2, u)");
  EXPECT_EQ(stored(p + "p = 5 where u > 1;"), "5 where gt(u, 1)");
  EXPECT_EQ(stored(p + "p = 5 where u > 1; p = 6 where u < 0;"),
            "select(lt(u, 0), 6, 5) where or(gt(u, 1), lt(u, 0))");
  EXPECT_EQ(stored(p + "p = 5 where u > 1; p = 6;"), "6");
  EXPECT_EQ(stored(p + "p = 5 on x == 0;"), "nothing");
}

TEST(PlanExpand, AMadeValueStandsWhereItIsReadAndMoved) {
  const ir::Stencil stencil = canonical(
      "stencil s { axes x, y; field f32 u, v, w boundary zero; u[t+1] = u[y-1] * x; w[t+1] = w; "
      "v[t+1] = max(u[x+2, t+1], min(u[t+1], w[x-1, t+1])); }");
  const int field = 0;
  const ir::ExprPtr made = stencil.updates[stencil.update_of(field)].cases[0].value;
  const ir::ExprPtr reader = stencil.updates[stencil.update_of(1)].cases[0].value;
  const auto of = [&](int f) { return f == field ? made : nullptr; };
  EXPECT_EQ(ir::print(expand(reader, of), stencil),
            "max(mul(u[x+2, y-1], f32((x+2))), min(mul(u[y-1], f32(x)), w[x-1, t+1]))");
  EXPECT_EQ(expand(made, of), made);  // what does not change stays the node it was
  EXPECT_EQ(expand(nullptr, of), nullptr);
}

TEST(PlanExpand, LimitsHoldInsideWhereTheyLeaveOutTheRimAlone) {
  using Limits = std::vector<ir::Limit>;
  const auto holds = [](const Limits& limits) { return holds_inside({limits, nullptr}); };
  const ir::Limit from_low{0, false, false, 2}, to_high{0, true, true, -2};
  const ir::Limit below{0, true, false, 2}, above{0, false, true, -2};
  EXPECT_TRUE(holds({}));
  EXPECT_TRUE(holds({from_low, to_high}));
  EXPECT_FALSE(holds({below}));
  EXPECT_FALSE(holds({above}));
  EXPECT_FALSE(holds({from_low, below}));
}

}  // namespace
}  // namespace stencilc::plan
