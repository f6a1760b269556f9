// What a cell costs at the least: bytes and operations.
#include <gtest/gtest.h>

#include "ir/work.h"
#include "support/analysed.h"

namespace stencilc::ir {
namespace {

using testing::canonical;

Traffic traffic_of(const std::string& text) {
  return compulsory_traffic(canonical("stencil s { axes x, y; " + text + " }"));
}
Arithmetic arithmetic(const std::string& text) {
  return arithmetic_of_cell(canonical("stencil s { axes x, y; " + text + " }"));
}

TEST(IrWork, EachLevelIsReadOnceHoweverManyPointsOfIt) {
  const Traffic one = traffic_of("field f32 u boundary zero; u[t+1] = u[x-1] + u[x+1] + u[y-2];");
  EXPECT_EQ(one.read, 4);
  EXPECT_EQ(one.stored, 4);
  EXPECT_EQ(one.bytes(), 8);
  const Traffic two = traffic_of("field f64 u boundary zero; u[t+1] = 2*u[x-1] - u[t-1];");
  EXPECT_EQ(two.read, 16);
  EXPECT_EQ(two.stored, 8);
}

TEST(IrWork, EveryFieldCountsInTheTypeItHasInMemory) {
  const Traffic traffic = traffic_of(
      "field f16 h; field u8 mask in; field bool b in; field f32 out out; h[t+1] = h + 1; out = "
      "f32(mask) + (b ? h : 0);");
  EXPECT_EQ(traffic.read, 2 + 1 + 1);
  EXPECT_EQ(traffic.stored, 2 + 4);
}

TEST(IrWork, WhatTheStepMakesIsNotReadAgain) {
  const Traffic traffic =
      traffic_of("field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = v + u[x-1, t+1];");
  EXPECT_EQ(traffic.read, 8);
  EXPECT_EQ(traffic.stored, 8);
}

TEST(IrWork, FieldsOnFewerAxesAndUnreadFieldsCountNothing) {
  const Traffic traffic =
      traffic_of("field f64 c(x) in; field f64 unread in; field f64 u; u[t+1] = c*u;");
  EXPECT_EQ(traffic.read, 8);
  EXPECT_EQ(traffic.stored, 8);
}

TEST(IrWork, FieldsInPlaceAreReadAndStored) {
  const Traffic traffic = traffic_of(
      "field f64 p boundary zero; field f64 rhs in; color red, black by (x+y) % 2; p = "
      "0.25*(p[x-1] "
      "+ p[x+1] + p[y-1] + p[y+1] - rhs);");
  EXPECT_EQ(traffic.read, 16);
  EXPECT_EQ(traffic.stored, 8);
}

TEST(IrWork, ReductionsReadToo) {
  EXPECT_EQ(traffic_of("field f32 u, v; u[t+1] = 2*u; v[t+1] = 1; reduce r = sum(v);").read, 8);
}

TEST(IrWork, AFusedProductAndSumAreTwoOperations) {
  EXPECT_EQ(arithmetic("field f32 u boundary zero; u[t+1] = 0.25*(u[x-1] + u[x+1] + u[y-1] + "
                       "u[y+1]);")
                .real,
            7);  // a product, and three of both
  EXPECT_EQ(arithmetic("field f32 u; u[t+1] = sqrt(u) / 3;").real, 2);
}

TEST(IrWork, ComparisonsAndSelectionsAreNone) {
  const Arithmetic count = arithmetic("field i32 k; k[t+1] = k == 3 || k < 1 ? k + 1 : 0;");
  EXPECT_EQ(count.real, 0);
  EXPECT_EQ(count.integer, 1);
}

Instructions instructions(const std::string& text) {
  return instructions_of_cell(canonical("stencil s { axes x, y; " + text + " }"));
}

TEST(IrWork, AFusedMultiplicationAndAdditionIsOneInstruction) {
  const std::string sum = " u boundary zero; u[t+1] = 0.5*u[x-1] + 0.25*u[x+1] + 0.2*u;";
  EXPECT_EQ(instructions("field f32" + sum).f32, 3);
  EXPECT_EQ(instructions("field f32" + sum).f64, 0);
  EXPECT_EQ(instructions("field f64" + sum).f64, 3);
  EXPECT_EQ(instructions("field i32 u boundary zero; u[t+1] = max(u[x-1], u);").integer, 1);
}

TEST(IrWork, DivisionsAndLongerFunctionsCountApart) {
  const Instructions count = instructions("field f32 u; u[t+1] = sqrt(1/u) + exp(u);");
  EXPECT_EQ(count.divisions, 1);
  EXPECT_EQ(count.functions, 2);
  EXPECT_EQ(count.f32, 1);
}

TEST(IrWork, WhatNoCellChangesIsNoInstructionOfACell) {
  const Instructions count =
      instructions("param f32 dt, dx; field f32 u; u[t+1] = u * (dt / (dx * dx));");
  EXPECT_EQ(count.divisions, 0);
  EXPECT_EQ(count.f32, 1);
}

TEST(IrWork, ComparisonsCountAsWhatTheyCompare) {
  const Instructions count = instructions("field f64 u; u[t+1] = u > 1 ? 0.5*u : u;");
  EXPECT_EQ(count.f64, 1 + 1 + 1);  // the comparison, the product, the selection
}

}  // namespace
}  // namespace stencilc::ir
