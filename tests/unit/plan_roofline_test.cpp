// How fast a step can be at most.
#include <gtest/gtest.h>

#include "plan/roofline.h"
#include "support/analysed.h"

namespace stencilc::plan {
namespace {

std::optional<Roofline> roofline(const std::string& text, const std::string& device) {
  return roofline_of(testing::canonical("stencil s { axes x, y; " + text + " }"),
                     *find_device(device));
}
std::string star(const std::string& type) {
  return "field " + type + " u boundary zero; u[t+1] = 0.5*u[x-1] + 0.25*u[x+1] + 0.2*u;";
}

TEST(PlanRoofline, TheMeasuredCopyIsTheRoofOfTheMemory) {
  const auto h200 = roofline(star("f32"), "sm_90");
  ASSERT_TRUE(h200);
  EXPECT_TRUE(h200->copied);
  EXPECT_DOUBLE_EQ(h200->rate, 4240);
  EXPECT_DOUBLE_EQ(h200->by_memory, 4240e9 / 8);
  const auto a100 = roofline(star("f64"), "sm_80");
  ASSERT_TRUE(a100);
  EXPECT_FALSE(a100->copied);
  EXPECT_DOUBLE_EQ(a100->by_memory, 1555e9 / 16);
}

TEST(PlanRoofline, InstructionsBeginOnTheLanesOfTheirType) {
  EXPECT_DOUBLE_EQ(*roofline(star("f32"), "sm_90")->by_arithmetic, 132 * 1.98e9 * 128 / 3);
  EXPECT_DOUBLE_EQ(*roofline(star("f64"), "sm_90")->by_arithmetic, 132 * 1.98e9 * 64 / 3);
  EXPECT_DOUBLE_EQ(*roofline(star("f64"), "sm_75")->by_arithmetic, 40 * 1.59e9 * 2 / 3);
}

TEST(PlanRoofline, WhatIsNotKnownIsNotSaid) {
  EXPECT_FALSE(roofline(star("f32"), "sm_88"));                  // no card
  EXPECT_FALSE(roofline(star("f32"), "sm_103"));                 // no rate of its memory
  EXPECT_FALSE(roofline(star("f32"), "sm_121")->by_arithmetic);  // no clock
  EXPECT_FALSE(roofline("field i32 u; u[t+1] = max(u, 1);", "sm_90")->by_arithmetic);
}

}  // namespace
}  // namespace stencilc::plan
