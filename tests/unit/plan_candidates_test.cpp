// The schedules that `stencilc bench --schedules=all` times.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "plan/candidates.h"
#include "support/analysed.h"

namespace stencilc::plan {
namespace {

bool has(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

TEST(PlanCandidates, AreLegalPrintedAndDifferent) {
  for (const std::string axes : {"x", "x, y", "x, y, z"}) {
    const ir::Stencil stencil = testing::canonical(
        "stencil s { axes " + axes + "; field f32 u boundary clamp; u[t+1] = 0.5*laplacian(u); }");
    const std::vector<std::string> list = candidates(stencil, Target::cuda);
    EXPECT_GT(list.size(), 10u);
    EXPECT_EQ(std::set<std::string>(list.begin(), list.end()).size(), list.size());
    for (const std::string& text : list) {
      const Choice choice = parse(text, stencil, Target::cuda);
      EXPECT_EQ(choice.problem, "") << text;
      EXPECT_EQ(print(choice.schedule, stencil), text);
    }
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
    EXPECT_LT(list.size(), 80u);
  }
}

TEST(PlanCandidates, OfColoursHaveNoVectors) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y; field f32 p boundary zero; color a, b by (x+y) % 2; p = p[x-1] + "
      "p[y+1]; }");
  const std::vector<std::string> list = candidates(stencil, Target::cuda);
  EXPECT_GT(list.size(), 10u);
  for (const std::string& text : list) EXPECT_EQ(text.find("vector"), std::string::npos) << text;
}

TEST(PlanCandidates, SplitAndRecomputedStagesAreTriedWhereTheyDiffer) {
  const std::string fields = "stencil s { axes x, y; field f32 u, v boundary clamp; ";
  const ir::Stencil alone = testing::canonical(fields + "u[t+1] = 2*u[x-1]; v[t+1] = v[y-1]; }");
  EXPECT_EQ(candidates(alone, Target::cpu), std::vector<std::string>{"loops"});
  const ir::Stencil chain =
      testing::canonical(fields + "u[t+1] = 2*u[x-1]; v[t+1] = v + u[x-1, t+1]; }");
  EXPECT_EQ(candidates(chain, Target::cpu),
            (std::vector<std::string>{"loops", "loops,stages=split"}));
}

}  // namespace
}  // namespace stencilc::plan
