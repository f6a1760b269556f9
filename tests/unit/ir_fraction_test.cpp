// Exact numbers, and what constants remember of the numbers that were written.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <stdexcept>

#include "ir/build.h"
#include "ir/fraction.h"

namespace stencilc::ir {

void PrintTo(const Fraction& fraction, std::ostream* out) {
  *out << fraction.above << "/" << fraction.below;
}

namespace {

using Exact = std::optional<Fraction>;

TEST(IrFraction, IsInLowestTermsOrThereIsNone) {
  EXPECT_EQ((Fraction{1, 6} + Fraction{1, 3}), (Fraction{1, 2}));
  EXPECT_EQ((Fraction{1, 6} - Fraction{1, 6}), (Fraction{0, 1}));
  EXPECT_EQ((Fraction{-4, 3} * Fraction{3, 8}), (Fraction{-1, 2}));
  EXPECT_EQ((Fraction{3, 4} / Fraction{-3, 8}), (Fraction{-2, 1}));
  const Fraction large{INT64_MAX, 1};
  EXPECT_EQ(large * Fraction(1, INT64_MAX), (Fraction{1, 1}));
  EXPECT_EQ((large - large), (Fraction{0, 1}));
  EXPECT_THROW(large + Fraction(1, 1), std::overflow_error);
  EXPECT_THROW(large * Fraction(2, 1), std::overflow_error);
  EXPECT_THROW(large / Fraction(-1, 2), std::overflow_error);
  EXPECT_EQ(whole(-7), (Fraction{-7, 1}));
  EXPECT_EQ(whole(INT64_MIN), Exact{});
}

TEST(IrFraction, OfALiteralIsTheNumberThatWasWritten) {
  EXPECT_EQ(as_decimal(0.0125), (Fraction{1, 80}));
  EXPECT_EQ(as_decimal(-0.1), (Fraction{-1, 10}));
  EXPECT_EQ(as_decimal(0.30000000000000004), (Fraction{7500000000000001, 25000000000000000}));
  EXPECT_EQ(as_decimal(1e18), (Fraction{1'000'000'000'000'000'000, 1}));
  EXPECT_EQ(as_decimal(2.5e-18), (Fraction{1, 400'000'000'000'000'000}));
  EXPECT_EQ(as_decimal(-0.0), (Fraction{0, 1}));
  EXPECT_EQ(as_decimal(1e19), Exact{});
  EXPECT_EQ(as_decimal(1e-19), Exact{});
  EXPECT_EQ(as_decimal(1e300), Exact{});
  EXPECT_EQ(as_decimal(5e-324), Exact{});
  EXPECT_EQ(as_decimal(std::numeric_limits<double>::infinity()), Exact{});
}

TEST(IrFraction, OfAFloatIsItsValue) {
  EXPECT_EQ(as_binary(0.75), (Fraction{3, 4}));
  EXPECT_EQ(as_binary(-6), (Fraction{-6, 1}));
  EXPECT_EQ(as_binary(0), (Fraction{0, 1}));
  EXPECT_EQ(as_binary(0.1), (Fraction{3602879701896397, int64_t{1} << 55}));
  EXPECT_EQ(as_binary(0x1p62), (Fraction{int64_t{1} << 62, 1}));
  EXPECT_EQ(as_binary(0x1p63), Exact{});
  EXPECT_EQ(as_binary(0x1p-63), Exact{});
  EXPECT_EQ(as_binary(std::numeric_limits<double>::quiet_NaN()), Exact{});
}

ExprPtr decimal(Type type, double value) {
  return constant(Constant{make_real(type, value), as_decimal(value)});
}
Exact written(const ExprPtr& expr) { return written(*as<Constant>(expr)); }

TEST(IrFraction, IsKeptWhereConstantsFold) {
  const ExprPtr a = decimal(Type::f32, 0.05), b = decimal(Type::f32, 0.25);
  EXPECT_EQ(written(apply(Op::mul, Type::f32, {a, b})), (Fraction{1, 80}));
  EXPECT_EQ(written(apply(Op::div, Type::f32, {a, b})), (Fraction{1, 5}));
  EXPECT_EQ(written(apply(Op::add, Type::f32, {a, b})), (Fraction{3, 10}));
  EXPECT_EQ(written(apply(Op::sub, Type::f32, {a, b})), (Fraction{-1, 5}));
  EXPECT_EQ(written(apply(Op::neg, Type::f32, {a})), (Fraction{-1, 20}));
  EXPECT_EQ(written(apply(Op::sqrt, Type::f32, {b})), Exact{});
  EXPECT_EQ(written(apply(Op::mul, Type::f32, {a, constant(Type::f32, 2)})), Exact{});
  EXPECT_EQ(written(apply(Op::mul, Type::f64, {cast(Type::f64, a), decimal(Type::f64, 0.1)})),
            (Fraction{1, 200}));
  const ExprPtr tiny = decimal(Type::f32, 1e-10);
  EXPECT_EQ(written(apply(Op::mul, Type::f32, {tiny, tiny})), Exact{});
}

TEST(IrFraction, OfAnIntegerIsItsValue) {
  const ExprPtr seven = constant(make_integer(Type::i32, 7));
  EXPECT_EQ(written(seven), (Fraction{7, 1}));
  EXPECT_EQ(written(cast(Type::f32, seven)), (Fraction{7, 1}));
  EXPECT_EQ(written(cast(Type::i32, decimal(Type::f32, 1.5))), (Fraction{1, 1}));
  const ExprPtr most = constant(make_integer(Type::i32, 2147483647));
  EXPECT_EQ(written(apply(Op::add, Type::i32, {most, most})), (Fraction{-2, 1}));  // wraps
}

}  // namespace
}  // namespace stencilc::ir
