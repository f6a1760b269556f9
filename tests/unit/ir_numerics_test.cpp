// Where every rounding goes: the canonical form of sums and the rules for fma, as the IR prints
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "ir/numerics.h"
#include "support/analysed.h"
#include "support/tables.h"

namespace stencilc::ir {
namespace {

using stencilc::testing::expect_rows;
using testing::canonical;
using testing::value_of;

// The value of the first of some statements in a line, with the numerics given.
auto one_d(Numerics numerics) {
  return [numerics](const std::string& statements) {
    return value_of(
        "stencil s { axes x; param f32 a, b; field f32 u, v boundary clamp; " + statements + " }",
        numerics);
  };
}
std::string three_d(const std::string& value) {
  return value_of("stencil s { axes x, y, z; field f32 u boundary clamp; u[t+1] = " + value +
                  "; }");
}
std::string two_d(const std::string& value) {
  return value_of("stencil s { axes x, y; field f32 u boundary clamp; u[t+1] = " + value + "; }");
}
// All updates, without the declarations.
std::string body(const std::string& text) {
  const std::string printed = print(canonical(text));
  std::string result;
  for (size_t at = 0; at < printed.size();) {
    const size_t end = printed.find('\n', at);
    const std::string line = printed.substr(at, end - at);
    if (line.find(" = ") != std::string::npos && line.find("param") == std::string::npos)
      result += line.substr(2) + "\n";
    at = end + 1;
  }
  return result;
}

TEST(IrNumerics, InALine) {
  expect_rows(one_d({}), R"(
--- order of one dimension
u[t+1] = 0.25*u[x-1] + 0.5*u + 0.125*u[x+1]; => sum(0.25 * u[x-1], 0.5 * u, 0.125 * u[x+1])
u[t+1] = 0.125*u[x+1] + (0.5*u + 0.25*u[x-1]); => sum(0.25 * u[x-1], 0.5 * u, 0.125 * u[x+1])
u[t+1] = u*0.5 + u[x-1]*0.25 + 0.125*u[x+1]; => sum(0.25 * u[x-1], 0.5 * u, 0.125 * u[x+1])
--- at one place older levels and then earlier fields come first
u[t+1] = v[x+1] + u[x+1] + u[x+1, t-1] + v + u + u[t-1]; v[t+1] = v;
=> sum(1 * u[t-1], 1 * u, 1 * v, 1 * u[x+1, t-1], 1 * u[x+1], 1 * v[x+1])
--- factors are distributed from the outside in
u[t+1] = 0.5*(u[x-1] + 3*u[x+1]); => sum(0.5 * u[x-1], 1.5 * u[x+1])
u[t+1] = a*(u[x-1] - b*(u[x+1] + 2*v)); v[t+1] = v;
=> sum(a * u[x-1], mul(mul(neg(a), b), 2) * v, mul(neg(a), b) * u[x+1])
u[t+1] = -(u[x-1] - u[x+1]); => sum(-1 * u[x-1], 1 * u[x+1])
--- equal taps merge
u[t+1] = u[x-1] + 2*u[x+1] + u[x-1] + u[x-1]; => sum(3 * u[x-1], 2 * u[x+1])
u[t+1] = a*u + u[x-1] + b*u; => sum(1 * u[x-1], add(a, b) * u)
--- taps of weight zero are dropped
u[t+1] = 0*u[x-1] + u + u[x+1]; => sum(1 * u, 1 * u[x+1])
u[t+1] = u[x-1] - u[x-1]; => 0
u[t+1] = u[x-1] - u[x-1] + a; => a
--- what reads nothing is the bias
u[t+1] = 2*(1 + u[x-1]) + 3*(a - u[x+1]); => sum(add(2, mul(3, a)), 2 * u[x-1], -3 * u[x+1])
u[t+1] = u + 1; => sum(1, 1 * u)
--- division by a scalar is distributed over sums only
u[t+1] = (u[x-1] + u[x+1] - 2*u) / 3; => sum(0.33333334 * u[x-1], -0.6666667 * u, 0.33333334 * u[x+1])
u[t+1] = (u[x-1] + u[x+1]) / a; => sum(div(1, a) * u[x-1], div(1, a) * u[x+1])
u[t+1] = u[x-1] / 3; => div(u[x-1], 3)
u[t+1] = (2*u[x-1]) / a; => div(mul(2, u[x-1]), a)
u[t+1] = (u[x-1] + u[x+1]) / v; v[t+1] = v; => div(sum(1 * u[x-1], 1 * u[x+1]), v)
--- products fuse into sums
u[t+1] = u*v + v; v[t+1] = v; => fma(u, v, v)
u[t+1] = v + u*v; v[t+1] = v; => fma(u, v, v)
u[t+1] = v - u*v; v[t+1] = v; => fma(neg(u), v, v)
u[t+1] = u*v - v; v[t+1] = v; => fma(u, v, neg(v))
u[t+1] = u*v + v*v; v[t+1] = v; => fma(v, v, mul(u, v))
u[t+1] = u*v - v*v; v[t+1] = v; => fma(neg(v), v, mul(u, v))
--- integers and coordinates are no sums
u[t+1] = x*u + u[x-1]; => fma(f32(x), u, u[x-1])
--- a let used once at the centre is looked through
let l = u[x-1] - 2*u + u[x+1]; u[t+1] = u + 0.5*l; => sum(0.5 * u[x-1], 0.5 * u[x+1])
let p = u*v; u[t+1] = v - p; v[t+1] = v; => fma(neg(u), v, v)
)");
  EXPECT_EQ(
      reach(canonical(
                "stencil s { axes x; field f32 u boundary clamp; u[t+1] = 0*u[x-2] + u[x+1]; }"))
          .low,
      Offset{});
}

TEST(IrNumerics, WithoutFmaEveryProductIsRounded) {
  expect_rows(one_d({Numerics::canonical, false}), R"(
u[t+1] = 0.125*u[x+1] + 0.25*u[x-1] + 3; => add(add(3, mul(0.25, u[x-1])), mul(0.125, u[x+1]))
u[t+1] = u[x+1] + 0.25*u[x-1]; => add(mul(0.25, u[x-1]), u[x+1])
u[t+1] = v - u*v; v[t+1] = v; => sub(v, mul(u, v))
)");
}

TEST(IrNumerics, SourceOrderIsTheOrderWritten) {
  expect_rows(one_d({Numerics::source, true}), R"(
u[t+1] = 0.125*u[x+1] + 0.5*u + 0.25*u[x-1]; => fma(0.25, u[x-1], fma(0.5, u, mul(0.125, u[x+1])))
u[t+1] = (u[x+1] + u[x-1]) / 3; => div(add(u[x+1], u[x-1]), 3)
let p = u*v; u[t+1] = v + p; v[t+1] = v; => add(v, p)
)");
  expect_rows(one_d({Numerics::source, false}), R"(
u[t+1] = 0.125*u[x+1] + 0.5*u + 0.25*u[x-1]; => add(add(mul(0.125, u[x+1]), mul(0.5, u)), mul(0.25, u[x-1]))
u[t+1] = 0*u[x-1] + u; => add(mul(0, u[x-1]), u)
)");
}

TEST(IrNumerics, OrderOfStarsAndBoxes) {
  expect_rows(two_d, R"(
u[x+1] + u[y+1] + u + u[x-1] + u[y-1] => sum(1 * u[y-1], 1 * u[x-1], 1 * u, 1 * u[x+1], 1 * u[y+1])
sum(i in -1..1, j in -1..1 : u[x+i, y+j])
=> sum(1 * u[x-1, y-1], 1 * u[y-1], 1 * u[x+1, y-1], 1 * u[x-1], 1 * u, 1 * u[x+1], 1 * u[x-1, y+1], 1 * u[y+1], 1 * u[x+1, y+1])
)");
  expect_rows(three_d, R"(
u[x+1] + u[y+1] + u[z+1] + u[x-1] + u[y-1] + u[z-1] + u
=> sum(1 * u[z-1], 1 * u[x-1], 1 * u, 1 * u[x+1], 1 * u[y-1], 1 * u[y+1], 1 * u[z+1])
u[z+2] + u[y-2] + u[z-2] + u[x-2] + u[y+2] + u[x+2]
=> sum(1 * u[z-2], 1 * u[x-2], 1 * u[x+2], 1 * u[y-2], 1 * u[y+2], 1 * u[z+2])
)");
  // Plane by plane; in each the cell's own row first, then the rows beside it.
  std::string expected;
  for (const char* z : {"z-1", "", "z+1"}) {
    for (const char* y : {"", "y-1", "y+1"}) {
      for (const char* x : {"x-1", "", "x+1"}) {
        std::string offsets;
        for (const std::string axis : {x, y, z})
          if (!axis.empty()) offsets += (offsets.empty() ? "" : ", ") + axis;
        expected +=
            (expected.empty() ? "1 * u" : ", 1 * u") + (offsets.empty() ? "" : "[" + offsets + "]");
      }
    }
  }
  EXPECT_EQ(three_d("sum(i in -1..1, j in -1..1, k in -1..1 : u[x+i, y+j, z+k])"),
            "sum(" + expected + ")");
}

TEST(IrNumerics, IntegersCastsAndLets) {
  expect_rows(body, R"(
--- integers are no sums
stencil s { axes x; field i32 u boundary clamp; u[t+1] = u[x+1]*2 + u[x-1]*3; }
=> u[t+1] = add(mul(u[x+1], 2), mul(u[x-1], 3))
--- taps of widening casts
stencil s { axes x; field u8 p in boundary clamp; field f32 q out; q = 2.5*p[x+1] + 0.5*f32(p); }
=> q = sum(0.5 * f32(p), 2.5 * f32(p[x+1]))
--- a half is read as f32, and widened once more
stencil s { axes x; field f16 h in boundary clamp; field f64 q out; q = f64(h[x+1])*2.5 + q0*f64(h); param f64 q0; }
=> q = sum(q0 * f64(f32(h)), 2.5 * f64(f32(h[x+1])))
--- f64 to f32 rounds: a value of its own
stencil s { axes x; field f64 d in boundary clamp; field f32 q out; q = f32(d[x+1]) + f32(d); }
=> q = add(f32(d[x+1]), f32(d))
--- other lets are values of their own
stencil s { axes x; field f32 u, v boundary clamp; let l = u[x-1] - 2*u + u[x+1]; u[t+1] = u + 0.5*l; v[t+1] = v[x-1] + l; }
=> let l: f32 = sum(1 * u[x-1], -2 * u, 1 * u[x+1])
   u[t+1] = fma(0.5, l, u)
   v[t+1] = add(v[x-1], l)
stencil s { axes x; field f32 u boundary clamp; let l = u*u; u[t+1] = u + l[x+1]; }
=> let l[x+1]: f32 = mul(u[x+1], u[x+1])
   u[t+1] = add(u, l[x+1])
stencil s { axes x; field f32 u boundary clamp; let l = u*u; u[t+1] = l*l + u[x+1]; }
=> let l: f32 = mul(u, u)
   u[t+1] = fma(l, l, u[x+1])
)");
}

// 64 products of a weight and a factor of the run would cost more than one of the sum.
TEST(IrNumerics, AFactorOfTheRunStaysOutsideOfManyTaps) {
  const auto sum_of = [](const std::string& factor, int taps) {
    return value_of("stencil s { axes x; param f32 a; field f32 u boundary clamp; u[t+1] = " + factor +
                    "*sum(i in 1.." + std::to_string(taps) + " : u[x+i]); }")
        .substr(0, 16);
  };
  EXPECT_EQ(sum_of("a", 64), "sum(a * u[x+1], ");
  EXPECT_EQ(sum_of("3", 64), "sum(3 * u[x+1], ");
  EXPECT_EQ(sum_of("a*2", 63), "sum(mul(a, 2) * ");
  const auto more = [](const std::string& factor) {
    return value_of("stencil s { axes x; param f32 a; field f32 u boundary clamp; u[t+1] = " +
                    factor + "*(sum(i in 1..64 : u[x+i]) + u); }")
        .substr(0, 15);
  };
  EXPECT_EQ(more("a"), "mul(a, sum(1 * ");
  EXPECT_EQ(more("3"), "sum(3 * u, 3 * ");
}

// The bits of a let do not depend on who reads it, nor on what else reads what it reads.
TEST(IrNumerics, OrderWithinALetIsThatOfItsCell) {
  expect_rows(body, R"(
--- the row of the let comes first, wherever it is read
stencil s { axes x, y, z; field f32 u boundary clamp; let l = u[y-1] + u + u[y+1]; u[t+1] = l[y+1] * l[y-1]; }
=> let l[y+1]: f32 = sum(1 * u[y+1], 1 * u, 1 * u[y+2])
   let l[y-1]: f32 = sum(1 * u[y-1], 1 * u[y-2], 1 * u)
   u[t+1] = mul(l[y+1], l[y-1])
--- a field that lacks the axis stays where it is
stencil s { axes x, y, z; field f32 u boundary clamp; field f32 p(x) in; let l = p + u[y+1] + u; u[t+1] = l[y+1] * l; }
=> let l[y+1]: f32 = sum(1 * u[y+1], 1 * p, 1 * u[y+2])
   let l: f32 = sum(1 * u, 1 * p, 1 * u[y+1])
   u[t+1] = mul(l[y+1], l)
--- read once in another let: expanded into it, however often that one is read
stencil s { axes x; field f32 u boundary clamp; let a = u[x-1] + u; let l = 2*a + u[x+1]; u[t+1] = l[x+1] * l; }
=> let l[x+1]: f32 = sum(2 * u, 2 * u[x+1], 1 * u[x+2])
   let l: f32 = sum(2 * u[x-1], 2 * u, 1 * u[x+1])
   u[t+1] = mul(l[x+1], l)
)");
}

// What a user writes in another order gets the same bits, in the canonical order and only there.
TEST(IrNumerics, ThePermutationsOfASumAreOneSum) {
  const char* terms[] = {"0.1*u[x-1]", "0.2*u[y-1]", "0.3*u", "0.4*u[y+1]"};
  int order[] = {0, 1, 2, 3};
  const std::string expected = "sum(0.2 * u[y-1], 0.1 * u[x-1], 0.3 * u, 0.4 * u[y+1])";
  int count = 0;
  do {
    std::string value;
    for (const int term : order) value += (value.empty() ? "" : " + ") + std::string(terms[term]);
    EXPECT_EQ(two_d(value), expected) << value;
    ++count;
  } while (std::next_permutation(std::begin(order), std::end(order)));
  EXPECT_EQ(count, 24);
}

}  // namespace
}  // namespace stencilc::ir
