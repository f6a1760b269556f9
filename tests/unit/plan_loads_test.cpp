// Loads through textures, as schedules ask for them.
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

}  // namespace
}  // namespace stencilc::plan
