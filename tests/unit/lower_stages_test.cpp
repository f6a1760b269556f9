// The launches of a step: their kernels, what each is given, and when it runs.
#include <gtest/gtest.h>

#include <sstream>

#include "lower/lower.h"
#include "support/analysed.h"

namespace stencilc::lower {
namespace {

using Names = std::vector<std::string>;
using kernel::BufferArg;
using kernel::Launch;

kernel::Module lowered(const std::string& program, const std::string& schedule = "coarsened") {
  const ir::Stencil stencil = testing::canonical("stencil s { axes x, y; " + program + " }");
  const bool cpu = schedule.starts_with("loops");
  const plan::Target target = cpu ? plan::Target::cpu : plan::Target::cuda;
  const plan::Choice choice = plan::parse(schedule, stencil, target);
  EXPECT_EQ(choice.problem, "");
  kernel::Module module = lower(stencil, choice.schedule, target);
  for (const Launch& launch : module.launches)
    EXPECT_EQ(kernel::verify(launch.kernel), Names{}) << kernel::print(launch.kernel);
  return module;
}

// "update_v_and_reduce asked": a launch's kernel, and when it runs if that is not always.
std::string title(const Launch& launch) {
  constexpr const char* kWhen[] = {"", " asked", " unasked"};
  return launch.kernel.name + kWhen[launch.when];
}
Names titles(const kernel::Module& module) {
  Names result;
  for (const Launch& launch : module.launches) result.push_back(title(launch));
  return result;
}
Names buffers(const Launch& launch) {
  Names result;
  for (const kernel::Buffer& buffer : launch.kernel.buffers)
    result.push_back(buffer.name + (buffer.writable ? "!" : ""));
  return result;
}
// The slots of the rotating arrays that the launch gets, in the order of its buffers.
std::vector<int> slots(const Launch& launch) {
  std::vector<int> result;
  for (const BufferArg& arg : launch.buffer_args) result.push_back(arg.slot);
  return result;
}
template <class Node>
std::vector<Node> all(const kernel::Body& body) {
  std::vector<Node> result;
  for (const kernel::Stmt& stmt : body) {
    if (const auto* node = std::get_if<Node>(&stmt.node)) result.push_back(*node);
    std::vector<kernel::Body> inner;
    if (const auto* loop = std::get_if<kernel::For>(&stmt.node)) inner = {loop->body};
    if (const auto* condition = std::get_if<kernel::If>(&stmt.node))
      inner = {condition->yes, condition->no};
    for (const kernel::Body& part : inner)
      for (const Node& node : all<Node>(part)) result.push_back(node);
  }
  return result;
}

const std::string kChain =
    "field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = v + u[x-1, t+1]; ";

TEST(LowerStages, UpdatesThatAreFusedAreOneStep) {
  const kernel::Module module = lowered(kChain, "coarsened,stages=recompute");
  EXPECT_EQ(titles(module), Names{"step"});
  EXPECT_EQ(buffers(module.launches[0]), (Names{"u_new!", "v!", "u"}));
  EXPECT_EQ(slots(module.launches[0]), (std::vector<int>{1, 0, 0}));
  EXPECT_EQ(module.grids[0].buffers, 2);  // other cells read level t of u
  EXPECT_EQ(module.grids[1].buffers, 1);
}

TEST(LowerStages, UpdatesThatAreSplitAreNamedByWhatTheyMake) {
  for (const std::string schedule : {"naive,stages=split", "loops,stages=split"}) {
    const kernel::Module module = lowered(kChain, schedule);
    EXPECT_EQ(titles(module), (Names{"update_u", "update_v"})) << schedule;
    EXPECT_EQ(buffers(module.launches[0]), Names{"u!"});
    EXPECT_EQ(buffers(module.launches[1]), (Names{"v!", "u"}));
    EXPECT_EQ(module.grids[0].buffers, 1);
  }
}

TEST(LowerStages, ALaterLaunchReadsWhereTheEarlierWrote) {
  const kernel::Module module =
      lowered("field f32 u, v boundary clamp; u[t+1] = u[y-1]; v[t+1] = u + u[x-1, t+1];",
              "naive,stages=split");
  ASSERT_EQ(titles(module), (Names{"update_u", "update_v"}));
  EXPECT_EQ(buffers(module.launches[0]), (Names{"u_new!", "u"}));
  EXPECT_EQ(slots(module.launches[0]), (std::vector<int>{1, 0}));
  EXPECT_EQ(buffers(module.launches[1]), (Names{"v!", "u", "u_new"}));
  EXPECT_EQ(slots(module.launches[1]), (std::vector<int>{0, 0, 1}));
}

TEST(LowerStages, AnUpdateRunsWithItsReductionsOnlyWhereTheyAreAsked) {
  const kernel::Module module =
      lowered("field f32 u boundary clamp; u[t+1] = u[x-1]; reduce r = max(abs(u[t+1] - u));");
  ASSERT_EQ(titles(module), (Names{"step unasked", "step_and_reduce asked"}));
  const Launch &unasked = module.launches[0], &asked = module.launches[1];
  EXPECT_EQ(buffers(unasked), (Names{"u_new!", "u"}));
  EXPECT_TRUE(unasked.folds.empty());
  EXPECT_TRUE(all<kernel::Combine>(unasked.kernel.body).empty());
  EXPECT_EQ(buffers(asked), (Names{"u_new!", "r_partials!", "u"}));
  EXPECT_EQ(asked.buffer_args[1].kind, BufferArg::partials);
  EXPECT_EQ(asked.folds, std::vector<int>{0});
  EXPECT_EQ(all<kernel::Combine>(asked.kernel.body).size(), 2u);  // inside and at the rim
  ASSERT_EQ(module.reductions.size(), 1u);
  EXPECT_EQ(module.reductions[0].name, "r");
  EXPECT_EQ(module.reductions[0].fold, kernel::Fold::greatest);
  EXPECT_FALSE(module.reductions[0].root);
}

TEST(LowerStages, ANormIsTheRootOfASum) {
  const kernel::Module module =
      lowered("field f64 u; u[t+1] = 2*u; reduce r = norm2(u[t+1] - u); ");
  ASSERT_EQ(module.reductions.size(), 1u);
  EXPECT_EQ(module.reductions[0].fold, kernel::Fold::sum);
  EXPECT_EQ(module.reductions[0].type, kernel::Type::f64);
  EXPECT_TRUE(module.reductions[0].root);
}

TEST(LowerStages, AReductionThatUpdatesReadIsMadeInEveryStep) {
  const kernel::Module module =
      lowered("field f32 u; u[t+1] = u / total; reduce total = sum(u); reduce most = max(u);");
  EXPECT_EQ(titles(module), (Names{"reduce", "reduce_2 asked", "step"}));
  EXPECT_TRUE(module.reductions[0].every_step);
  EXPECT_FALSE(module.reductions[1].every_step);
  const Launch& step = module.launches[2];
  EXPECT_EQ(buffers(step), (Names{"u!", "total"}));
  EXPECT_EQ(step.buffer_args[1].kind, BufferArg::result);
}

TEST(LowerStages, TheLoopsOfTheCpuStoreThePartOfEachCell) {
  const kernel::Module module =
      lowered("field f32 u; u[t+1] = 2*u; reduce r = sum(u[t+1]);", "loops");
  ASSERT_EQ(titles(module), (Names{"step unasked", "step_and_reduce asked"}));
  const kernel::Body& body = module.launches[1].kernel.body;
  EXPECT_TRUE(all<kernel::Combine>(body).empty());
  int stores = 0;
  for (const kernel::Store& store : all<kernel::Store>(body))
    stores += store.buffer.name == "r_partials";
  EXPECT_GE(stores, 1);
}

TEST(LowerStages, RunTimeWeightsArePassedByValue) {
  const kernel::Module module = lowered(
      "weights f64 w[-1..1, 0..2], unused[0..0]; field f64 u; u[t+1] = w[1, 2]*u + w[-1, 0];");
  ASSERT_EQ(module.weights.size(), 2u);
  EXPECT_EQ(module.weights[0].name, "w");
  EXPECT_EQ(module.weights[0].count, 9);
  EXPECT_EQ(module.weights[0].type, kernel::Type::f64);
  EXPECT_TRUE(module.weights[0].used);
  EXPECT_FALSE(module.weights[1].used);
  const Launch& step = module.launches.at(0);
  ASSERT_EQ(buffers(step), (Names{"u!", "w"}));
  EXPECT_EQ(step.kernel.buffers[1].constants, 9);
  EXPECT_EQ(step.buffer_args[1].kind, BufferArg::weights);
}

TEST(LowerStages, ColoursRunOneAfterTheOtherInOneBuffer) {
  const kernel::Module module = lowered(
      "color a, b, c by (x + 2*y) % 3; field f32 p boundary { x: periodic; y: zero; }; "
      "field f32 f in; p = 0.5*p[x-1] + p[y+1] + f;");
  EXPECT_EQ(module.colors, 3);
  ASSERT_EQ(module.grids.size(), 2u);
  EXPECT_EQ(module.grids[0].role, kernel::Grid::in_place);
  EXPECT_EQ(module.grids[0].buffers, 1);
  ASSERT_GE(module.multiples.size(), 2u);
  EXPECT_EQ(module.multiples[0], 3);  // around the periodic axis
  EXPECT_EQ(module.multiples[1], 1);
  ASSERT_EQ(titles(module), Names{"step"});
  EXPECT_EQ(buffers(module.launches[0]), (Names{"p!", "f"}));
  bool told = false;
  for (const kernel::Param& param : module.launches[0].kernel.params) told |= param.name == "color";
  EXPECT_TRUE(told);
}

TEST(LowerStages, TheNumberOfTheStepIsAnArgumentWhereItIsAValue) {
  EXPECT_FALSE(lowered("field f32 u; u[t+1] = 2*u;").time);
  const kernel::Module module = lowered("field f32 u; u[t+1] = u + f32(t);");
  EXPECT_TRUE(module.time);
  EXPECT_EQ(module.launches.at(0).kernel.params.at(0).type, kernel::Type::i64);
}

TEST(LowerStages, IterateIsAConditionOfTheHost) {
  const std::string u = "param f32 tol = 1; field f32 u; u[t+1] = 2*u; reduce r = sum(u[t+1]); ";
  EXPECT_FALSE(lowered(u).iterate.given);
  const kernel::Module times = lowered(u + "iterate 7 times;");
  EXPECT_TRUE(times.iterate.given);
  EXPECT_EQ(times.iterate.limit, 7);
  EXPECT_EQ(times.iterate.until, nullptr);
  const kernel::Module until = lowered(u + "iterate until r < tol, check every 5, limit 100;");
  EXPECT_EQ(until.iterate.limit, 100);
  EXPECT_EQ(until.iterate.every, 5);
  ASSERT_NE(until.iterate.until, nullptr);
  EXPECT_EQ(until.iterate.until->type, kernel::Type::boolean);
}

// Beyond a side of the caller lies memory: such reads need no edge cells. What is recomputed has
// none there, and is taken from level t.
TEST(LowerStages, HalosOfTheCaller) {
  const auto conditions = [](const kernel::Module& module) {
    Names result;
    for (const Launch& launch : module.launches) {
      std::istringstream lines(kernel::print(launch.kernel));
      for (std::string line; std::getline(lines, line);)
        if (const size_t at = line.find_first_not_of(' '); line.find("if ", at) == at)
          result.push_back(line.substr(at + 3));
    }
    return result;
  };
  const std::string guard = "((x < nx) && (y < ny))";
  const kernel::Module all_sides =
      lowered("field f32 u boundary ghost; u[t+1] = u[x-3] + u[x+2, y+1];", "naive");
  EXPECT_EQ(conditions(all_sides), Names{guard});
  EXPECT_EQ(all_sides.halo, (std::vector<int>{3, 1}));
  const kernel::Module one_side = lowered(
      "field f32 u boundary { x.lo: ghost; x.hi: clamp; } u[t+1] = u[x-3] + u[x+2];", "naive");
  EXPECT_EQ(one_side.grids[0].halo, (std::vector<int>{3, 0}));
  EXPECT_EQ(conditions(one_side), (Names{"(interior_x && interior_y)", guard}));
  const std::string chain =
      "field f32 u boundary ghost; field f32 v; u[t+1] = 2*u; v[t+1] = v + u[x-1, t+1]; ";
  EXPECT_EQ(conditions(lowered(chain, "naive,stages=split")), (Names{guard, guard}));
  EXPECT_EQ(conditions(lowered(chain, "naive,stages=recompute")),
            (Names{"(interior_x && interior_y)", guard, "(x_there >= 0)"}));
}

TEST(LowerStages, AFieldOnSomeAxesHasThePitchOfThose) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y, z; field f32 u; field f32 sz(z), p(x, z) in; u[t+1] = sz*p*u; }");
  const kernel::Module module =
      lower(stencil, plan::choose(stencil, plan::Target::cuda, 2), plan::Target::cuda);
  ASSERT_EQ(module.grids.size(), 3u);
  EXPECT_EQ(module.grids[0].axes, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(module.grids[1].axes, std::vector<int>{2});
  EXPECT_EQ(module.grids[2].axes, (std::vector<int>{0, 2}));
  EXPECT_EQ(module.grids[0].pitch, "");
  EXPECT_EQ(module.grids[1].pitch, "");
  EXPECT_EQ(module.grids[2].pitch, "p_pitch");
}

}  // namespace
}  // namespace stencilc::lower
