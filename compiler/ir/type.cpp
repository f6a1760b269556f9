#include "ir/type.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>

namespace stencilc::ir {
namespace {

struct TypeRow {
  std::string_view name;
  int bytes;
  int64_t lowest, highest;
};
constexpr std::array<TypeRow, 11> kTypes = {{
    {"bool", 1, 0, 1},
    {"i8", 1, INT8_MIN, INT8_MAX},
    {"u8", 1, 0, UINT8_MAX},
    {"i16", 2, INT16_MIN, INT16_MAX},
    {"u16", 2, 0, UINT16_MAX},
    {"i32", 4, INT32_MIN, INT32_MAX},
    {"i64", 8, INT64_MIN, INT64_MAX},
    {"f16", 2, 0, 0},
    {"bf16", 2, 0, 0},
    {"f32", 4, 0, 0},
    {"f64", 8, 0, 0},
}};

struct OpRow {
  std::string_view name;
  int arity;
};
constexpr std::array<OpRow, 35> kOps = {{
    {"neg", 1},      {"add", 2}, {"sub", 2},   {"mul", 2},     {"fma", 3},    {"div", 2},
    {"sqrt", 1},     {"exp", 1}, {"log", 1},   {"sin", 1},     {"cos", 1},    {"tan", 1},
    {"tanh", 1},     {"pow", 2}, {"floor", 1}, {"ceil", 1},    {"idiv", 2},   {"mod", 2},
    {"abs", 1},      {"min", 2}, {"max", 2},   {"bit_and", 2}, {"bit_or", 2}, {"bit_xor", 2},
    {"popcount", 1}, {"lt", 2},  {"le", 2},    {"gt", 2},      {"ge", 2},     {"eq", 2},
    {"ne", 2},       {"not", 1}, {"and", 2},   {"or", 2},      {"select", 3},
}};

const TypeRow& row(Type type) { return kTypes[static_cast<size_t>(type)]; }

template <class T>
T fmin_rule(T a, T b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class T>
T fmax_rule(T a, T b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a < b ? b : a;
}

template <class T>
T real_apply(Op op, T a, T b, T c) {
  switch (op) {
    case Op::neg:
      return -a;
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::fma:
      return std::fma(a, b, c);
    case Op::div:
      return a / b;
    case Op::sqrt:
      return std::sqrt(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::pow:
      return std::pow(a, b);
    case Op::floor:
      return std::floor(a);
    case Op::ceil:
      return std::ceil(a);
    case Op::abs:
      return std::fabs(a);
    case Op::min:
      return fmin_rule(a, b);
    case Op::max:
      return fmax_rule(a, b);
    default:
      assert(false && "not a float operation");
      return a;
  }
}

template <class T>
bool compare(Op op, T a, T b) {
  switch (op) {
    case Op::lt:
      return a < b;
    case Op::le:
      return a <= b;
    case Op::gt:
      return a > b;
    case Op::ge:
      return a >= b;
    case Op::eq:
      return a == b;
    case Op::ne:
      return a != b;
    default:
      assert(false && "not a comparison");
      return false;
  }
}

int64_t floor_div(int64_t a, int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return static_cast<int64_t>(0 - static_cast<uint64_t>(a));
  const int64_t quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

int64_t integer_apply(Op op, int64_t a, int64_t b) {
  const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  switch (op) {
    case Op::neg:
      return static_cast<int64_t>(0 - ua);
    case Op::add:
      return static_cast<int64_t>(ua + ub);
    case Op::sub:
      return static_cast<int64_t>(ua - ub);
    case Op::mul:
      return static_cast<int64_t>(ua * ub);
    case Op::idiv:
      return floor_div(a, b);
    case Op::mod:
      return b == 0 ? 0 : static_cast<int64_t>(ua - static_cast<uint64_t>(floor_div(a, b)) * ub);
    case Op::abs:
      return std::max(a, a == INT64_MIN ? INT64_MAX : -a);
    case Op::min:
      return a < b ? a : b;
    case Op::max:
      return a < b ? b : a;
    case Op::bit_and:
      return a & b;
    case Op::bit_or:
      return a | b;
    case Op::bit_xor:
      return a ^ b;
    default:
      assert(false && "not an integer operation");
      return a;
  }
}

}  // namespace

std::string_view name(Type type) { return row(type).name; }
bool is_float(Type type) { return type >= Type::f16; }
bool is_half(Type type) { return type == Type::f16 || type == Type::bf16; }
bool is_integer(Type type) { return !is_float(type) && type != Type::boolean; }
int bytes(Type type) { return row(type).bytes; }
int64_t lowest(Type type) { return row(type).lowest; }
int64_t highest(Type type) { return row(type).highest; }

Type arithmetic(Type type) {
  if (is_half(type)) return Type::f32;
  return type < Type::i32 ? Type::i32 : type;
}

Type promote(Type a, Type b) {
  a = arithmetic(a);
  b = arithmetic(b);
  return a < b ? b : a;  // by the order of the enumeration
}

std::string_view name(Op op) { return kOps[static_cast<size_t>(op)].name; }
int arity(Op op) { return kOps[static_cast<size_t>(op)].arity; }
bool is_comparison(Op op) { return op >= Op::lt && op <= Op::ne; }
bool is_bitwise(Op op) { return op >= Op::bit_and && op <= Op::bit_xor; }
bool is_transcendental(Op op) { return op >= Op::exp && op <= Op::pow; }

Scalar make_integer(Type type, int64_t value) {
  assert(!is_float(type) && value >= lowest(type) && value <= highest(type));
  return {type, 0, value};
}

bool same_bits(const Scalar& a, const Scalar& b) {
  if (a.type != b.type) return false;
  if (!is_float(a.type)) return a.integer == b.integer;
  return std::bit_cast<uint64_t>(a.real) == std::bit_cast<uint64_t>(b.real);
}

Scalar apply(Op op, Type type, std::span<const Scalar> args) {
  assert(static_cast<int>(args.size()) == arity(op));
  assert(!is_half(type) || op == Op::select);
  if (is_comparison(op)) {
    const bool holds = is_float(args[0].type) ? compare(op, args[0].real, args[1].real)
                                              : compare(op, args[0].integer, args[1].integer);
    return {Type::boolean, 0, holds};
  }
  switch (op) {
    case Op::not_:
      return {Type::boolean, 0, !args[0].integer};
    case Op::and_:
      return {Type::boolean, 0, args[0].integer && args[1].integer};
    case Op::or_:
      return {Type::boolean, 0, args[0].integer || args[1].integer};
    case Op::select:
      return args[0].integer ? args[1] : args[2];
    case Op::popcount: {
      const auto all = static_cast<uint64_t>(args[0].integer);  // of an i32 with copies of its sign
      return {type, 0, std::popcount(args[0].type == Type::i64 ? all : all & UINT32_MAX)};
    }
    default:
      break;
  }
  const Scalar zero;
  const Scalar& b = args.size() > 1 ? args[1] : zero;
  const Scalar& c = args.size() > 2 ? args[2] : zero;
  if (type == Type::f64) return {type, real_apply<double>(op, args[0].real, b.real, c.real), 0};
  if (type == Type::f32) {
    const auto f = [](const Scalar& s) { return static_cast<float>(s.real); };
    return {type, real_apply<float>(op, f(args[0]), f(b), f(c)), 0};
  }
  if (op == Op::abs)
    return {type, 0, std::min(integer_apply(op, args[0].integer, 0), highest(type))};
  return convert({Type::i64, 0, integer_apply(op, args[0].integer, b.integer)}, type);
}

}  // namespace stencilc::ir
