// What a thread's code computes, by kind.
#include <gtest/gtest.h>

#include "kernel/build.h"
#include "kernel/operations.h"

namespace stencilc::kernel {
namespace {

const Buffer kMemory{"u", Type::f32, false}, kResult{"v", Type::f32, true};
const ExprPtr kV = var("v");

ExprPtr number(double value, Type type = Type::f32) { return make(type, Real{value}); }
ExprPtr operand(Type type = Type::f32) { return var("a", type); }
Stmt into(const ExprPtr& what) { return {Store{kResult, kV, what}}; }
OperationCounts of(const ExprPtr& what) { return operations_of({{Let{"b", what}}}); }

TEST(Operations, CountByTypeAndOnIndicesNot) {
  EXPECT_EQ(of(bin(BinOp::add, operand(), operand())).f32, 1);
  EXPECT_EQ(of(bin(BinOp::mul, operand(Type::f64), operand(Type::f64))).f64, 1);
  EXPECT_EQ(of(bin(BinOp::lt, operand(Type::i32), operand(Type::i32))).integer, 1);
  EXPECT_EQ(of(make(Type::f64, Convert{operand()})).conversions, 1);
  EXPECT_EQ(of(pick(var("c", Type::boolean), operand(), number(0))).choices, 1);
  EXPECT_EQ(of(bin(BinOp::add, kV, kV)).integer, 0);
  const OperationCounts load_beside = of(load(kMemory, add(bin(BinOp::mul, kV, kV), 1)));
  EXPECT_EQ(load_beside.loads, 1);
  EXPECT_EQ(load_beside.integer, 0);
}

TEST(Operations, DivisionsAndFunctionsAreKindsOfTheirOwn) {
  EXPECT_EQ(of(bin(BinOp::div, operand(), number(3))).divisions, 1);
  EXPECT_EQ(of(bin(BinOp::div, operand(), number(8))).divisions, 0) << "a product";
  EXPECT_EQ(of(bin(BinOp::div, operand(), number(8))).f32, 1);
  EXPECT_EQ(of(call(Type::f64, Fn::root, {operand(Type::f64)})).divisions_f64, 1);
  EXPECT_EQ(of(call(Type::f32, Fn::exp, {operand()})).functions, 1);
  EXPECT_GT(of(call(Type::f64, Fn::pow, {operand(Type::f64), operand(Type::f64)})).functions_f64,
            1);
  EXPECT_EQ(of(call(Type::f32, Fn::floor, {operand()})).f32, 1);
}

TEST(Operations, OfFunctionsThoseThatBranchAreToldApart) {
  EXPECT_EQ(of(call(Type::f32, Fn::exp, {operand()})).branching, 0);
  EXPECT_GT(of(call(Type::f32, Fn::pow, {operand(), operand()})).branching, 1);
  const auto functions = [](const ExprPtr& angle, const ExprPtr& other) {
    return operations_of(
               {into(call(Type::f32, Fn::sin, {angle})), into(call(Type::f32, Fn::cos, {other}))})
        .functions;
  };
  const ExprPtr other = var("b", Type::f32);
  EXPECT_LT(functions(operand(), operand()), functions(operand(), other)) << "they share code";
}

TEST(Operations, AValueOfAStatementCountsOnce) {
  const ExprPtr sum = bin(BinOp::add, operand(), operand());
  EXPECT_EQ(of(bin(BinOp::mul, sum, sum)).f32, 2);
}

TEST(Operations, UnrolledLoopsCountAllTheirPasses) {
  const auto loop = [](For::Mark mark) {
    For one{mark,
            "v",
            Type::index,
            index(0),
            index(4),
            {into(bin(BinOp::add, load(kMemory, kV), number(1)))}};
    one.counts = mark == For::rolled;
    return operations_of({{one}});
  };
  const OperationCounts unrolled = loop(For::unrolled);
  EXPECT_EQ(unrolled.f32, 4);
  EXPECT_EQ(unrolled.loads, 4);
  EXPECT_EQ(unrolled.stores, 4);
  EXPECT_EQ(unrolled.cells, 4);
  EXPECT_EQ(unrolled.turns, 1);
  EXPECT_EQ(loop(For::rolled).cells, 4);
  EXPECT_EQ(loop(For::rolled).turns, 4) << "one cell after the other";
  EXPECT_EQ(loop(For::plain).cells, 1) << "of a pass";
}

// Of 16 bytes at most.
TEST(Operations, VectorsAreAccesses) {
  const Buffer registers{"r", Type::f32, true, 0, 0, 8};
  const auto copied = [](const Buffer& to, const Buffer& from, int width, int count) {
    return operations_of({{Copy{to, index(0), from, kV, width, count}}});
  };
  EXPECT_EQ(copied(registers, kMemory, 4, 2).loads, 2);
  EXPECT_EQ(copied(registers, kMemory, 2, 3).loads, 3);
  EXPECT_EQ(copied(registers, kMemory, 8, 1).loads, 2);
  EXPECT_EQ(copied(kResult, registers, 4, 1).stores, 1);
  EXPECT_EQ(copied(kResult, registers, 4, 1).cells, 4);
  EXPECT_EQ(copied(registers, registers, 4, 1).moves, 4);
}

TEST(Operations, EdgeBlocksAreLeftOut) {
  const Stmt few = into(bin(BinOp::add, operand(), operand()));
  const Stmt many = into(bin(BinOp::div, operand(), operand()));
  const OperationCounts counts = operations_of({{If{var("inside", Type::boolean), {few}, {many}}}});
  EXPECT_EQ(counts.f32, 1);
  EXPECT_EQ(counts.divisions, 0);
  EXPECT_EQ(counts.cells, 1);
  const OperationCounts both = operations_of({{If{
      var("inside", Type::boolean), {{If{var("masked", Type::boolean), {few}, {many}}}}, {many}}}});
  EXPECT_EQ(both.divisions, 1) << "a branch of the cell";
}

// They take long to find, and are all that counts there.
TEST(Operations, OfEdgeBlocksPlacesOfGhostCellsCount) {
  const Stmt place = {Let{"place", call(Type::index, Fn::ghost_place, {kV, kV, index(1)})}};
  const Stmt few = into(operand());
  const OperationCounts counts =
      operations_of({{If{var("inside", Type::boolean), {few}, {place, place, few}}}});
  EXPECT_EQ(counts.edge_places, 2);
  EXPECT_EQ(counts.loads + counts.integer, 0);
}

}  // namespace
}  // namespace stencilc::kernel
