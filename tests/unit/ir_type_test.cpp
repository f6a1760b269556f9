// Every operation at the edges of its types, against expectations computed another way: integers
// in 128 bits and brought into range at the end, floats against bits written out here.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "ir/type.h"

namespace stencilc::ir {
namespace {

using Wide = __int128;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array kIntegers = {Type::i8, Type::u8, Type::i16, Type::u16, Type::i32, Type::i64};

struct Range {
  Wide low, high;
};
Range range(Type type) {
  const Wide one = 1;
  switch (type) {
    case Type::i8:
      return {-128, 127};
    case Type::u8:
      return {0, 255};
    case Type::i16:
      return {-32768, 32767};
    case Type::u16:
      return {0, 65535};
    case Type::i32:
      return {-(one << 31), (one << 31) - 1};
    default:
      return {-(one << 63), (one << 63) - 1};
  }
}
// The number of the type that differs from `value` by a multiple of the size of its range.
Wide wrapped(Type type, Wide value) {
  const auto [low, high] = range(type);
  const Wide size = high - low + 1;
  return ((value - low) % size + size) % size + low;
}
std::vector<int64_t> edges(Type type) {
  const auto [low, high] = range(type);
  std::vector<int64_t> values;
  for (const Wide v : {low, low + 1, Wide{-100}, Wide{-7}, Wide{-1}, Wide{0}, Wide{1}, Wide{2},
                       Wide{7}, Wide{100}, high - 1, high}) {
    if (v >= low && v <= high) values.push_back(static_cast<int64_t>(v));
  }
  return values;
}
// Rounded down; 0 for a divisor 0.
Wide floored(Wide a, Wide b) {
  if (b == 0) return 0;
  Wide quotient = 0;
  const Wide size = (a < 0 ? -a : a) / (b < 0 ? -b : b);
  for (Wide q = -size - 1; q <= -size + 1; ++q)
    if ((b > 0 && q * b <= a) || (b < 0 && q * b >= a)) quotient = q;
  if ((a < 0) == (b < 0) || a == 0) quotient = size;
  return quotient;
}

Scalar integer(Type type, int64_t value) { return {type, 0, value}; }
Scalar real(Type type, double value) { return {type, value, 0}; }

int64_t of_integers(Op op, Type type, std::initializer_list<int64_t> values) {
  std::vector<Scalar> args;
  for (const int64_t value : values) args.push_back(integer(type, value));
  const Scalar result = apply(op, type, args);
  EXPECT_EQ(result.type, is_comparison(op) ? Type::boolean : type) << name(op);
  return result.integer;
}
Scalar of_reals(Op op, Type type, std::initializer_list<double> values) {
  std::vector<Scalar> args;
  for (const double value : values) args.push_back(real(type, value));
  return apply(op, type, args);
}
uint32_t bits32(const Scalar& value) {
  return std::bit_cast<uint32_t>(static_cast<float>(value.real));
}
uint64_t bits64(const Scalar& value) { return std::bit_cast<uint64_t>(value.real); }
double from32(uint32_t bits) { return static_cast<double>(std::bit_cast<float>(bits)); }

TEST(IrType, RangesAndSizes) {
  for (const Type type : kIntegers) {
    EXPECT_EQ(Wide{lowest(type)}, range(type).low) << name(type);
    EXPECT_EQ(Wide{highest(type)}, range(type).high) << name(type);
    EXPECT_EQ(range(type).high - range(type).low + 1, Wide{1} << (8 * bytes(type))) << name(type);
    EXPECT_TRUE(is_integer(type));
    EXPECT_FALSE(is_float(type));
  }
  EXPECT_EQ(bytes(Type::f32), 4);
  EXPECT_EQ(bytes(Type::f64), 8);
  EXPECT_EQ(bytes(Type::boolean), 1);
  EXPECT_FALSE(is_integer(Type::boolean));
}

TEST(IrType, IntegerArithmeticWraps) {
  for (const Type type : kIntegers) {
    for (const int64_t a : edges(type)) {
      EXPECT_EQ(of_integers(Op::neg, type, {a}), wrapped(type, -Wide{a})) << name(type) << a;
      EXPECT_EQ(of_integers(Op::abs, type, {a}),
                std::min<Wide>(highest(type), a < 0 ? -Wide{a} : Wide{a}))
          << a;
      for (const int64_t b : edges(type)) {
        SCOPED_TRACE(std::string(name(type)) + " " + std::to_string(a) + " " + std::to_string(b));
        EXPECT_EQ(of_integers(Op::add, type, {a, b}), wrapped(type, Wide{a} + b));
        EXPECT_EQ(of_integers(Op::sub, type, {a, b}), wrapped(type, Wide{a} - b));
        EXPECT_EQ(of_integers(Op::mul, type, {a, b}), wrapped(type, Wide{a} * b));
        EXPECT_EQ(of_integers(Op::idiv, type, {a, b}), wrapped(type, floored(a, b)));
        const Wide rest = b == 0 ? Wide{0} : Wide{a} - floored(a, b) * b;
        EXPECT_EQ(of_integers(Op::mod, type, {a, b}), wrapped(type, rest));
        EXPECT_EQ(of_integers(Op::bit_and, type, {a, b}), a & b);
        EXPECT_EQ(of_integers(Op::bit_or, type, {a, b}), a | b);
        EXPECT_EQ(of_integers(Op::bit_xor, type, {a, b}), a ^ b);
        EXPECT_EQ(of_integers(Op::min, type, {a, b}), std::min(a, b));
        EXPECT_EQ(of_integers(Op::max, type, {a, b}), std::max(a, b));
      }
    }
  }
}

TEST(IrType, DivisionRoundsDownAndTheRestHasTheSignOfTheDivisor) {
  EXPECT_EQ(of_integers(Op::idiv, Type::i32, {7, 2}), 3);
  EXPECT_EQ(of_integers(Op::idiv, Type::i32, {-7, 2}), -4);
  EXPECT_EQ(of_integers(Op::idiv, Type::i32, {7, -2}), -4);
  EXPECT_EQ(of_integers(Op::idiv, Type::i32, {-7, -2}), 3);
  EXPECT_EQ(of_integers(Op::mod, Type::i32, {-7, 2}), 1);
  EXPECT_EQ(of_integers(Op::mod, Type::i32, {7, -2}), -1);
  EXPECT_EQ(of_integers(Op::idiv, Type::i32, {INT32_MIN, -1}), INT32_MIN);
  EXPECT_EQ(of_integers(Op::mod, Type::i64, {INT64_MIN, -1}), 0);
  EXPECT_EQ(of_integers(Op::idiv, Type::i64, {5, 0}), 0);
  EXPECT_EQ(of_integers(Op::mod, Type::i64, {5, 0}), 0);
}

TEST(IrType, Comparisons) {
  for (const Type type : kIntegers) {
    for (const int64_t a : edges(type)) {
      for (const int64_t b : edges(type)) {
        EXPECT_EQ(of_integers(Op::lt, type, {a, b}), a < b);
        EXPECT_EQ(of_integers(Op::le, type, {a, b}), a <= b);
        EXPECT_EQ(of_integers(Op::gt, type, {a, b}), a > b);
        EXPECT_EQ(of_integers(Op::ge, type, {a, b}), a >= b);
        EXPECT_EQ(of_integers(Op::eq, type, {a, b}), a == b);
        EXPECT_EQ(of_integers(Op::ne, type, {a, b}), a != b);
      }
    }
  }
  for (const Op op : {Op::lt, Op::le, Op::gt, Op::ge, Op::eq, Op::ne}) {
    EXPECT_EQ(of_reals(op, Type::f32, {nan, 1}).integer, op == Op::ne) << name(op);
    EXPECT_EQ(of_reals(op, Type::f64, {nan, nan}).integer, op == Op::ne) << name(op);
  }
  EXPECT_EQ(of_reals(Op::eq, Type::f64, {-0.0, 0.0}).integer, 1);
  EXPECT_EQ(of_reals(Op::lt, Type::f64, {-0.0, 0.0}).integer, 0);
}

TEST(IrType, LogicAndSelection) {
  for (const int64_t a : {0, 1}) {
    EXPECT_EQ(of_integers(Op::not_, Type::boolean, {a}), 1 - a);
    for (const int64_t b : {0, 1}) {
      EXPECT_EQ(of_integers(Op::and_, Type::boolean, {a, b}), a * b);
      EXPECT_EQ(of_integers(Op::or_, Type::boolean, {a, b}), a + b > 0);
    }
    const std::array args = {integer(Type::boolean, a), real(Type::f32, -0.0), real(Type::f32, 2)};
    EXPECT_TRUE(same_bits(apply(Op::select, Type::f32, args), args[a ? 1 : 2]));
  }
}

TEST(IrType, F32RoundsOnceToNearestEven) {
  const double one_up = from32(0x3f800001);  // 1 + 2^-23
  EXPECT_EQ(bits32(of_reals(Op::add, Type::f32, {1, 0x1p-24})), 0x3f800000u);
  EXPECT_EQ(bits32(of_reals(Op::add, Type::f32, {one_up, 0x1p-24})), 0x3f800002u);
  EXPECT_EQ(bits32(of_reals(Op::sub, Type::f32, {1, 0x1p-25})), 0x3f800000u);
  EXPECT_EQ(bits32(of_reals(Op::mul, Type::f32, {one_up, one_up})), 0x3f800002u);
  EXPECT_EQ(bits32(of_reals(Op::div, Type::f32, {1, 3})), 0x3eaaaaabu);
  EXPECT_EQ(bits32(of_reals(Op::sqrt, Type::f32, {2})), 0x3fb504f3u);
  EXPECT_EQ(bits32(of_reals(Op::mul, Type::f32, {from32(0x7f7fffff), 2})), 0x7f800000u);
  EXPECT_EQ(bits32(of_reals(Op::div, Type::f32, {-1, 0})), 0xff800000u);
  // Denormals stay: the smallest normal halved, the smallest denormal halved (a tie, to even).
  EXPECT_EQ(bits32(of_reals(Op::mul, Type::f32, {from32(0x00800000), 0.5})), 0x00400000u);
  EXPECT_EQ(bits32(of_reals(Op::mul, Type::f32, {from32(0x00000001), 0.5})), 0x00000000u);
  EXPECT_EQ(bits32(of_reals(Op::mul, Type::f32, {from32(0x00000003), 0.5})), 0x00000002u);
  EXPECT_EQ(bits32(of_reals(Op::neg, Type::f32, {0})), 0x80000000u);
  EXPECT_EQ(bits32(of_reals(Op::abs, Type::f32, {-0.0})), 0x00000000u);
  EXPECT_EQ(bits32(of_reals(Op::floor, Type::f32, {-0.5})), 0xbf800000u);
  EXPECT_EQ(bits32(of_reals(Op::ceil, Type::f32, {-0.5})), 0x80000000u);
}

TEST(IrType, F64RoundsOnceToNearestEven) {
  EXPECT_EQ(bits64(of_reals(Op::add, Type::f64, {1, 0x1p-53})), 0x3ff0000000000000u);
  EXPECT_EQ(bits64(of_reals(Op::add, Type::f64, {1 + 0x1p-52, 0x1p-53})), 0x3ff0000000000002u);
  EXPECT_EQ(bits64(of_reals(Op::div, Type::f64, {1, 3})), 0x3fd5555555555555u);
  EXPECT_EQ(bits64(of_reals(Op::sqrt, Type::f64, {2})), 0x3ff6a09e667f3bcdu);
  EXPECT_EQ(bits64(of_reals(Op::mul, Type::f64, {0.1, 3})), 0x3fd3333333333334u);
}

TEST(IrType, FmaRoundsItsProductNot) {
  const double a = 1 + 0x1p-12;
  EXPECT_EQ(of_reals(Op::fma, Type::f32, {a, a, -(1 + 0x1p-11)}).real, 0x1p-24);
  EXPECT_EQ(of_reals(Op::mul, Type::f32, {a, a}).real, 1 + 0x1p-11);
  // A little below the tie of two f32: with the sum rounded to f64 first it would be the tie.
  EXPECT_EQ(
      bits32(of_reals(Op::fma, Type::f32, {1 + 0x1p-23, (1 - 0x1p-23) * 0x1p-24, 1 + 0x1p-23})),
      0x3f800001u);
  const double b = 1 + 0x1p-30;
  EXPECT_EQ(of_reals(Op::fma, Type::f64, {b, b, -(1 + 0x1p-29)}).real, 0x1p-60);
}

TEST(IrType, MinAndMaxPreferNumbersAndOrderTheZeros) {
  for (const Type type : {Type::f32, Type::f64}) {
    for (const double x : {-inf, -1.0, -0.0, 0.0, 1.0, inf}) {
      for (const Op op : {Op::min, Op::max}) {
        EXPECT_TRUE(same_bits(of_reals(op, type, {x, nan}), real(type, x))) << x;
        EXPECT_TRUE(same_bits(of_reals(op, type, {nan, x}), real(type, x))) << x;
      }
    }
    EXPECT_TRUE(std::isnan(of_reals(Op::min, type, {nan, nan}).real));
    EXPECT_TRUE(std::isnan(of_reals(Op::max, type, {nan, nan}).real));
    EXPECT_TRUE(std::signbit(of_reals(Op::min, type, {0.0, -0.0}).real));
    EXPECT_TRUE(std::signbit(of_reals(Op::min, type, {-0.0, 0.0}).real));
    EXPECT_FALSE(std::signbit(of_reals(Op::max, type, {0.0, -0.0}).real));
    EXPECT_FALSE(std::signbit(of_reals(Op::max, type, {-0.0, 0.0}).real));
    EXPECT_EQ(of_reals(Op::min, type, {-2, 3}).real, -2);
    EXPECT_EQ(of_reals(Op::max, type, {-2, 3}).real, 3);
  }
}

TEST(IrType, TranscendentalFunctionsAreThoseOfTheirNames) {
  EXPECT_EQ(of_reals(Op::exp, Type::f64, {0}).real, 1);
  EXPECT_EQ(of_reals(Op::log, Type::f64, {1}).real, 0);
  EXPECT_EQ(of_reals(Op::sin, Type::f64, {0}).real, 0);
  EXPECT_EQ(of_reals(Op::cos, Type::f64, {0}).real, 1);
  EXPECT_EQ(of_reals(Op::tan, Type::f64, {0}).real, 0);
  EXPECT_EQ(of_reals(Op::tanh, Type::f64, {inf}).real, 1);
  EXPECT_EQ(of_reals(Op::pow, Type::f64, {2, 10}).real, 1024);
  for (const Op op : {Op::exp, Op::log, Op::sin, Op::cos, Op::tan, Op::tanh, Op::pow})
    EXPECT_TRUE(is_transcendental(op)) << name(op);
  for (const Op op : {Op::sqrt, Op::fma, Op::floor, Op::div, Op::min})
    EXPECT_FALSE(is_transcendental(op)) << name(op);
}

TEST(IrType, IntegersConvertByTheirLowBits) {
  for (const Type from : kIntegers) {
    for (const int64_t value : edges(from)) {
      EXPECT_EQ(convert(integer(from, value), Type::boolean).integer, value != 0);
      for (const Type to : kIntegers) {
        EXPECT_EQ(convert(integer(from, value), to).integer, wrapped(to, value)) << name(to);
        const auto [low, high] = range(to);
        EXPECT_EQ(saturate(integer(from, value), to).integer, std::clamp(Wide{value}, low, high))
            << name(to) << value;
      }
    }
  }
}

TEST(IrType, IntegersBecomeFloatsByOneRounding) {
  EXPECT_EQ(convert(integer(Type::i32, 16777217), Type::f32).real, 16777216);
  EXPECT_EQ(convert(integer(Type::i32, 16777219), Type::f32).real, 16777220);
  EXPECT_EQ(convert(integer(Type::i32, 16777217), Type::f64).real, 16777217);
  // Rounded to f64 first, it would be a tie and go down.
  const int64_t above_a_tie = (int64_t{1} << 60) + (int64_t{1} << 36) + 1;
  EXPECT_EQ(convert(integer(Type::i64, above_a_tie), Type::f32).real, 0x1p60 + 0x1p37);
  EXPECT_EQ(convert(integer(Type::i64, INT64_MAX), Type::f64).real, 0x1p63);
  EXPECT_EQ(convert(integer(Type::boolean, 1), Type::f32).real, 1);
  EXPECT_EQ(convert(real(Type::f64, 0.1), Type::f32).real, from32(0x3dcccccd));
  EXPECT_EQ(convert(real(Type::f64, 1e300), Type::f32).real, inf);
}

TEST(IrType, FloatsConvertByTruncationAndSaturate) {
  struct Row {
    double value;
    Type to;
    int64_t truncated, rounded;
  };
  const Row rows[] = {{0.5, Type::u8, 0, 0},
                      {1.5, Type::u8, 1, 2},
                      {2.5, Type::u8, 2, 2},
                      {-0.5, Type::i8, 0, 0},
                      {-1.5, Type::i8, -1, -2},
                      {-2.5, Type::i8, -2, -2},
                      {254.5, Type::u8, 254, 254},
                      {254.51, Type::u8, 254, 255},
                      {255.5, Type::u8, 255, 255},
                      {1e9, Type::u8, 255, 255},
                      {-1, Type::u8, 0, 0},
                      {-129, Type::i8, -128, -128},
                      {-128.5, Type::i8, -128, -128},
                      {127.5, Type::i8, 127, 127},
                      {32767.9, Type::i16, 32767, 32767},
                      {70000, Type::u16, 65535, 65535},
                      {2147483647.5, Type::i32, INT32_MAX, INT32_MAX},
                      {-2147483648.9, Type::i32, INT32_MIN, INT32_MIN},
                      {9.3e18, Type::i64, INT64_MAX, INT64_MAX},
                      {-9.3e18, Type::i64, INT64_MIN, INT64_MIN},
                      {2251799813685249.5, Type::i64, 2251799813685249, 2251799813685250},
                      {inf, Type::i32, INT32_MAX, INT32_MAX},
                      {-inf, Type::i64, INT64_MIN, INT64_MIN},
                      {nan, Type::i16, 0, 0}};
  for (const Row& row : rows) {
    EXPECT_EQ(convert(real(Type::f64, row.value), row.to).integer, row.truncated) << row.value;
    EXPECT_EQ(saturate(real(Type::f64, row.value), row.to).integer, row.rounded) << row.value;
  }
  EXPECT_EQ(convert(real(Type::f32, nan), Type::boolean).integer, 1);
  EXPECT_EQ(convert(real(Type::f32, -0.0), Type::boolean).integer, 0);
}

TEST(IrType, PromotionTakesTheWiderType) {
  EXPECT_EQ(arithmetic(Type::boolean), Type::i32);
  EXPECT_EQ(arithmetic(Type::u16), Type::i32);
  EXPECT_EQ(arithmetic(Type::i64), Type::i64);
  EXPECT_EQ(promote(Type::u8, Type::i8), Type::i32);
  EXPECT_EQ(promote(Type::i64, Type::u8), Type::i64);
  EXPECT_EQ(promote(Type::i64, Type::f32), Type::f32);
  EXPECT_EQ(promote(Type::f32, Type::f64), Type::f64);
}

TEST(IrType, NumbersPrintAsTheyReadBack) {
  EXPECT_EQ(print(make_real(Type::f32, 0.1)), "0.1");
  EXPECT_EQ(print(make_real(Type::f64, 1.0 / 3)), "0.3333333333333333");
  EXPECT_EQ(print(make_real(Type::f32, 1.0 / 3)), "0.33333334");
  EXPECT_EQ(print(real(Type::f64, -inf)), "-inf");
  EXPECT_EQ(print(real(Type::f64, nan)), "nan");
  EXPECT_EQ(print(integer(Type::i8, -3)), "-3");
  EXPECT_EQ(print(integer(Type::boolean, 1)), "true");
  EXPECT_FALSE(same_bits(real(Type::f64, 0.0), real(Type::f64, -0.0)));
  EXPECT_FALSE(same_bits(real(Type::f64, 1), real(Type::f32, 1)));
}

}  // namespace
}  // namespace stencilc::ir
