// What a cell computes, by kind.
#include <gtest/gtest.h>

#include "ir/operations.h"
#include "ir/work.h"
#include "support/analysed.h"

namespace stencilc::ir {
namespace {

using testing::canonical;

Operations operations(const std::string& text) {
  return operations_of_cell(canonical("stencil s { axes x, y; " + text + " }"));
}
std::vector<ExprPtr> values_of(const Stencil& stencil) {
  return {stencil.updates[0].cases[0].value};
}

TEST(IrOperations, ASumIsItsProductsAndAdditions) {
  const Operations count =
      operations("field f32 u boundary zero; u[t+1] = 0.5*u[x-1] + 0.25*u[x+1] + u[y-1] - u;");
  EXPECT_EQ(count.products, 0);  // what comes first in the order has the weight 1
  EXPECT_EQ(count.additions, 1);
  EXPECT_EQ(count.fused, 2);
  EXPECT_EQ(count.flops(), 5);
}

TEST(IrOperations, UnitWeightsAreAdditionsAlone) {
  const Operations count =
      operations("field f32 u boundary zero; u[t+1] = u[x-1] + u[x+1] + u[y-1] + u[y+1] + u;");
  EXPECT_EQ(count.additions, 4);
  EXPECT_EQ(count.products + count.fused, 0);
}

TEST(IrOperations, EveryKindIsCountedApart) {
  const Operations count = operations(
      "field f32 u, v; field i32 k in; u[t+1] = sqrt(v) / v + exp(v) + max(u, v); "
      "v[t+1] = k % 3 == 1 && u > v ? f32(k) : v;");
  EXPECT_EQ(count.roots, 1);
  EXPECT_EQ(count.divisions, 1);
  EXPECT_EQ(count.functions, 1);
  EXPECT_EQ(count.extrema, 1);
  EXPECT_EQ(count.additions, 2);
  EXPECT_EQ(count.integers, 1);
  EXPECT_EQ(count.comparisons, 2);
  EXPECT_EQ(count.logic, 1);
  EXPECT_EQ(count.selections, 1);
  EXPECT_EQ(count.conversions, 1);
}

TEST(IrOperations, NarrowFieldsAreConvertedBothWays) {
  EXPECT_EQ(operations("field f16 u; u[t+1] = sqrt(u);").conversions, 2);
  EXPECT_EQ(operations("field f32 u; u[t+1] = sqrt(u);").conversions, 0);
}

TEST(IrOperations, WhatIsTheSameForAllCellsCountsNothing) {
  const Operations count =
      operations("param f32 dt, dx; field f32 u; u[t+1] = u*u * (dt / (dx*dx));");
  EXPECT_EQ(count.divisions, 0);
  EXPECT_EQ(count.products, 2);
}

TEST(IrOperations, ADivisionByAPowerOfTwoIsAProduct) {
  const Stencil by_16 = canonical("stencil s { axes x; field f32 u; u[t+1] = u*u / 16; }");
  EXPECT_EQ(operations_of(values_of(by_16)).divisions, 0);
  EXPECT_EQ(operations_of(values_of(by_16)).products, 2);
  EXPECT_TRUE(invariant_divisors(values_of(by_16)).empty());
  EXPECT_EQ(instructions_of(values_of(by_16)).divisions, 0);
  EXPECT_EQ(instructions_of(values_of(by_16)).f32, 2);
}

TEST(IrOperations, OtherDivisionsByTheSameValueStayAndAreFound) {
  const Stencil stencil = canonical(
      "stencil s { axes x; param f32 h; field f32 u; u[t+1] = u*u/3 + u*u/h + u/(u*u); }");
  EXPECT_EQ(operations_of(values_of(stencil)).divisions, 3);
  const std::vector<ExprPtr> divisors = invariant_divisors(values_of(stencil));
  ASSERT_EQ(divisors.size(), 2u);
  EXPECT_EQ(print(divisors[0], stencil), "3");
  EXPECT_EQ(print(divisors[1], stencil), "h");
}

TEST(IrOperations, OnlyPowersOfTwoHaveAnExactReciprocal) {
  const auto exact = [](Type type, double value) {
    return has_exact_reciprocal(make(type, Constant{make_real(type, value), {}}));
  };
  for (const double power : {1.0, 2.0, 0.5, -16.0, 0x1p126, 0x1p-126})
    EXPECT_TRUE(exact(Type::f32, power)) << power;
  for (const double other : {3.0, 0.1, 0.0, 0x1p127, 0x1p-127})
    EXPECT_FALSE(exact(Type::f32, other)) << other;
  EXPECT_TRUE(exact(Type::f64, 0x1p1022));
  EXPECT_FALSE(exact(Type::f64, 0x1p1023));
}

}  // namespace
}  // namespace stencilc::ir
