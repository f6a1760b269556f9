// Defines element and arithmetic types, scalar values, and what every operation does to them.
//
// The interpreter, constant folding and the documentation of the language are based on apply():
// every target has to return the same bits (except for transcendental functions; see
// docs/language.md, "Numbers").
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace stencilc::ir {

// f16 (IEEE binary16) and bf16 (the upper half of an f32) are storage types: their values are
// computed in f32.
enum class Type : uint8_t { boolean, i8, u8, i16, u16, i32, i64, f16, bf16, f32, f64 };

std::string_view name(Type type);  // as written in .stn: "f32"
bool is_float(Type type);
bool is_half(Type type);     // f16 or bf16
bool is_integer(Type type);  // not bool
int bytes(Type type);
// Arithmetic is never done in a type narrower than i32 or f32: u8 and bool promote to i32, f16 and
// bf16 to f32; others stay.
Type arithmetic(Type type);
// The common arithmetic type of two operands: the wider float, otherwise the wider integer; an
// integer and a float give the float.
Type promote(Type a, Type b);
// Smallest and largest value of an integer type.
int64_t lowest(Type type);
int64_t highest(Type type);

// A value: `real` holds floats, each exactly; `integer` holds integers and bool (0 or 1).
struct Scalar {
  Type type = Type::f32;
  double real = 0;
  int64_t integer = 0;
};
Scalar make_real(Type type, double value);      // rounds once to the type
Scalar make_integer(Type type, int64_t value);  // the value must be in the type's range
bool same_bits(const Scalar& a, const Scalar& b);
// As a number of the language: 0.25, -3, inf, nan, true. For floats, the shortest text that reads
// back as the same value.
std::string print(const Scalar& value);

enum class Op : uint8_t {
  // arithmetic; `div` and the operations up to `pow` are for floats only, `idiv` and `mod` for
  // integers only
  neg,
  add,
  sub,
  mul,
  fma,
  div,
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  tanh,
  pow,
  floor,
  ceil,
  idiv,
  mod,
  abs,
  min,
  max,
  // bits of integers in two's complement; popcount counts those that are set, as an i32
  bit_and,
  bit_or,
  bit_xor,
  popcount,
  // comparisons: operands of one type, boolean result
  lt,
  le,
  gt,
  ge,
  eq,
  ne,
  // logic, and selection: select(condition, yes, no)
  not_,
  and_,
  or_,
  select,
};
std::string_view name(Op op);
int arity(Op op);
bool is_comparison(Op op);
bool is_bitwise(Op op);  // bit_and, bit_or, bit_xor
// exp, log, sin, cos, tan, tanh, pow: correct to a few units in the last place. The same argument
// gives the same bits on one target, perhaps others on another target.
bool is_transcendental(Op op);

// The result of `op` in `type` (for a comparison: the type of the operands), which is an arithmetic
// type except for a selection. One rounding to nearest even; integers wrap around; idiv rounds down
// and gives 0 for a divisor of 0; abs saturates; min and max prefer numbers over NaN and order -0 <
// +0; fma(a, b, c) = a*b + c.
Scalar apply(Op op, Type type, std::span<const Scalar> args);

// Converts as the casts f32(v), u8(v) do: float to integer truncates and saturates, and NaN gives
// 0; integer to integer wraps around; to boolean is v != 0; to a float rounds once, to nearest
// even.
Scalar convert(const Scalar& value, Type to);
// Converts as sat_u8(v) does: float to integer rounds to nearest even and saturates; integer to
// integer saturates.
Scalar saturate(const Scalar& value, Type to);

}  // namespace stencilc::ir
