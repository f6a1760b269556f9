// What a cell computes, by kind, and what it costs at the least: bytes and operations.
#include <gtest/gtest.h>

#include "ir/operations.h"
#include "ir/work.h"
#include "support/analysed.h"
#include "support/tables.h"

namespace stencilc::ir {
namespace {

using stencilc::testing::expect_rows;
using testing::canonical;

Stencil in_the_plane(const std::string& text) {
  return canonical("stencil s { axes x, y; " + text + " }");
}
std::vector<ExprPtr> values_of(const Stencil& stencil) {
  return {stencil.updates[0].cases[0].value};
}

// `2 fused, 1 roots`: what there is of each kind.
std::string counts(std::initializer_list<std::pair<int, const char*>> kinds) {
  std::string text;
  for (const auto& [count, kind] : kinds)
    if (count != 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + kind;
  return text;
}
std::string operations(const std::string& text) {
  const Operations of = operations_of_cell(in_the_plane(text));
  return counts({{of.products, "products"},
                 {of.additions, "additions"},
                 {of.fused, "fused"},
                 {of.divisions, "divisions"},
                 {of.roots, "roots"},
                 {of.functions, "functions"},
                 {of.extrema, "extrema"},
                 {of.integers, "integers"},
                 {of.comparisons, "comparisons"},
                 {of.logic, "logic"},
                 {of.selections, "selections"},
                 {of.conversions, "conversions"},
                 {of.flops(), "flops"}});
}
std::string arithmetic(const std::string& text) {
  const Arithmetic of = arithmetic_of_cell(in_the_plane(text));
  return counts({{of.real, "real"}, {of.integer, "integer"}});
}
std::string instructions(const std::string& text) {
  const Instructions of = instructions_of_cell(in_the_plane(text));
  return counts({{of.f32, "f32"},
                 {of.f64, "f64"},
                 {of.integer, "integer"},
                 {of.divisions, "divisions"},
                 {of.functions, "functions"}});
}
std::string traffic(const std::string& text) {
  const Traffic of = compulsory_traffic(in_the_plane(text));
  EXPECT_EQ(of.bytes(), of.read + of.stored);
  return counts({{of.read, "read"}, {of.stored, "stored"}});
}

TEST(IrOperations, OfCells) {
  expect_rows(operations, R"(
--- what comes first in the order has the weight 1
field f32 u boundary zero; u[t+1] = 0.5*u[x-1] + 0.25*u[x+1] + u[y-1] - u; => 1 additions, 2 fused, 5 flops
--- unit weights are additions alone
field f32 u boundary zero; u[t+1] = u[x-1] + u[x+1] + u[y-1] + u[y+1] + u; => 4 additions, 4 flops
--- every kind is counted apart
field f32 u, v; field i32 k in; u[t+1] = sqrt(v) / v + exp(v) + max(u, v); v[t+1] = k % 3 == 1 && u > v ? f32(k) : v;
=> 2 additions, 1 divisions, 1 roots, 1 functions, 1 extrema, 1 integers, 2 comparisons, 1 logic, 1 selections, 1 conversions, 6 flops
--- narrow fields are converted both ways
field f16 u; u[t+1] = sqrt(u); => 1 roots, 2 conversions, 1 flops
field f32 u; u[t+1] = sqrt(u); => 1 roots, 1 flops
--- what is the same for all cells counts nothing
param f32 dt, dx; field f32 u; u[t+1] = u*u * (dt / (dx*dx)); => 2 products, 2 flops
)");
}

TEST(IrOperations, ADivisionByAPowerOfTwoIsAProduct) {
  const Stencil by_16 = canonical("stencil s { axes x; field f32 u; u[t+1] = u*u / 16; }");
  EXPECT_EQ(operations_of(values_of(by_16)).divisions, 0);
  EXPECT_EQ(operations_of(values_of(by_16)).products, 2);
  EXPECT_TRUE(invariant_divisors(values_of(by_16)).empty());
  EXPECT_EQ(instructions_of(values_of(by_16)).divisions, 0);
  EXPECT_EQ(instructions_of(values_of(by_16)).f32, 2);
}

TEST(IrOperations, OtherDivisionsByTheSameValueAreFound) {
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

TEST(IrWork, Bytes) {
  expect_rows(traffic, R"(
--- each level is read once, however many points of it
field f32 u boundary zero; u[t+1] = u[x-1] + u[x+1] + u[y-2]; => 4 read, 4 stored
field f64 u boundary zero; u[t+1] = 2*u[x-1] - u[t-1]; => 16 read, 8 stored
--- every field counts in the type it has in memory
field f16 h; field u8 mask in; field bool b in; field f32 out out; h[t+1] = h + 1; out = f32(mask) + (b ? h : 0);
=> 4 read, 6 stored
--- what the step makes is not read again
field f32 u, v boundary clamp; u[t+1] = 2*u; v[t+1] = v + u[x-1, t+1]; => 8 read, 8 stored
--- fields on fewer axes and unread fields count nothing
field f64 c(x) in; field f64 unread in; field f64 u; u[t+1] = c*u; => 8 read, 8 stored
--- fields in place are read and stored
field f64 p boundary zero; field f64 rhs in; color red, black by (x+y) % 2; p = 0.25*(p[x-1] + p[x+1] + p[y-1] + p[y+1] - rhs);
=> 16 read, 8 stored
--- reductions read too
field f32 u, v; u[t+1] = 2*u; v[t+1] = 1; reduce r = sum(v); => 8 read, 8 stored
)");
}

TEST(IrWork, ArithmeticAndInstructions) {
  expect_rows(arithmetic, R"(
--- a fused product and sum are two operations: here a product, and three of both
field f32 u boundary zero; u[t+1] = 0.25*(u[x-1] + u[x+1] + u[y-1] + u[y+1]); => 7 real
field f32 u; u[t+1] = sqrt(u) / 3; => 2 real
--- comparisons and selections are none
field i32 k; k[t+1] = k == 3 || k < 1 ? k + 1 : 0; => 1 integer
)");
  expect_rows(instructions, R"(
--- a fused multiplication and addition is one instruction
field f32 u boundary zero; u[t+1] = 0.5*u[x-1] + 0.25*u[x+1] + 0.2*u; => 3 f32
field f64 u boundary zero; u[t+1] = 0.5*u[x-1] + 0.25*u[x+1] + 0.2*u; => 3 f64
field i32 u boundary zero; u[t+1] = max(u[x-1], u); => 1 integer
--- divisions and longer functions count apart
field f32 u; u[t+1] = sqrt(1/u) + exp(u); => 1 f32, 1 divisions, 2 functions
--- what no cell changes is no instruction of a cell
param f32 dt, dx; field f32 u; u[t+1] = u * (dt / (dx * dx)); => 1 f32
--- comparisons count as what they compare: the comparison, the product, the selection
field f64 u; u[t+1] = u > 1 ? 0.5*u : u; => 3 f64
)");
}

}  // namespace
}  // namespace stencilc::ir
