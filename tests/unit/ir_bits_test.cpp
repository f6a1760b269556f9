// Steps as functions of bits: which ones are, how many bits cells take, and that the gates make
// what the arithmetic of the language does.
#include <gtest/gtest.h>

#include "ir/bits.h"
#include "support/analysed.h"
#include "support/tables.h"

namespace stencilc::ir {
namespace {

Bits bits(const std::string& statements) {
  return bits_of(testing::canonical("stencil s { axes x, y; " + statements + " }"));
}

// What the gates make of a bit of each field, where `cell` says what the cell beside holds.
template <class CellOf>
int64_t made(const Bits& bits, int field, const CellOf& cell) {
  struct Evaluator {
    const Bits& bits;
    const CellOf& cell;
    bool operator()(int number, int x) const {
      const Gate& gate = bits.gates[number];
      const auto arg = [&](int n) { return (*this)(gate.args[n], x); };
      switch (gate.op) {
        case Gate::zero:
          return false;
        case Gate::one:
          return true;
        case Gate::read:
          return cell(gate.field, x, gate.row) >> gate.bit & 1;
        case Gate::beside:
          return (*this)(gate.args[0], x + gate.distance);
        case Gate::not_:
          return !arg(0);
        case Gate::and_:
          return arg(0) && arg(1);
        case Gate::or_:
          return arg(0) || arg(1);
        case Gate::xor_:
          return arg(0) != arg(1);
        case Gate::majority:
          return arg(0) + arg(1) + arg(2) > 1;
        case Gate::pick:
          return arg(0) ? arg(1) : arg(2);
      }
      return false;
    }
  };
  int64_t value = 0;
  for (size_t n = 0; n < bits.results[field].size(); ++n)
    value |= static_cast<int64_t>(Evaluator{bits, cell}(bits.results[field][n], 0)) << n;
  return value;
}

TEST(Bits, LifeHasOneBitAndFewGates) {
  const Bits life = bits(
      "field u8 a boundary periodic; let n = sum(i in -1..1, j in -1..1 : a[x+i, y+j]) - a; "
      "a[t+1] = n == 3 || (a == 1 && n == 2) ? 1 : 0;");
  EXPECT_EQ(life.why_not, "");
  EXPECT_EQ(life.count, std::vector<int>{1});
  EXPECT_TRUE(life.after_a_step);
  EXPECT_LE(life.operations(), 25);
  for (int cells = 0; cells < 512; ++cells) {
    const auto cell = [&](int, int x, int y) { return cells >> (3 * (y + 1) + x + 1) & 1; };
    int n = 0;
    for (int k = 0; k < 9; ++k) n += k == 4 ? 0 : cells >> k & 1;
    EXPECT_EQ(made(life, 0, cell), n == 3 || ((cells >> 4 & 1) && n == 2)) << cells;
  }
}

TEST(Bits, ArithmeticIsExact) {
  struct Row {
    const char* text;
    int64_t (*value)(int64_t a, int64_t b);
  };
  const Row rows[] = {
      {"p + 3*q", [](int64_t a, int64_t b) { return a + 3 * b; }},
      {"4 - p + 2*(q - p) + 5", [](int64_t a, int64_t b) { return 9 - 3 * a + 2 * b; }},
      {"abs(p - 2*q)", [](int64_t a, int64_t b) { return std::abs(a - 2 * b); }},
      {"max(p - q, 0)", [](int64_t a, int64_t b) { return std::max<int64_t>(a - b, 0); }},
      {"min(p, q) * (p < q ? 1 : 0)", [](int64_t a, int64_t b) { return a < b ? a : 0; }},
      {"p - q >= -1 && p != 2 ? 3 : 0",
       [](int64_t a, int64_t b) -> int64_t { return a - b >= -1 && a != 2 ? 3 : 0; }},
      // Ranges that have an end in common.
      {"p < q + 3 ? 1 : 0", [](int64_t a, int64_t b) -> int64_t { return a < b + 3 ? 1 : 0; }},
      {"q + 3 < p ? 1 : 0", [](int64_t a, int64_t b) -> int64_t { return b + 3 < a ? 1 : 0; }},
      {"(p - q) % 4", [](int64_t a, int64_t b) { return (a - b + 8) % 4; }},
      {"idiv(p - q, 2) + 2", [](int64_t a, int64_t b) { return (a - b + 8) / 2 - 2; }},
      {"sat_u8(p - q)", [](int64_t a, int64_t b) { return std::max<int64_t>(a - b, 0); }},
      {"p == q ? 1 : p <= 1 ? 2 : 0",
       [](int64_t a, int64_t b) -> int64_t { return a == b   ? 1
                                                    : a <= 1 ? 2
                                                             : 0; }},
  };
  for (const Row& row : rows) {
    const Bits step = bits(
        "field u8 a, b boundary periodic; field u8 c; let p = min(a, 3); let q = min(b, 3); "
        "a[t+1] = u8(min(a + b[x+1], 3)); "
        "b[t+1] = u8(max(b, 1) - 1 < 3 ? min(b, 3) : 3); c[t+1] = u8(" +
        std::string(row.text) + " + c % 1);");
    ASSERT_EQ(step.why_not, "") << row.text;
    EXPECT_EQ(step.count[0], 2);
    for (int64_t a = 0; a < 4; ++a)
      for (int64_t b = 0; b < 4; ++b)
        EXPECT_EQ(made(step, 2, [&](int field, int, int) { return field == 0 ? a : b; }),
                  row.value(a, b))
            << row.text << ", " << a << ", " << b;
  }
}

TEST(Bits, WhatIsNoFunctionOfFewBitsIsRefused) {
  stencilc::testing::expect_rows([](const std::string& text) { return bits(text).why_not; }, R"(
field u8 a boundary periodic; a[t+1] = sat_u8(0.5*a[x+1]); => a step computes with floats
field i32 a boundary periodic; a[t+1] = a[x+1]; => `a` needs more than one byte per cell
field u8 a, b boundary periodic; a[t+1] = a[x+1]; b[t+1] = b[x-1]; => a cell needs 16 bits, and the limit is 8
field bool a boundary zero; a[t+1] = a[x-32]; => a step reads cells more than 31 away along x
field u8 a boundary clamp; a[t+1] = u8(a[x+1] % 2);
=> the boundary of `a` is neither periodic nor one number
field u8 a boundary zero; a[t+1] = u8(a[x+1] % 2) on x > 3; => a step does not assign every cell of `a`
field u8 a boundary zero; a[t+1] = u8((a[x+1] * a) % 2); => a step multiplies two values that vary from cell to cell
field i8 a boundary zero; a[t+1] = i8(a[x+1] % 2 - 1); => `a` can become negative
param i32 p = 1; field u8 a boundary zero; a[t+1] = u8((a[x+1] + p) % 2);
=> a step reads something other than fields and numbers
)");
}

TEST(Bits, CellsOfFewValuesNeedNoStepBefore) {
  EXPECT_FALSE(bits("field bool a boundary zero; a[t+1] = a[x+1] != a;").after_a_step);
  EXPECT_FALSE(bits("field u8 a boundary zero; a[t+1] = max(a[x+1], a);").after_a_step);
}

}  // namespace
}  // namespace stencilc::ir
