// Loads through textures, and threads that fill what others share, as schedules ask for them.
#include <gtest/gtest.h>

#include <algorithm>

#include "plan/candidates.h"
#include "plan/neighbours.h"
#include "plan/schedule.h"
#include "support/analysed.h"

namespace stencilc::plan {
namespace {

ir::Stencil stencil_of(const std::string& axes) {
  return testing::canonical("stencil s { axes " + axes +
                            "; field f32 u boundary clamp; u[t+1] = 0.5*laplacian(u); }");
}

TEST(PlanLoads, EverySchedulePrintsThem) {
  const ir::Stencil stencil = stencil_of("x, y");
  for (const std::string text :
       {"naive,threads=32x8", "coarsened,threads=32x8,vector=4,coarsen=y4"}) {
    EXPECT_EQ(print(parse(text + ",loads=texture", stencil, Target::cuda).schedule, stencil),
              text + ",loads=texture");
    EXPECT_EQ(print(parse(text + ",loads=plain", stencil, Target::cuda).schedule, stencil), text);
  }
}

TEST(PlanLoads, CopiesDoNotPassThroughTextures) {
  const ir::Stencil stencil = stencil_of("x, y, z");
  const auto problem = [&](const std::string& more) {
    return parse("coarsened,vector=4,coarsen=z8,loads=texture" + more, stencil, Target::cuda)
        .problem;
  };
  EXPECT_EQ(problem(",shared=loads"), "");
  EXPECT_EQ(problem(",shared=none"), "");
  for (const std::string shared : {"async", "boxes"})
    EXPECT_EQ(problem(",shared=" + shared),
              "`loads=texture` with `shared=" + shared +
                  "`: copies do not pass through a texture; give `shared=loads` or `shared=none`");
  EXPECT_EQ(problem(",loads=linear"), "`loads=linear`; loads are plain or go through a texture");
}

TEST(PlanLoads, TheyAreTried) {
  for (const std::string axes : {"x", "x, y", "x, y, z"}) {
    const ir::Stencil stencil = stencil_of(axes);
    const auto has = [](const std::vector<std::string>& list, const std::string& part) {
      return std::any_of(list.begin(), list.end(), [&](const std::string& text) {
        return text.find("loads=texture") != std::string::npos &&
               text.find(part) != std::string::npos;
      });
    };
    const auto all = candidates(stencil, Target::cuda, any_device());
    EXPECT_TRUE(has(all, "naive")) << axes;
    EXPECT_TRUE(has(all, "vector=4")) << axes;
    EXPECT_TRUE(has(all, "shared=loads")) << axes;
    EXPECT_TRUE(has(neighbours("naive", stencil, Target::cuda, any_device()), "naive")) << axes;
  }
}

TEST(PlanProducers, AreWarpsBesideThoseThatCompute) {
  const ir::Stencil stencil = stencil_of("x, y, z");
  const Device& device = *find_device("sm_90");
  for (const auto& [threads, more] : {std::pair{"32x8", 32}, {"64x4", 64}, {"16x4", 32}}) {
    const std::string text = "coarsened,threads=" + std::string(threads) +
                             ",vector=4,rows=2,coarsen=z16,sums=gather,shared=boxes,ahead=2";
    const Choice choice = parse(text + ",fill=producers", stencil, Target::cuda, device);
    ASSERT_EQ(choice.problem, "") << threads;
    const Schedule& schedule = choice.schedule;
    EXPECT_TRUE(print(schedule, stencil).ends_with(",shared=boxes,ahead=2,fill=producers"))
        << print(schedule, stencil);
    EXPECT_EQ(schedule.block_threads(), schedule.threads[0] * schedule.threads[1] + more);
    EXPECT_EQ(schedule.tile()[1], 2 * schedule.threads[1]);
    EXPECT_EQ(parse(text, stencil, Target::cuda, device).schedule.producers(), 0);
  }
}

TEST(PlanProducers, FillPlanesThatAreCopied) {
  const Device& device = *find_device("sm_90");
  const auto problem = [&](const std::string& text, const std::string& axes = "x, y, z") {
    return parse("coarsened," + text + ",fill=producers", stencil_of(axes), Target::cuda, device)
        .problem;
  };
  const std::string copied =
      "`fill=producers` is for planes that are copied while a block marches along the third axis: "
      "give `shared=boxes` or `shared=async` and `coarsen`, in 3-D";
  EXPECT_EQ(problem("vector=4,coarsen=z16,shared=async"), "");
  EXPECT_EQ(problem("vector=4,coarsen=z16,shared=loads"), copied);
  EXPECT_EQ(problem("vector=4,coarsen=z16,shared=none"), copied);
  EXPECT_EQ(problem("vector=4,coarsen=y4,shared=boxes", "x, y"), copied);
  EXPECT_EQ(problem("threads=8x2,vector=4,coarsen=z16,shared=boxes"),
            "`fill=producers` with 16 threads that compute: they have to be whole warps");
  EXPECT_EQ(problem("threads=32x32,vector=4,coarsen=z16,shared=boxes"),
            "`fill=producers` with 1024 threads that compute: with 32 more, which fill, a block "
            "has more than 1024");
  EXPECT_EQ(problem("threads=32x8,vector=4,coarsen=z16,shared=boxes,resident=8"),
            "`resident=8` with blocks of 288 threads, of which a multiprocessor holds 7");
}

}  // namespace
}  // namespace stencilc::plan
