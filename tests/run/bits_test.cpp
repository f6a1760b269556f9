// Launches of several steps whose cells are words of bits: the bits of one step per launch.
#include <gtest/gtest.h>

#include "run/agreement.h"

namespace stencilc::run_test {
namespace {

void expect_bits(const std::string& text, const std::string& shape) {
  expect_agreement(text, "coarsened,vector=32," + shape);
}

TEST(Bits, EveryNumberOutsideTheGridHolds) {
  for (const std::string& boundary :
       some({"periodic", "zero", "constant 2", "{ x: periodic; y: constant 1 }",
             "{ x: zero; y: periodic }"}))
    for (const std::string value :
         {"n == 3 || (a == 1 && n == 2) ? 1 : 0", "a[x-3] == 0 && n > 1 ? 2 : (n + a[y-2]) % 4",
          "min(max(n - 2*a[x+31] - 3, 0), 5)"})
      expect_bits("stencil s { axes x, y; field u8 a boundary " + boundary +
                      "; let n = sum(i in -1..1, j in -1..1 : a[x+i, y+j]) - a; a[t+1] = u8(" +
                      value + "); }",
                  "threads=32x2,coarsen=y16,steps=3");
}

TEST(Bits, SystemsOfFieldsAgree) {
  for (const std::string x : {"periodic", "zero"})
    expect_bits("stencil s { axes x, y; field i8 a; field bool b; boundary a, b { x: " + x +
                    "; y: zero } let n = 3*a[x-1] - 2*a[y+1] + a[x+2, y-1] + (b[x-3] ? 5 : "
                    "-2) - 7; a[t+1] = i8(abs(n) % 4); b[t+1] = idiv(n, 4) < a - b[y-2] || "
                    "sat_u8(n) == 3 || a[t+1] != a; }",
                "threads=32x1,coarsen=y8,steps=4");
}

TEST(Bits, BitsOfNumbersAgree) {
  expect_bits(
      "stencil s { axes x, y; field u8 gas boundary periodic; fn bit(c, k) = idiv(c, k) % 2; "
      "let n = bit_or(bit_and(gas[x-1], 5), bit_xor(gas[y+1], 3)); let m = popcount(gas[x+1]); "
      "gas[t+1] = u8(bit_and(n + m + bit(gas, 1) + bit(gas, 2) + bit(gas, 4), 7)); }",
      "threads=32x2,coarsen=y16,steps=3");
}

TEST(Bits, RowsOfOneSideAgree) {
  expect_bits(
      "stencil s { axes x, y; field bool m boundary constant true; m[t+1] = !m[y+2] || m[x-1]; }",
      "threads=32x1,coarsen=y8,steps=5");
  expect_bits(
      "stencil s { axes x, y; field bool m boundary periodic; m[t+1] = m[y-2] != m[x+1, y-1]; }",
      "threads=32x4,coarsen=y8,steps=7");
}

}  // namespace
}  // namespace stencilc::run_test
