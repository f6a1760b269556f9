// f16 and bf16 in the stencil IR, against the table of their values.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "ir/type.h"
#include "support/half_table.h"

namespace stencilc::ir {
namespace {

struct Format {
  Type type;
  const test::HalfTable& table;
};
const Format kFormats[] = {{Type::f16, test::f16_table()}, {Type::bf16, test::bf16_table()}};

TEST(IrHalf, IsStorageAlone) {
  for (const Type type : {Type::f16, Type::bf16}) {
    EXPECT_TRUE(is_half(type));
    EXPECT_TRUE(is_float(type));
    EXPECT_FALSE(is_integer(type));
    EXPECT_EQ(bytes(type), 2);
    EXPECT_EQ(arithmetic(type), Type::f32);
    EXPECT_EQ(promote(type, Type::i64), Type::f32);
    EXPECT_EQ(promote(type, Type::f64), Type::f64);
    EXPECT_FALSE(is_half(arithmetic(type)));
  }
  EXPECT_EQ(promote(Type::f16, Type::bf16), Type::f32);
  EXPECT_EQ(name(Type::f16), "f16");
  EXPECT_EQ(name(Type::bf16), "bf16");
}

TEST(IrHalf, RoundsOnceToTheNearest) {
  for (const auto& [type, table] : kFormats) {
    for (const double number : table.edges<double>()) {
      const Scalar want = {type, table.value(table.nearest(number)), 0};
      ASSERT_TRUE(same_bits(make_real(type, number), want)) << name(type) << number;
      ASSERT_TRUE(same_bits(convert({Type::f64, number, 0}, type), want)) << name(type) << number;
    }
    for (const int64_t number : test::integer_edges()) {
      const int nearest = table.nearest(static_cast<long double>(number));
      ASSERT_EQ(convert({Type::i64, 0, number}, type).real, table.value(nearest))
          << name(type) << number;
    }
    EXPECT_TRUE(std::isnan(make_real(type, NAN).real));
  }
}

TEST(IrHalf, ConvertsToOtherTypesByItsValue) {
  for (const auto& [type, table] : kFormats)
    for (int bits = 0; bits <= 0xffff; ++bits) {
      if (std::isnan(table.value(bits))) continue;
      const Scalar value = {type, table.value(bits), 0};
      ASSERT_EQ(convert(value, Type::f32).real, value.real);
      ASSERT_EQ(convert(value, Type::boolean).integer, value.real != 0);
      ASSERT_EQ(convert(value, Type::i32).integer,
                convert({Type::f64, value.real, 0}, Type::i32).integer);
      ASSERT_EQ(saturate(value, Type::u8).integer,
                saturate({Type::f64, value.real, 0}, Type::u8).integer);
    }
}

TEST(IrHalf, PrintsAsItReadsBack) {
  for (const auto& [type, table] : kFormats)
    for (int bits = 0; bits < table.infinity(); ++bits) {
      const Scalar value = {type, table.value(bits), 0};
      const std::string text = print(value);
      ASSERT_EQ(table.nearest(std::strtod(text.c_str(), nullptr)), bits) << text;
      ASSERT_LE(text.size(), 12u) << text;
    }
  EXPECT_EQ(print(make_real(Type::f16, 0.1)), "0.1");
  EXPECT_EQ(print(make_real(Type::f16, 1.0 / 3)), "0.3333");
  EXPECT_EQ(print(make_real(Type::bf16, 1.0 / 3)), "0.334");
  EXPECT_EQ(print(make_real(Type::f16, 65504)), "65504");
  EXPECT_EQ(print(make_real(Type::f16, -0.0)), "-0");
  EXPECT_EQ(print(make_real(Type::f16, 1e9)), "inf");
}

TEST(IrHalf, IsSelectedUnchanged) {
  const Scalar yes = make_real(Type::f16, 0.1), no = make_real(Type::f16, 3);
  const Scalar args[] = {{Type::boolean, 0, 1}, yes, no};
  EXPECT_TRUE(same_bits(apply(Op::select, Type::f16, args), yes));
}

}  // namespace
}  // namespace stencilc::ir
