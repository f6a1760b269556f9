// The launches of a step: their kernels, what each is given and fetches through textures, and when
// it runs.
#include <gtest/gtest.h>

#include "plan/search/choose.h"
#include "support/lowered.h"
#include "support/rows.h"
#include "support/text.h"

namespace stencilc::lower {
namespace {

using Names = std::vector<std::string>;
using kernel::BufferArg;
using kernel::Launch;

kernel::Module lowered(const std::string& items, const std::string& schedule = "coarsened") {
  return testing::lowered("x, y", items, schedule, plan::any_device());
}

// "step asked(u_new! 1, r_partials! partials, u 0)": the kernel of a launch, when it runs if that
// is not always, and its buffers: with slots of rotating arrays, or what they are.
std::string described(const Launch& launch) {
  constexpr const char* kWhen[] = {"", " asked", " unasked"};
  std::string text = launch.kernel.name + kWhen[launch.when] + "(";
  for (size_t n = 0; n < launch.buffer_args.size(); ++n) {
    const kernel::Buffer& buffer = launch.kernel.buffers.at(n);
    const BufferArg& arg = launch.buffer_args[n];
    text += (n == 0 ? "" : ", ") + buffer.name + (buffer.writable ? "! " : " ") +
            (arg.kind == BufferArg::partials  ? "partials"
             : arg.kind == BufferArg::result  ? "result"
             : arg.kind == BufferArg::weights ? "weights of " + std::to_string(buffer.constants)
                                              : std::to_string(arg.slot));
  }
  text += ")";
  for (const int fold : launch.folds) text += " folds " + std::to_string(fold);
  return text;
}
// Of the launches; of the fields, with their buffers; of the reductions.
std::string launches_of(const kernel::Module& module) {
  std::string text;
  for (const Launch& launch : module.launches)
    text += (text.empty() ? "" : ", ") + described(launch);
  return text;
}
std::string fields_of(const kernel::Module& module) {
  std::string text;
  for (const kernel::Grid& grid : module.grids)
    text += (text.empty() ? "" : ", ") + grid.name + " " + std::to_string(grid.buffers);
  return text;
}
std::string reductions_of(const kernel::Module& module) {
  std::string text;
  for (const auto& one : module.reductions)
    text += (text.empty() ? "" : ", ") + one.name +
            (one.fold == kernel::Fold::sum        ? " sum"
             : one.fold == kernel::Fold::greatest ? " greatest"
                                                  : " other") +
            (one.type == kernel::Type::f64 ? " f64" : " f32") + (one.root ? " root" : "") +
            (one.every_step ? " every step" : "");
  return text;
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

// Updates are fused, or named by what they make, and later launches read where the earlier wrote.
// With its reductions an update runs only where they are asked; those that updates read are made in
// every step.
TEST(LowerStages, LaunchesAndWhatTheyAreGiven) {
  for (const testing::Cells& row : testing::rows(R"(
    field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = v + u[x-1, t+1]; => coarsened,stages=recompute
      => step(u_new! 1, v! 0, u 0) => u 2, v 1 =>
    field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = v + u[x-1, t+1]; => naive,stages=split
      => update_u(u! 0), update_v(v! 0, u 0) => u 1, v 1 =>
    field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = v + u[x-1, t+1]; => loops,stages=split
      => update_u(u! 0), update_v(v! 0, u 0) => u 1, v 1 =>
    field f32 u, v boundary clamp; u[t+1] = u[y-1]; v[t+1] = u + u[x-1, t+1]; => naive,stages=split
      => update_u(u_new! 1, u 0), update_v(v! 0, u 0, u_new 1) => u 2, v 1 =>
    field f32 u boundary clamp; u[t+1] = u[x-1]; reduce r = max(abs(u[t+1] - u)); => coarsened
      => step unasked(u_new! 1, u 0), step_and_reduce asked(u_new! 1, r_partials! partials, u 0) folds 0
      => u 2 => r greatest f32
    field f64 u; u[t+1] = 2*u; reduce r = norm2(u[t+1] - u); => coarsened
      => step unasked(u! 0), step_and_reduce asked(u! 0, r_partials! partials) folds 0
      => u 1 => r sum f64 root
    field f32 u; u[t+1] = u / total; reduce total = sum(u); reduce most = max(u); => coarsened
      => reduce(total_partials! partials, u 0) folds 0, reduce_2 asked(most_partials! partials, u 0) folds 1,
         step(u! 0, total result)
      => u 1 => total sum f32 every step, most greatest f32
    field f32 u; u[t+1] = 2*u; reduce r = sum(u[t+1]); => loops
      => step unasked(u! 0), step_and_reduce asked(u! 0, r_partials! partials) folds 0 => u 1 => r sum f32
    weights f64 w[-1..1, 0..2], unused[0..0]; field f64 u; u[t+1] = w[1, 2]*u + w[-1, 0]; => coarsened
      => step(u! 0, w weights of 9) => u 1 =>
    // Colours run one after the other in one buffer.
    color a, b, c by (x + 2*y) % 3; field f32 p boundary { x: periodic; y: zero; }; field f32 f in;
      p = 0.5*p[x-1] + p[y+1] + f; => coarsened => step(p! 0, f 0) => p 1, f 1 =>
  )")) {
    SCOPED_TRACE(row[0] + ", " + row[1]);
    const kernel::Module module = lowered(row[0], row[1]);
    EXPECT_EQ(launches_of(module), row[2]);
    EXPECT_EQ(fields_of(module), row[3]);
    EXPECT_EQ(reductions_of(module), row[4]);
  }
}

// Inside and at the boundary; the loops of the CPU store the part of each cell.
TEST(LowerStages, PartsOfReductionsAreCombinedOrStored) {
  const auto body = [](const std::string& schedule, size_t launch) {
    return lowered("field f32 u boundary clamp; u[t+1] = u[x-1]; reduce r = max(abs(u[t+1] - u));",
                   schedule)
        .launches.at(launch)
        .kernel.body;
  };
  EXPECT_EQ(all<kernel::Combine>(body("coarsened", 0)).size(), 0u);
  EXPECT_EQ(all<kernel::Combine>(body("coarsened", 1)).size(), 2u);
  EXPECT_EQ(all<kernel::Combine>(body("loops", 1)).size(), 0u);
  int stores = 0;
  for (const kernel::Store& store : all<kernel::Store>(body("loops", 1)))
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
}

TEST(LowerStages, ColoursAreSelectedByTheirNumber) {
  const kernel::Module module = lowered(
      "color a, b, c by (x + 2*y) % 3; field f32 p boundary { x: periodic; y: zero; }; "
      "field f32 f in; p = 0.5*p[x-1] + p[y+1] + f;");
  EXPECT_EQ(module.colors, 3);
  EXPECT_EQ(module.grids.at(0).role, kernel::Grid::in_place);
  ASSERT_GE(module.multiples.size(), 2u);
  EXPECT_EQ(module.multiples[0], 3);  // around the periodic axis
  EXPECT_EQ(module.multiples[1], 1);
  bool told = false;
  for (const kernel::Param& param : module.launches[0].kernel.params) told |= param.name == "color";
  EXPECT_TRUE(told);
  const std::string text =
      kernel::print(lowered("color a, b by (x + 1) % 2; field f32 p boundary zero; p = 0.5*p[x-1];")
                        .launches.at(0)
                        .kernel);
  testing::expect_has(text, {"if (((x + 1) mod 2) == color)"});
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
    for (const Launch& launch : module.launches)
      for (const std::string& line : testing::lines_of(kernel::print(launch.kernel)))
        if (const size_t at = line.find_first_not_of(' '); line.find("if ", at) == at)
          result.push_back(line.substr(at + 3));
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
  const ir::Stencil stencil =
      testing::on("x, y, z", "field f32 u; field f32 sz(z), p(x, z) in; u[t+1] = sz*p*u;");
  const kernel::Module module = lower(
      stencil,
      plan::make_plan(stencil, plan::choose(stencil, plan::Target::cuda, 2), plan::Target::cuda));
  ASSERT_EQ(module.grids.size(), 3u);
  EXPECT_EQ(module.grids[0].axes, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(module.grids[1].axes, std::vector<int>{2});
  EXPECT_EQ(module.grids[2].axes, (std::vector<int>{0, 2}));
  EXPECT_EQ(module.grids[0].pitch, "");
  EXPECT_EQ(module.grids[1].pitch, "");
  EXPECT_EQ(module.grids[2].pitch, "p_pitch");
}

Launch with_textures(const std::string& axes, const std::string& items,
                     const std::string& schedule) {
  return testing::lowered(axes, items, schedule + ",loads=texture", plan::any_device())
      .launches.at(0);
}
// u:4 c:0 ...: the texels of what a launch reads; and why it loads some of that.
std::string texels(const Launch& launch) {
  std::string text;
  for (const kernel::Buffer& buffer : launch.kernel.buffers)
    text += (text.empty() ? "" : " ") + buffer.name + ":" + std::to_string(buffer.texel);
  return text + (launch.loaded.empty() ? "" : "; " + launch.loaded);
}
const std::string kTwo =
    "field f32 u boundary clamp; field f64 c in; u[t+1] = u[x-1] + u + f32(c);";

TEST(LowerTextures, ATexelHoldsWhatAThreadMovesAtOnce) {
  const auto of_two = [](const std::string& schedule) {
    return texels(with_textures("x, y", kTwo, schedule));
  };
  EXPECT_EQ(of_two("naive"), "u_new:0 u:1 c:1");
  EXPECT_EQ(of_two("coarsened,vector=4,coarsen=y2"), "u_new:0 u:4 c:2");
  EXPECT_EQ(of_two("coarsened,vector=16,coarsen=y1"), "u_new:0 u:4 c:2");
  EXPECT_EQ(of_two("coarsened,vector=4,coarsen=y2,shared=loads"), "u_new:0 u:1 c:1");
  EXPECT_EQ(texels(with_textures("x", "field u8 u boundary periodic; u[t+1] = u[x+1];",
                                 "coarsened,vector=16")),
            "u_new:0 u:16");
}

TEST(LowerTextures, WhatIsStoredOrHasNotAllAxesIsLoaded) {
  EXPECT_EQ(
      texels(with_textures("x", "field f32 u boundary zero; u[t+1] = u[x+1] - u[t-1];", "naive")),
      "u_new:0 u:1; it stores into the memory of `u` that it reads");
  EXPECT_EQ(
      texels(with_textures(
          "x, y", "field f32 u boundary zero; field f32 c(y) in; u[t+1] = c * u[x+1];", "naive")),
      "u_new:0 u:1 c:0; `c` does not have all axes");
}

TEST(LowerTextures, AStoredTextureIsAProblem) {
  kernel::Kernel kernel = with_textures("x, y", kTwo, "naive").kernel;
  kernel.buffers[0].texel = 1;
  ASSERT_FALSE(kernel::verify(kernel).empty());
  EXPECT_EQ(kernel::verify(kernel)[0], "`u_new` is a texture and stored to");
}

}  // namespace
}  // namespace stencilc::lower
