// Sums of single bits are counts of bits.
#include <gtest/gtest.h>

#include <string>

#include "passes/bit_counts.h"
#include "support/analysed.h"
#include "support/tables.h"

namespace stencilc::passes {
namespace {

using stencilc::testing::expect_rows;

std::string counted(const std::string& value) {
  ir::Stencil stencil = testing::canonical(
      "stencil s { axes x; field i32 a in, b in; field u8 c in; field i64 w in; field i64 d out; "
      "fn bit(v, k) = idiv(v, 2^k) % 2; fn differ(k) = bit(a, k) != bit(b, k) ? 1 : 0; d = " +
      value + "; }");
  count_bits(stencil);
  std::string text = ir::print(stencil.updates[0].cases[0].value, stencil);
  return text;
}

TEST(BitCounts, OfOneValueAndOfWhereTwoDiffer) {
  expect_rows(counted, R"(a % 2 + bit(a, 1) + bit(a, 3)
=> i64(popcount(bit_and(a, 11)))
differ(0) + differ(1) + differ(5)
=> i64(popcount(bit_and(bit_xor(a, b), 35)))
bit(c, 0) + bit(c, 1) + bit(c, 2) + a
=> i64(add(popcount(bit_and(i32(c), 7)), a))
bit(w, 40) + bit(w, 3) + bit(w, 41)
=> i64(popcount(bit_and(w, 3298534883336)))
(bit(a, 0) == 1 ? 1 : 0) + (bit(a, 1) != 0 ? 1 : 0) + (bit(a, 2) == 0 ? 0 : 1) + i32(bit(a, 4) == 1)
=> i64(popcount(bit_and(a, 23)))
(differ(0) + a) + (differ(1) + differ(2)) + differ(1)
=> i64(add(add(popcount(bit_and(bit_xor(a, b), 7)), a), select(ne(mod(idiv(a, 2), 2), mod(idiv(b, 2), 2)), 1, 0)))
)");
}

// Two bits, bits at different places, the other value of a bit, no bit, and sums with other signs.
TEST(BitCounts, OthersStayAsTheyAre) {
  for (const char* value :
       {"bit(a, 0) + bit(a, 1)", "bit(a, 0) + bit(b, 1) + bit(c, 2)",
        "(bit(a, 0) != bit(b, 1) ? 1 : 0) + (bit(a, 1) != bit(b, 2) ? 1 : 0) + (bit(a, 2) != "
        "bit(b, 3) ? 1 : 0)",
        "(bit(a, 0) == 0 ? 1 : 0) + (bit(a, 1) == 0 ? 1 : 0) + (bit(a, 2) == 0 ? 1 : 0)",
        "a % 4 + idiv(a, 4) % 4 + idiv(a, 16) % 4", "bit(a, 0) - bit(a, 1) - bit(a, 2)",
        "(bit(a, 0) != bit(b, 0) ? 2 : 0) + (bit(a, 1) != bit(b, 1) ? 2 : 0) + (bit(a, 2) != "
        "bit(b, 2) ? 2 : 0)"})
    EXPECT_EQ(counted(value).find("popcount"), std::string::npos)
        << value << ": " << counted(value);
}

}  // namespace
}  // namespace stencilc::passes
