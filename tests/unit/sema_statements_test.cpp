// Where a statement applies, `on` and `where`, and updates that build on what the step has made
// already: their order, and what cannot be ordered.
#include <gtest/gtest.h>

#include "support/interpreted.h"
#include "support/tables.h"

namespace stencilc {
namespace {

using testing::complaints;
using testing::expect_pages;
using testing::expect_rows;
using testing::run_of;
using testing::statements_of;

// What stands after the statement `u[t+1] = 1 ...` in the IR.
std::string clauses(const std::string& text) {
  const std::string all = statements_of(
      "stencil s { axes x, y; param i32 k = 3; param f32 a; const i32 c = 2; field f32 u; u[t+1] = "
      "k*a*u " +
      text + "; }");
  const size_t at = all.find("  ");
  return at == std::string::npos ? "" : all.substr(at + 2, all.size() - at - 3);
}

TEST(SemaDomains, Clauses) {
  expect_rows(clauses, R"(
--- comparisons with places near the boundary are limits
on x >= 1 => on x >= 1
on x > 1 => on x >= 2
on x < 3 => on x < 3
on x <= 3 => on x < 4
on x < nx-1 => on x < nx-1
on y <= ny - c => on y < ny-1
on x >= nx-2 => on x >= nx-2
on x > -2 + nx => on x >= nx-1
on x == 2*c => on x >= 4, x < 5
on x == nx-2 => on x >= nx-2, x < nx-1
on x >= c, y < 2*ny - ny => on x >= 2
on x >= 64 => on x >= 64
--- the axis may stand on the right
on 1 <= x => on x >= 1
on 0 < x => on x >= 1
on nx-1 > x => on x < nx-1
on nx-2 >= x => on x < nx-1
on 3 == y => on y >= 3, y < 4
--- what holds everywhere is left out
on x >= 0 =>
on x < nx, y > -1 =>
on x == 0 => on x < 1
on x == nx-1 => on x >= nx-1
where c == 2 =>
--- other places are judged by the mask
on x != 3 => where ne(x, 3)
on x < k => where lt(x, i64(k))
on x < 65 => where lt(x, 65)
on x <= 64 => where le(x, 64)
on x < ny => where lt(x, ny)
on x < idiv(nx, 2) => where lt(x, idiv(nx, 2))
on x < 2*nx - 3 => where lt(x, sub(mul(2, nx), 3))
on x < 2.5 => where lt(f32(x), 2.5)
on x >= 1, x < k where u > 0 => on x >= 1  where and(lt(x, i64(k)), gt(u, 0))
)");
}

TEST(SemaDomains, AreRefused) {
  expect_pages(complaints, R"(
--- a condition that compares no axis
stencil s { axes x, y; field f32 u;
  u[t+1] = 2*u on u > 0;
                  ^~~~~ error: a condition of `on` compares one of the axes `x`, `y` with a position [STN0408]
  help: as in `on x >= 1, x < nx-1`; write any other condition after `where`
  u[t+1] = 2*u on x - 1 > 0;
                  ^~~~~~~~~ error: a condition of `on` compares one of the axes `x`, `y` with a position [STN0408]
  help: as in `on x >= 1, x < nx-1`; write any other condition after `where`
  u[t+1] = 2*u on x < y; }
                  ^~~~~ error: a condition of `on` compares one of the axes `x`, `y` with a position [STN0408]
  help: as in `on x >= 1, x < nx-1`; write any other condition after `where`

--- a place that differs from cell to cell
stencil s { axes x, y; field f32 u;
  u[t+1] = 2*u on x < y + 1; }
                      ^~~~~ error: `on` compares an axis with a value that differs from cell to cell [STN0408]
  help: write the condition after `where`

--- a mask is a condition
stencil s { axes x; field f32 u;
  u[t+1] = 2*u where u; }
                     ^ error: expected a condition, found a number [STN0301]
  help: compare it: `... != 0`
)");
}

TEST(SemaStatements, AreOrdered) {
  expect_rows(statements_of, R"(
--- each statement has its own domain
stencil s { axes x, y; field i32 u boundary zero; field bool m in;
u[t+1] = u[x-1] on x >= 1; u[t+1] = 7 on x == 0, y != 1; u[t+1] = -u where m; }
=> u[t+1] = u[x-1]  on x >= 1
   u[t+1] = 7  on x < 1  where ne(y, 1)
   u[t+1] = neg(u)  where m
--- updates follow their reads of the new level
stencil s { axes x; field f32 u, v boundary zero;
v[t+1] = u[x-1, t+1] + v; u[t+1] = 2*u; }
=> u[t+1] = mul(2, u)
   v[t+1] = add(u[x-1, t+1], v)
--- what is free stays in the order of the text
stencil s { axes x; field f32 a, b, c, d boundary zero;
d[t+1] = d; c[t+1] = a[x+1, t+1]; b[t+1] = b; a[t+1] = b; }
=> d[t+1] = d
   b[t+1] = b
   a[t+1] = b
   c[t+1] = a[x+1, t+1]
--- a let may read the new level
stencil s { axes x; field f32 u, v boundary zero;
let d = u[t+1] - u; v[t+1] = d[x+1] - d[x-1]; u[t+1] = 2*u; }
=> u[t+1] = mul(2, u)
   let d[x+1]: f32 = sub(u[x+1, t+1], u[x+1])
   let d[x-1]: f32 = sub(u[x-1, t+1], u[x-1])
   v[t+1] = sub(d[x+1], d[x-1])
--- an output is not written at its boundary, so what is made of it is not either
stencil s { axes x; field f32 u in boundary none; field f32 d out boundary clamp; field f32 e out; d = u[x+1] - u[x-1]; e = d[x+1]; }
=> d = sub(u[x+1], u[x-1])  on 1 <= x < nx-1
   e = d[x+1, t+1]  on 0 <= x < nx-2
--- an output is read by its name
stencil s { axes x; field f32 u in boundary clamp; field f32 d out, e out boundary clamp;
e = d[x+1] - d[x-1]; d = u[x+1] - u; }
=> d = sub(u[x+1], u)
   e = sub(d[x+1, t+1], d[x-1, t+1])
)");
}

TEST(SemaStatements, Run) {
  expect_rows(run_of, R"(
--- each statement has its own domain
stencil s { axes x, y; field i32 u boundary zero; field bool m in;
u[t+1] = u[x-1] on x >= 1; u[t+1] = 7 on x == 0, y != 1; u[t+1] = -u where m; }
 | 1 step on 3x2: u = 1 2 3 4 5 6; m = 0 1 0 0 0 1
=> u = 7 -2 2 4 4 -6; m = 0 1 0 0 0 1
--- cells that no statement applies to keep their value
stencil s { axes x; field i32 u; field i32 d out; u[t+1] = u + 1 on x < 2;
d = 5*u on x >= nx-1; }
 | 2 steps on 4: u = 1 2 3 4; d = 9 9 9 9
=> u = 3 4 3 4; d = 9 9 9 20
--- a mask may read the new level of another field
stencil s { axes x; field i32 u, v; v[t+1] = 0 where u[t+1] > 2; u[t+1] = u+1; }
 | 1 step on 3: u = 0 1 2; v = 8 8 8
=> u = 1 2 3; v = 8 8 0
--- updates follow their reads of the new level
stencil s { axes x; field f32 u, v boundary zero;
v[t+1] = u[x-1, t+1] + v; u[t+1] = 2*u; }
 | 1 step on 3: u = 1 2 3; v = 10 20 30
=> u = 2 4 6; v = 10 22 34
--- an output is read by its name
stencil s { axes x; field f32 u in boundary clamp; field f32 d out, e out boundary clamp;
e = d[x+1] - d[x-1]; d = u[x+1] - u; }
 | 1 step on 4: u = 1 4 9 16
=> u = 1 4 9 16; d = 3 5 7 0; e = 2 4 -5 -7
--- later statements read what earlier ones made of the cell
stencil s { axes x; field f32 u, v boundary zero;
u[t+1] = u[x-1]; u[t+1] += 10 on x >= 1; u[t+1] *= u on x == 2; v[t+1] = u[x+1, t+1]; }
 | 1 step on 3: u = 1 2 3
=> u = 0 11 36; v = 11 36 0
--- an output is added to
stencil s { axes x; field i32 u in; field i32 d out; d = u; d -= 1 on x > 0; }
 | 1 step on 3: u = 5 6 7
=> u = 5 6 7; d = 5 5 6
)");
}

TEST(SemaStatements, AreRefused) {
  expect_pages(complaints, R"(
--- an output is read by its name
stencil s { axes x; field f32 u in boundary clamp; field f32 d out boundary clamp; field f32 e out; e = d[x+1] - d[x-1]; d = u[x+1] - u; }

--- cycles are printed
stencil s { axes x; field f32 u, v, w boundary clamp;
  let a = v[t+1] + 1;
  w[t+1] = u[t+1];
  u[t+1] = a[x+1];
  v[t+1] = u[x-1, t+1]; }
           ^~~~~~~~~~~ error: the updates depend on each other in a cycle [STN0405]
  note: the cycle is `u[t+1]` -> `v[t+1]` -> `u[t+1]`
  help: read one of the fields at level t

--- a lexicographic sweep is no stencil
stencil seidel { axes x, y; field f32 u boundary clamp;
  u[t+1] = 0.25*(u[t+1, x-1] + u[x+1] + u[t+1, y-1] + u[y+1]); }
                 ^~~~~~~~~~~ error: `u[t+1]` is computed from itself in a neighbouring cell [STN0405]
  note: the cycle is `u[t+1]` -> `u[x-1, t+1]`: the cells of a step have no order
  help: read `u` at level t for a Jacobi step, or update in place with colours: `color red, black by (x + y) % 2;`
  help: a recurrence along an axis, such as a tridiagonal solve, is not a stencil: call a solver library, or write cyclic reduction as stages

--- a recurrence along an axis is no stencil
stencil thomas { axes x; field f32 a, b, c readonly; field f32 g out boundary zero;
  g = c / (b - a*g[x-1]); }
                 ^~~~~~ error: `g` is computed from itself in a neighbouring cell [STN0405]
  note: the cycle is `g` -> `g[x-1]`: the cells of a step have no order
  help: step the field, `g[t+1] = ...`, and read `g` for a Jacobi step, or update in place with colours: `color red, black by x % 2;`
  help: a recurrence along an axis, such as a tridiagonal solve, is not a stencil: call a solver library, or write cyclic reduction as stages

--- a first statement has nothing of its own to read
stencil s { axes x; field f32 u;
  u[t+1] = u[t+1] + 1; }
           ^~~~~~ error: `u[t+1]` is computed from itself [STN0405]
  note: no statement before this one assigns `u[t+1]`
  help: read `u` at level t

stencil s { axes x; field f32 d out;
  d -= 1; }
  ^ error: `d` is computed from itself [STN0405]
  note: no statement before this one assigns `d`
  help: assign it first: `d = ...;`

stencil s { axes x; field f32 u in, d out;
  d = d + u; }
      ^ error: `d` is computed from itself [STN0405]
  note: no statement before this one assigns `d`
  help: assign it first: `d = ...;`

--- an output that is read is whole
stencil s { axes x; field f32 u in, d out, e out;
  d = u on x >= 1;
  ^ note: its first statement does not cover all cells
  e = d; }
      ^ error: `d` is read, but some of its cells have no value [STN0210]
  help: assign it everywhere first: `d = 0;`

--- levels that a field does not have
stencil s { axes x; field f32 c in, d out, u;
                              ^ note 1: `c` is declared here
                                    ^ note 2: `d` is declared here
  d = c[t+1];
      ^~~~~~ error: `c` has no level t+1: nothing assigns `c[t+1]` [STN0403]
  u[t+1] = d[t+1]; }
           ^~~~~~ error: `d` is an `out` field, which has no time levels [STN0403]
  help: write `d`
)");
}

}  // namespace
}  // namespace stencilc
