// Launches of a step with shapes of their own: how they are written, what they keep of the step,
// and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "plan/model/one_step.h"
#include "plan/schedule/marched_values.h"
#include "plan/search/plan.h"
#include "plan/syntax/parse_schedule.h"
#include "plan/syntax/print_schedule.h"
#include "support/planned.h"
#include "support/rows.h"
#include "support/text.h"

namespace stencilc::plan {
namespace {

using testing::expect_rows;

// Three launches with `global=g`: of `g` and `w`, of `v`, and of `u`.
const ir::Stencil& stages() {
  static const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y; field f64 u, v, w boundary clamp; let g = u*u + 1; w[t+1] = 0.5*w; "
      "v[t+1] = 1/(g[x-1] + g[y+1]); u[t+1] = v[x+1, t+1] + v[y-1, t+1]; }");
  return stencil;
}

Choice read(const std::string& text) {
  return parse(text, stages(), Target::cuda, *find_device("sm_90"));
}

std::string again(const std::string& text) {
  const Choice choice = read(text);
  return choice.problem.empty() ? print(choice.schedule, stages()) : choice.problem;
}

TEST(PlanLaunches, AShapeIsReadAndPrinted) {
  for (const std::string text :
       {"naive,threads=32x8,launch=u(naive,threads=64x4,registers=128)",
        "naive,threads=32x8,launches=early,global=g,"
        "launch=g(coarsened,threads=32x4,vector=2,coarsen=y4),"
        "launch=u(coarsened,threads=64x4,vector=1,coarsen=y8,loads=texture)",
        "coarsened,threads=32x4,vector=2,coarsen=y1,edges=cells,global=g,"
        "launch=v(naive,threads=32x4,order=neighbours)",
        "naive,threads=32x8,stages=split,launch=v(naive,threads=8x4,tile=g)"})
    EXPECT_EQ(again(text), text);
  // A field that the launch also stores names it, too.
  const Schedule schedule =
      read("naive,launches=early,global=g,launch=w(naive,threads=8x4)").schedule;
  const ir::Stencil placed =
      testing::canonical("stencil s { axes x, y; field f64 w boundary clamp; w[t+1] = w; }");
  const Launch launch = plan::stages(placed, Fusion::best, true).launches[0];
  const Schedule own = schedule.of_launch(placed, launch);
  EXPECT_EQ(own.threads, (std::array{8, 4, 1}));
  EXPECT_TRUE(own.early);
  EXPECT_EQ(own.global, std::vector<std::string>{"g"});
}

TEST(PlanLaunches, WhatCannotBeIsRefused) {
  expect_rows(again, R"(
    naive,launch=u(naive)   => naive,threads=32x8,launch=u(naive,threads=32x8)
    naive,launch=w(naive,threads=8),launch=u(naive,threads=8) => naive,threads=32x8,launch=w(naive,threads=8x1),launch=u(naive,threads=8x1)
    naive,launch=q(naive)   => `launch=q`: no launch stores `q`; launches store `w`, `v`, `u`
    naive,launch=g(naive)   => `launch=g`: no launch stores `g`; launches store `w`, `v`, `u`
    naive,launch=u          => `launch=u`: write a field or a value and the shape of the launch that stores it, as in `launch=u(naive,threads=32x4)`
    naive,launch            => `launch=`: write a field or a value and the shape of the launch that stores it, as in `launch=u(naive,threads=32x4)`
    naive,launch=u(naive    => `launch=u`: write a field or a value and the shape of the launch that stores it, as in `launch=u(naive,threads=32x4)`
    naive,launch=u(tiled)   => `launch=u`: there is no schedule `tiled`; the schedules are naive and coarsened
    naive,launch=u(naive),launch=u(naive) => `launch=u`: this launch has a shape already
    naive,launch=w(naive),launch=v(naive) => `launch=v`: this is the launch of `w`, too, which has a shape already
    naive,launch=u(naive,stages=split)    => `launch=u`: `stages` is for all launches of a step; write it outside of the parentheses
    naive,launch=u(naive,global=g)        => `launch=u`: `global` is for all launches of a step; write it outside of the parentheses
    naive,launch=u(naive,vector=2)        => `launch=u`: `vector` cannot be used with `naive`, where a thread computes one cell; write `coarsened`
    naive,launch=u(coarsened,threads=8x8,sides=lanes) => `launch=u`: `sides=lanes` needs a multiple of 32 threads along x, and the schedule has 8
    naive,stages=recompute,launch=u(naive) => `launch=u`: a step has one launch; write its shape without `launch`
    coarsened,threads=32x4,vector=2,rows=2,steps=2,launch=u(naive) => `steps=2` cannot be combined with `launch`, because a launch takes whole steps
  )");
  const Choice boxes = parse("naive,launch=u(coarsened,vector=4,shared=boxes)", stages(),
                             Target::cuda, *find_device("sm_80"));
  EXPECT_EQ(boxes.problem,
            "`launch=u`: `shared=boxes` needs sm_90 or newer, and the target is sm_80");
  EXPECT_TRUE(boxes.of_device);
  EXPECT_EQ(parse("loops,launch=u(loops)", stages(), Target::cpu).problem,
            "the schedule `loops` has no part `launch`; its parts are `stages`, `setup`, `global` "
            "and `fission`");
}

// Each launch takes as long as in a step whose launches all have its shape.
TEST(PlanLaunches, TheForecastIsThatOfEachShape) {
  const Device& device = *find_device("sm_90");
  const std::array<int64_t, 3> extents = usual_extents(2);
  const auto launches = [&](const std::string& text) {
    return forecast(stages(), read(text).schedule, device, extents).launches;
  };
  const std::string columns = "coarsened,threads=32x4,vector=2,coarsen=y4";
  const auto naive = launches("naive"), coarsened = launches(columns),
             mixed = launches("naive,launch=u(" + columns + ")");
  ASSERT_EQ(mixed.size(), 2u);
  EXPECT_EQ(mixed[0].together, naive[0].together);
  EXPECT_EQ(mixed[1].together, coarsened[1].together);
  EXPECT_NE(mixed[1].together, naive[1].together);
}

TEST(PlanLaunches, ThePlanGivesEachLaunchItsShape) {
  const Schedule schedule =
      read("naive,stages=split,launch=u(coarsened,threads=16x4,vector=2,coarsen=y4)").schedule;
  const Plan plan = make_plan(stages(), schedule, Target::cuda);
  ASSERT_EQ(plan.launches().size(), 2u);
  EXPECT_EQ(plan.shape_of(stages(), plan.launches()[0]).vector, 1);
  EXPECT_EQ(plan.shape_of(stages(), plan.launches()[1]).vector, 2);
  EXPECT_EQ(plan.widest_vector(), 2);
  // Warps that fold hold 32 cells of a row.
  EXPECT_EQ(plan.shape_of(stages(), plan.launches()[1], true).vector, 1);
  testing::expect_has(plan.stages.reasons.back(), {"the launch of `u` has a shape of its own"});
  // Of boxes of a grid few cells are near the boundary.
  Parts boxes;
  boxes.boxes = true;
  const Schedule edges = read("naive,stages=split,launch=u(naive,edges=cells)").schedule;
  const Plan cut = make_plan(stages(), edges, Target::cuda, any_device(), boxes);
  EXPECT_FALSE(cut.shape_of(stages(), cut.launches()[1]).edge_cells);
}

// Blocks that go through planes: `a` is read along z in the own column, `b` beside it, `c` both.
TEST(PlanLaunches, ValuesInPlanes) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y, z; field f64 u boundary periodic; let a = u*u + 1; "
      "let b = u*u[z+2] + 2; let c = u*u[x-1] + 3; "
      "u[t+1] = a[z-1] - a[z+2] + b[x-1]*b[y+2] + c[y+1]*c[z+1] - c[z-3]; }");
  const auto parsed = [&](const std::string& text) {
    return parse(text, stencil, Target::cuda, *find_device("sm_90"));
  };
  Survey survey(stencil);
  const Launch& launch = survey.best().launches[0];
  const std::string shape = "coarsened,threads=32x8x1,vector=1,coarsen=z16,tile=all,shared=";
  const Schedule plain = parsed(shape + "none").schedule;
  const MarchedValues values = marched_values(stencil, launch, plain);
  ASSERT_EQ(values.of.size(), 3u);
  EXPECT_TRUE(values.fields.empty());
  const auto of = [&](const std::string& name) {
    const auto found = std::ranges::find(values.values.values, name, &StagedValue::name);
    return values.of[found - values.values.values.begin()];
  };
  EXPECT_FALSE(of("a").shared);
  EXPECT_EQ(std::pair(of("a").low, of("a").lead), std::pair(-1, 2));
  EXPECT_EQ(of("a").first, -3);
  EXPECT_TRUE(of("b").shared && of("b").cross);
  EXPECT_EQ(std::pair(of("b").from, of("b").to), std::pair(0, 0));
  EXPECT_EQ(of("b").slots, 2);  // the next pass does not wait for this one
  EXPECT_EQ(of("b").first, 0);
  EXPECT_EQ(of("b").around.low, (ir::Offset{1, 0, 0}));
  EXPECT_EQ(of("b").around.high, (ir::Offset{0, 2, 0}));
  // What others read of `c` is in the own plane; the thread itself is a plane ahead.
  EXPECT_EQ(std::pair(of("c").from, of("c").to), std::pair(0, 0));
  EXPECT_EQ(std::pair(of("c").low, of("c").lead), std::pair(-3, 1));
  EXPECT_EQ(values.early(), 4);
  EXPECT_EQ(values.bytes(stencil, {32, 8, 16}), 2 * 8 * (33 * 10 + 32 * 9));
  EXPECT_EQ(staged_bytes(stencil, {launch}, plain), 2 * 8 * (33 * 10 + 32 * 9));
  // With what is copied of `u`: for b around the block the planes 0 and 2, for c ahead of it 1.
  const MarchedValues copied = marched_values(stencil, launch, parsed(shape + "async").schedule);
  ASSERT_EQ(copied.fields.size(), 1u);
  EXPECT_EQ(std::pair(copied.fields[0].from, copied.fields[0].to), std::pair(0, 2));
  EXPECT_EQ(copied.of[0].slots + copied.of[1].slots + copied.of[2].slots, 2);
  EXPECT_EQ(copied.wraps, (std::array{true, true, true}));
  // A block of several planes of threads has tiles.
  EXPECT_TRUE(marched_values(stencil, launch,
                             parsed("coarsened,threads=8x8x2,vector=1,coarsen=z2,shared=none,"
                                    "tile=all")
                                 .schedule)
                  .empty());
  EXPECT_EQ(parsed(shape + "loads").problem,
            "`shared=loads` cannot be combined with `tile`, which has the shared memory; write "
            "`shared=none` or `shared=async`");
  EXPECT_EQ(parsed("coarsened,threads=32x32x1,vector=1,coarsen=z16,tile=all,shared=async").problem,
            "");
  // Threads have rows in planes alone.
  const Schedule rows = parsed("coarsened,threads=32x4x1,coarsen=z16,rows=2,tile=all").schedule;
  EXPECT_EQ(rows.tile(), (std::array{32, 8, 16}));
  EXPECT_EQ(staged_bytes(stencil, {launch}, rows), staged_bytes(stencil, {launch}, plain));
  EXPECT_EQ(parsed("coarsened,threads=32x4x1,vector=1,coarsen=y4,rows=2,tile=all").problem,
            "`rows` needs a `vector` of two cells or more");
}

}  // namespace
}  // namespace stencilc::plan
