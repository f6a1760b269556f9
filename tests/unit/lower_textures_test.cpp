// What kernels fetch through textures, and what they load.
#include <gtest/gtest.h>

#include "kernel/build.h"
#include "lower/lower.h"
#include "plan/schedule.h"
#include "support/analysed.h"

namespace stencilc::lower {
namespace {

kernel::Module module_of(const std::string& axes, const std::string& statements,
                         const std::string& schedule) {
  const ir::Stencil stencil =
      testing::canonical("stencil s { axes " + axes + "; " + statements + " }");
  const plan::Choice choice = plan::parse(schedule + ",loads=texture", stencil, plan::Target::cuda);
  EXPECT_EQ(choice.problem, "") << schedule;
  kernel::Module module = lower(stencil, choice.schedule, plan::Target::cuda);
  for (const kernel::Launch& launch : module.launches)
    EXPECT_EQ(kernel::verify(launch.kernel), std::vector<std::string>{}) << schedule;
  return module;
}
// u:4 c:0 ...: the texels of what a launch reads.
std::string texels(const kernel::Launch& launch) {
  std::string text;
  for (const kernel::Buffer& buffer : launch.kernel.buffers)
    text += (text.empty() ? "" : " ") + buffer.name + ":" + std::to_string(buffer.texel);
  return text;
}
std::string texels(const std::string& axes, const std::string& statements,
                   const std::string& schedule) {
  return texels(module_of(axes, statements, schedule).launches.at(0));
}

const std::string kTwo =
    "field f32 u boundary clamp; field f64 c in; u[t+1] = u[x-1] + u + f32(c);";

TEST(LowerTextures, ATexelHoldsWhatAThreadMovesAtOnce) {
  EXPECT_EQ(texels("x, y", kTwo, "naive"), "u_new:0 u:1 c:1");
  EXPECT_EQ(texels("x, y", kTwo, "coarsened,vector=4,coarsen=y2"), "u_new:0 u:4 c:2");
  EXPECT_EQ(texels("x, y", kTwo, "coarsened,vector=16,coarsen=y1"), "u_new:0 u:4 c:2");
  EXPECT_EQ(texels("x, y", kTwo, "coarsened,vector=4,coarsen=y2,shared=loads"), "u_new:0 u:1 c:1");
  EXPECT_EQ(texels("x", "field u8 u boundary periodic; u[t+1] = u[x+1];", "coarsened,vector=16"),
            "u_new:0 u:16");
}

TEST(LowerTextures, WhatALaunchStoresItLoads) {
  const std::string wave = "field f32 u boundary zero; u[t+1] = u[x+1] - u[t-1];";
  const kernel::Module module = module_of("x", wave, "naive");
  EXPECT_EQ(texels(module.launches.at(0)), "u_new:0 u:1");
  EXPECT_EQ(module.launches.at(0).loaded, "it stores into memory of `u` that it reads");
}

TEST(LowerTextures, FieldsWithoutAnAxisAreLoaded) {
  const kernel::Module module = module_of(
      "x, y", "field f32 u boundary zero; field f32 c(y) in; u[t+1] = c * u[x+1];", "naive");
  EXPECT_EQ(texels(module.launches.at(0)), "u_new:0 u:1 c:0");
  EXPECT_EQ(module.launches.at(0).loaded, "`c` has not all axes");
  EXPECT_EQ(module_of("x, y", kTwo, "naive").launches.at(0).loaded, "");
}

TEST(LowerTextures, AStoredTextureIsAProblem) {
  kernel::Kernel kernel = module_of("x, y", kTwo, "naive").launches.at(0).kernel;
  kernel.buffers[0].texel = 1;
  ASSERT_FALSE(kernel::verify(kernel).empty());
  EXPECT_EQ(kernel::verify(kernel)[0], "`u_new` is a texture and stored to");
}

}  // namespace
}  // namespace stencilc::lower
