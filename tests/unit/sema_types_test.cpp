// What type an expression computes in, what may be assigned to what, and the types of storage.
#include <gtest/gtest.h>

#include "support/interpreted.h"
#include "support/tables.h"
#include "support/text.h"

namespace stencilc {
namespace {

using testing::complaints;
using testing::expect_pages;
using testing::expect_rows;
using testing::Interpreted;
using testing::statements_of;
using Numbers = Interpreted::Numbers;

// Fields of every type but f64, which would make the stencil's real type f64.
const std::string kFields =
    "param f32 p; param i32 n; field u8 a, b in boundary clamp; field i16 h in; "
    "field i32 i in; field i64 l in; field f32 f in boundary clamp; field bool q in; ";

// A statement that assigns `expr` to an output of type `type`; `d` is of f64.
std::string assignment(const std::string& type, const std::string& expr) {
  return "stencil s {\naxes x, y; " + kFields +
         (expr.find('d') == std::string::npos ? "" : "field f64 d in; ") + "field " + type +
         " r out;\nr = " + expr + ";\n}\n";
}
// Its value, roundings as written.
std::string value(const std::string& type, const std::string& expr) {
  return testing::value_of(assignment(type, expr), {ir::Numerics::source, false});
}
std::string error(const std::string& type, const std::string& expr) {
  return complaints(assignment(type, expr));
}

TEST(SemaTypes, OfExpressions) {
  expect_rows(value, R"(
--- narrow integers compute in i32
i32 | a + b => add(i32(a), i32(b))
i32 | a*h - idiv(b, 2) % 3 => sub(mul(i32(a), i32(h)), mod(idiv(i32(b), 2), 3))
i64 | a + l => add(i64(a), l)
i32 | -a => neg(i32(a))
i32 | abs(h) => abs(i32(h))
--- literals adopt the type they meet
f32 | 2*f + 1 => add(mul(2, f), 1)
f32 | 0.1*f => mul(0.1, f)
f64 | 0.1*d => mul(0.1, d)
i64 | l + 3 => add(l, 3)
f32 | i + 0.5 => add(f32(i), 0.5)
f32 | 1/3 * f => mul(0.33333334, f)
f32 | f + 2*3 => add(f, 6)
u8 | 200 => 200
f32 | q ? 1 : 2 => select(q, 1, 2)
--- mixed operands take the float
f32 | a*f => mul(f32(a), f)
f32 | l*f => mul(f32(l), f)
f64 | f*d => mul(f64(f), d)
f32 | p*n => mul(p, f32(n))
f32 | x*f => mul(f32(x), f)
f32 | sqrt(i) => sqrt(f32(i))
f64 | pow(d, 1.5) => pow(d, 1.5)
--- a fraction beside an integer has the real type of the stencil
f64 | i + 0.5 + 0*d => add(add(f64(i), 0.5), mul(0, d))
f64 | sqrt(i) + 0*d => add(sqrt(f64(i)), mul(0, d))
--- widening is implicit
f64 | f => f64(f)
i64 | a => i64(a)
i16 | a => i16(a)
f32 | l => f32(l)
f32 | q => f32(q)
u8 | q => u8(q)
--- casts say what is lost
u8 | u8(a + b) => u8(add(i32(a), i32(b)))
u8 | sat_u8(1.5*a) => sat_u8(mul(1.5, f32(a)))
f32 | f32(d) => f32(d)
u8 | sat_u8(300) => 255
u8 | u8(300) => 44
bool | bool(f) => bool(f)
--- conditions are bool and comparisons make them
f32 | f < 1 && !(i >= 2) ? f : 0 => select(and(lt(f, 1), not(ge(i, 2))), f, 0)
bool | q == true => eq(q, true)
bool | q || f != 0 => or(q, ne(f, 0))
bool | a == i => eq(i32(a), i)
--- both arms of a choice have one type
f64 | q ? f : d => select(q, f64(f), d)
u8 | q ? a : b => select(q, a, b)
u8 | i > 2 ? 1 : 0 => select(gt(i, 2), 1, 0)
--- min and max of one narrow type stay in it
u8 | max(a, b) => max(a, b)
u8 | min(a, b, a[x+1]) => min(min(a, b), a[x+1])
i32 | max(a, 3) => max(i32(a), 3)
--- a number beside a value of the type that is assigned is of that type
u8 | q ? 2 : i > 2 ? 1 : 0 => select(q, 2, select(gt(i, 2), 1, 0))
u8 | q ? 255 : a => select(q, 255, a)
u8 | q ? a : i > 2 ? b : 7 => select(q, a, select(gt(i, 2), b, 7))
u8 | max(min(a, 200), 3) => max(min(a, 200), 3)
u8 | min(q ? 2 : a, b) => min(select(q, 2, a), b)
i16 | h > 2 ? -3 : h => select(gt(i32(h), 2), -3, h)
f32 | (q ? 255 : a) + f => add(f32(select(q, 255, i32(a))), f)
f32 | max(f, 0) => max(f, 0)
--- what is never taken may divide by zero, inside functions, too, and has no type
f32 | 1 > 2 ? f / 0 : f => f
f32 | sum(n in -1..1 : n != 0 ? f[x+n] / abs(n) : 0) => add(add(div(f[x-1], 1), 0), div(f[x+1], 1))
i32 | 1 > 2 || 2 > 3 ? idiv(i, 0) : i => i
--- integers are not divided by a slash
f32 | i / 2.0 => div(f32(i), 2)
i32 | idiv(i, 6/3) => idiv(i, 2)
--- powers unfold into products
f32 | f^1 => f
f32 | f^2 => mul(f, f)
f32 | f^3 => mul(f, mul(f, f))
f32 | f^4 => mul(mul(f, f), mul(f, f))
f32 | f^-2 => div(1, mul(f, f))
f32 | f^0.5 => pow(f, 0.5)
f32 | -f^2 => neg(mul(f, f))
i32 | i^2 => mul(i, i)
f32 | 2^10*f => mul(1024, f)
)");
}

TEST(SemaTypes, NoDoubleCreepsIntoF32) {
  const std::string text = value("f32", "0.1*f + 1e-3*(f - 0.5)/3 + p*0.2");
  EXPECT_EQ(text.find("f64"), std::string::npos) << text;
}

TEST(SemaTypes, ErrorsSayWhatToWrite) {
  testing::expect_statements(complaints, "stencil s {\naxes x, y; " + kFields + "\n", "\n}\n", R"(
field u8 r out; r = a + b;
                    ^~~~~ error: the value is `i32`, but the field `r` is `u8` [STN0302]
  help: write `sat_u8(...)` to round and saturate, or `u8(...)` to keep the low bits
field u8 r out; r = f;
                    ^ error: the value is `f32`, but the field `r` is `u8` [STN0302]
  help: write `sat_u8(...)` to round and saturate, or `u8(...)` to truncate
field f64 d in; field f32 r out; r = d*2;
                                     ^~~ error: the value is `f64`, but the field `r` is `f32` [STN0302]
  help: write `f32(...)` to round it
field bool r out; r = f;
                      ^ error: the value is `f32`, but the field `r` is `bool` [STN0301]
  help: compare it: `... != 0`
field f32 r out; r = f && q ? 1 : 2;
                     ^ error: expected a condition, found a number [STN0301]
  help: compare it: `... != 0`
)");
  expect_rows(error, R"(
--- narrowing is an error that says what to write
i32 | l ~> the value is `i64`, but the field `r` is `i32` [STN0302]
i8 | a ~> the value is `u8`, but the field `r` is `i8` [STN0302]
u8 | q ? 256 : a ~> the value is `i32`, but the field `r` is `u8` [STN0302]
u8 | q ? -1 : a ~> the value is `i32`, but the field `r` is `u8` [STN0302]
u8 | q ? 2 : h ~> the value is `i32`, but the field `r` is `u8` [STN0302]
u8 | max(a, 300) ~> the value is `i32`, but the field `r` is `u8` [STN0302]
--- literals must fit
u8 | 256 ~> 256 does not fit `u8` [STN0305]
u8 | -1 ~> -1 does not fit `u8` [STN0305]
i32 | 0.5 ~> 0.5 does not fit `i32` [STN0305]
i32 | i + 3000000000 ~> 3000000000 does not fit `i32` [STN0305]
f32 | 1e60*f ~> 1e+60 does not fit `f32` [STN0305]
--- conditions are bool and comparisons make them
f32 | i ? 1 : 2 ~> expected a condition, found a number
i32 | q ? 1 : 2.5 ~> the value is `f32`, but the field
bool | !f ~> expected a condition, found a number
--- integers are not divided by a slash
i32 | i / 2 ~> `/` divides integers here [STN0304]
i32 | idiv(f, 2) ~> `idiv` takes integers [STN0301]
f32 | f % 2 ~> [STN0301]
i32 | i % 0 ~> [STN0308]
f32 | f / (1 - 1) ~> [STN0308]
f32 | 1 > 2 ? f : f / 0 ~> [STN0308]
f32 | 1 > 2 ? nothing / 0 : f ~> nothing
--- powers unfold into products
f32 | f^f ~> [STN0303]
)");
}

// `u[t+1] += e` begins with level t where nothing has assigned u[t+1]; what is narrower than i32
// comes back to its type.
TEST(SemaTypes, CompoundAssignments) {
  const auto all = [](const std::string& text) {
    return testing::statements_of("stencil s { axes x; field f32 u; field i16 n boundary clamp; " +
                                  text + " }");
  };
  expect_rows(all, R"(
u[t+1] += 2*x; u[t+1] *= 3;
=> u[t+1] = add(u, f32(mul(2, x)))
   u[t+1] = mul(u[t+1], 3)
u[t+1] -= 1 on x > 2; u[t+1] += 4;
=> u[t+1] = sub(u, 1)  on x >= 3
   u[t+1] = add(u[t+1], 4)
n[t+1] -= i16(n[x-1]); n[t+1] += 7; n[t+1] *= n;
=> n[t+1] = i16(sub(i32(n), i32(n[x-1])))
   n[t+1] = i16(add(i32(n[t+1]), 7))
   n[t+1] = i16(mul(i32(n[t+1]), i32(n)))
)");
  testing::expect_statements(complaints, "stencil s {\naxes x; field i16 n;\n", "\n}\n", R"(
n[t+1] += n + n;
          ^~~~~ error: the value is `i32`, but the field `n` is `i16` [STN0302]
  help: write `sat_i16(...)` to round and saturate, or `i16(...)` to keep the low bits
n[t+1] -= 40000;
          ^~~~~ error: 40000 does not fit `i16` [STN0305]
)");
}

// Of a window only what depends on its variables and remains when the program runs counts.
TEST(SemaTypes, WhatFoldsToConstantsIsNoOperation) {
  const std::string sectors =
      "stencil s { axes x, y; field f32 img in boundary clamp; field f32 dst out;"
      "fn inside(k, i, j) = i*i + j*j <= 16 && (k == 0 && i > 0 && 3*max(j, -j) <= i || k == 1 && "
      "j > 0"
      " && 3*max(i, -i) <= j || k == 2 && i < 0 && 3*max(j, -j) <= -i || k == 3 && i == 2 && j == "
      "3);"
      "fn count(k) = sum(i in -4..4, j in -4..4 : inside(k, i, j) ? 1 : 0);"
      "fn mean(k) = sum(i in -4..4, j in -4..4 : inside(k, i, j) ? img[x+i, y+j] : 0) / "
      "f32(count(k));"
      "fn far(k) = sum(i in -4..4, j in -4..4 : inside(k, i, j) ? (img[x+i, y+j] - mean(k))^2 : 0);"
      "dst = sum(k in 0..3 : mean(k) / (1 + far(k)^4)) / sum(k in 0..3 : 1 / (1 + far(k)^4)); }";
  EXPECT_EQ(complaints(sectors), "");
  const auto window = [](const std::string& body) {
    return complaints(
        "stencil s { axes x; field f32 u in boundary clamp; field f32 d out; d = " + body + "; }");
  };
  EXPECT_EQ(window("u[x-1] + sum(i in 0..299, j in 0..299 : i*j % 7)"), "");
  testing::expect_has(window("sum(i in 0..2999, j in 0..2999 : i*j % 7) * u"),
                      {"unrolls to more than 2000000 operations, those on constants included"});
  testing::expect_has(
      complaints("stencil s { axes x; field f32 u in boundary clamp; field f32 d out;"
                 "fn a(k) = sum(i in -4..4, j in -4..4 : k*u[x+i]);"
                 "fn b(k) = sum(i in -4..4, j in -4..4 : a(k));"
                 "fn c(k) = sum(i in -4..4, j in -4..4 : b(k)); d = c(2); }"),
      {"error: the statement unrolls to more than 200000 operations"});
  testing::expect_has(window("sum(i in 0..9999 : u*u + u*u + u*u + u*u + u*u + u*u)"),
                      {"error: the statement unrolls to more than 200000 operations"});
}

// The first statement of a stencil of fields of many types.
std::string update(const std::string& text) {
  const std::string all = statements_of(
      "stencil s { axes x; field f16 h; field bf16 b; field f32 u, r boundary zero; field f32 w "
      "compute f64; field f16 q compute f64; const f16 third = 1/3; param bf16 p;\n" +
      text + "; }");
  return all.substr(0, all.find('\n'));
}

TEST(SemaStorage, ArithmeticIsWider) {
  expect_rows(update, R"(
--- halves compute in f32
h[t+1] = h + b => h[t+1] = f16(add(f32(h), f32(b)))
b[t+1] = -h => b[t+1] = bf16(neg(f32(h)))
u[t+1] = h*u => u[t+1] = mul(f32(h), u)
u[t+1] = min(h, h) => u[t+1] = min(f32(h), f32(h))
u[t+1] = h^0.5 + sqrt(b) => u[t+1] = add(pow(f32(h), 0.5), sqrt(f32(b)))
u[t+1] = h > 1 ? h : b => u[t+1] = select(gt(f32(h), 1), f32(h), f32(b))
u[t+1] = p*u => u[t+1] = mul(f32(p), u)
u[t+1] = third*u => u[t+1] = mul(0.33325195, u)
h[t+1] = h => h[t+1] = f16(f32(h))
h[t+1] = 0.1 => h[t+1] = 0.1
h[t+1] = x => h[t+1] = f16(f32(x))
--- a cast rounds to the type and computes on
u[t+1] = f16(u) + bf16(r) => u[t+1] = add(f32(f16(u)), f32(bf16(r)))
--- the compute clause chooses the arithmetic
w[t+1] = w*w + 1/3 => w[t+1] = f32(add(mul(f64(w), f64(w)), 0.3333333333333333))
q[t+1] = 2*q => q[t+1] = f16(mul(2, f64(q)))
)");
  EXPECT_EQ(complaints("stencil s { axes x; field f32 u compute f32; u[t+1] = u; }"), "");
}

TEST(SemaStorage, StorageRoundsOnce) {
  EXPECT_EQ(Interpreted("stencil s { axes x; field f32 u; u[t+1] = f16(u) + bf16(u); }", {1, 1, 1})
                .field("u", {1 + 0x1p-12 + 0x1p-9})
                .run(1)
                .field("u"),
            (Numbers{2 + 0x1p-9}));
  // 2049 lies between two numbers of f16, and rounds to the even one.
  Interpreted run(
      "stencil s { axes x; field f16 u; field bf16 v; u[t+1] = u + 1; v[t+1] = v + 1; }",
      {2, 1, 1});
  run.field("u", {2048, 2050}).field("v", {256, 258}).run(1);
  EXPECT_EQ(run.field("u"), (Numbers{2048, 2052}));
  EXPECT_EQ(run.field("v"), (Numbers{256, 260}));
}

TEST(SemaAxes, AFieldOnSomeOfTheAxesIsTheSameAlongTheOthers) {
  EXPECT_EQ(
      statements_of("stencil s { axes x, y, z; field f32 u boundary zero; field f32 a(x), b(y, "
                    "z), c(z) boundary clamp;\n"
                    "let d = a + c; u[t+1] = a[x-1]*u[y+1] + b[1, 2] + c[-1] + d[y+1, z+1]; }"),
      "let d[y+1, z+1]: f32 = add(a, c[z+1])\n"
      "u[t+1] = add(add(add(mul(a[x-1], u[y+1]), b[y+1, z+2]), c[z-1]), d[y+1, z+1])\n");
  Interpreted run(
      "stencil s { axes x, y; field f32 u in; field f32 d out; field f32 a(x), b(y) boundary "
      "clamp;\n"
      "d = u + a[x+1] - b; }",
      {3, 2, 1});
  run.field("u", {1, 2, 3, 4, 5, 6}).field("a", {10, 20, 30}).field("b", {1, 2}).run(1);
  EXPECT_EQ(run.field("d"), (Numbers{20, 31, 32, 22, 33, 34}));
}

TEST(SemaStorage, WhatDoesNotFit) {
  expect_pages(complaints, R"(
--- wider arithmetic is rounded by a word
stencil s { axes x; field f16 u; field f64 v;
  u[t+1] = u*v;
           ^~~ error: the value is `f64`, but the arithmetic of the field `u` is `f32` [STN0302]
  help: write `f32(...)` to round it
  v[t+1] = u; }

stencil s { axes x; field f16 u;
  u[t+1] = 70000; }
           ^~~~~ error: 70000 does not fit `f16` [STN0305]

--- compute clauses that do not fit
stencil s { axes x; field i32 a compute f32;
                                        ^~~ error: `compute f32` does not apply to fields of `i32` [STN0301]
  help: integers are computed in `i32`, or in the type of their operands; write `f32(...)` around a read for another type
  field f64 b compute f32;
                      ^~~ error: `compute f32` is narrower than the fields, which are `f64` [STN0302]
  help: write `f64`, or leave out the clause
  field f32 c compute bf16;
                      ^~~~ error: no arithmetic is done in `bf16`, which is a storage type [STN0301]
  help: write `compute f32` or `compute f64`
  field f32 d compute i32;
                      ^~~ error: no arithmetic is done in `i32` for a field of floats [STN0301]
  help: write `compute f32` or `compute f64`
  a[t+1] = a; }

--- types that do not exist
stencil s { axes x; field f128 a; field half b; field quad c;
                          ^~~~ error: the type `f128` is not supported yet [STN0501]
  help: use `f64`
                                        ^~~~ error: there is no type `half` [STN0211]
  help: write `f16`
                                                      ^~~~ error: there is no type `quad` [STN0211]
  help: the types are f64, f32, f16, bf16, i64, i32, i16, u16, i8, u8 and bool
  a[t+1] = a; }

--- offsets along axes that a field does not have
stencil s { axes x, y; field f32 u; field f32 a(x) boundary clamp;
  u[t+1] = a[y+1];
           ^~~~~~ error: `a` does not have the axis `y` [STN0402]
  help: it does not vary along `y`: leave out the offset along `y`
  u[t+1] = a[1, 2]; }
           ^~~~~~~ error: 2 offsets for 1 axis [STN0402]
  help: name the axis of each offset, as in `u[x-1]`; an axis left out means offset 0

--- its axes are an ordered part of the stencil's
stencil s { axes x, y; field f32 u;
  field f32 a(y, x);
                 ^ error: the axes of `a` have to be in the order of the stencil, each at most once [STN0204]
  note: the stencil has the axes `x`, `y`
  field f32 b(z);
              ^ error: `z` is not declared [STN0201]
  field f32 c(x) inout;
            ^ error: `c` is updated, but it does not have all axes [STN0210]
  help: an update computes a value for each cell of the grid: declare `c` on all axes, or use `reduce`
  u[t+1] = a + b; }
)");
}

}  // namespace
}  // namespace stencilc
