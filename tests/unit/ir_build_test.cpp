// Building expressions simplifies what is exactly the same, and nothing else.
#include <gtest/gtest.h>

#include "ir/build.h"

namespace stencilc::ir {
namespace {

const Stencil kStencil = [] {
  Stencil s;
  s.axes = {"x"};
  s.fields = {{"u", Type::f32, Type::f32}, {"i", Type::i32, Type::i32}};
  return s;
}();
ExprPtr u() { return make(Type::f32, Read{0, 0, {}}); }
ExprPtr i() { return make(Type::i32, Read{1, 0, {}}); }
ExprPtr f32(double value) { return constant(Type::f32, value); }
ExprPtr i32(double value) { return constant(Type::i32, value); }
std::string text(const ExprPtr& expr) { return print(expr, kStencil); }

TEST(IrBuild, FactorsOfOneGo) {
  EXPECT_EQ(text(apply(Op::mul, Type::f32, {f32(1), u()})), "u");
  EXPECT_EQ(text(apply(Op::mul, Type::f32, {u(), f32(1)})), "u");
  EXPECT_EQ(text(apply(Op::mul, Type::i32, {i32(1), i()})), "i");
  EXPECT_EQ(text(apply(Op::mul, Type::f32, {f32(-1), u()})), "neg(u)");
  EXPECT_EQ(text(apply(Op::mul, Type::f32, {u(), f32(-1)})), "neg(u)");
  EXPECT_EQ(text(apply(Op::neg, Type::f32, {apply(Op::neg, Type::f32, {u()})})), "u");
}

// x + 0 changes -0, x * 0 changes NaN and the sign of a zero, x / x is not 1 everywhere.
TEST(IrBuild, WhatIsNotExactStays) {
  EXPECT_EQ(text(apply(Op::add, Type::f32, {u(), f32(0)})), "add(u, 0)");
  EXPECT_EQ(text(apply(Op::mul, Type::f32, {u(), f32(0)})), "mul(u, 0)");
  EXPECT_EQ(text(apply(Op::sub, Type::f32, {u(), u()})), "sub(u, u)");
  EXPECT_EQ(text(apply(Op::div, Type::f32, {u(), u()})), "div(u, u)");
  EXPECT_EQ(text(apply(Op::div, Type::f32, {u(), f32(2)})), "div(u, 2)");
  EXPECT_EQ(text(apply(Op::mul, Type::f32, {u(), f32(2)})), "mul(u, 2)");
}

TEST(IrBuild, ConstantsFoldInTheirType) {
  EXPECT_EQ(text(apply(Op::add, Type::f32, {f32(0.1), f32(0.2)})), "0.3");
  EXPECT_EQ(text(apply(Op::add, Type::f64, {constant(Type::f64, 0.1), constant(Type::f64, 0.2)})),
            "0.30000000000000004");
  EXPECT_EQ(text(apply(Op::add, Type::i32, {i32(2147483647), i32(1)})), "-2147483648");
  EXPECT_EQ(text(apply(Op::lt, Type::boolean, {f32(1), f32(2)})), "true");
  EXPECT_EQ(text(apply(Op::fma, Type::f32, {f32(2), f32(3), f32(4)})), "10");
}

TEST(IrBuild, AKnownConditionSelects) {
  const ExprPtr yes = apply(Op::eq, Type::boolean, {i32(1), i32(1)});
  EXPECT_EQ(text(apply(Op::select, Type::f32, {yes, u(), f32(3)})), "u");
  EXPECT_EQ(
      text(apply(Op::select, Type::f32, {apply(Op::not_, Type::boolean, {yes}), u(), f32(3)})),
      "3");
}

TEST(IrBuild, ComparisonsAndLogicAreBoolean) {
  const ExprPtr less = apply(Op::lt, Type::f32, {u(), f32(1)});
  EXPECT_EQ(less->type, Type::boolean);
  EXPECT_EQ(apply(Op::and_, Type::f32, {less, less})->type, Type::boolean);
  EXPECT_EQ(apply(Op::select, Type::f32, {less, u(), u()})->type, Type::f32);
}

TEST(IrBuild, Casts) {
  const ExprPtr read = u();
  EXPECT_EQ(cast(Type::f32, read), read);
  EXPECT_EQ(text(cast(Type::u8, read)), "u8(u)");
  EXPECT_EQ(text(cast(Type::u8, read, true)), "sat_u8(u)");
  EXPECT_EQ(text(cast(Type::u8, f32(300.7))), "255");
  EXPECT_EQ(text(cast(Type::u8, i32(300))), "44");
  EXPECT_EQ(text(cast(Type::u8, i32(300), true)), "255");
}

}  // namespace
}  // namespace stencilc::ir
