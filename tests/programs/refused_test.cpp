// Programs that are no stencils, and what the compiler says to those who bring them.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

// PolyBench/C's seidel-2d: each cell from new values before it and old ones after it.
TEST(Refused, GaussAndSeidelInTheOrderOfTheCells) {
  EXPECT_EQ(complaints(R"(stencil seidel2d {
  axes  x, y;
  field f64 A  boundary fixed;

  A[t+1] = (A[t+1, x-1] + A[t+1, y-1] + A + A[x+1] + A[y+1]) / 5;
}
)"),
            R"(in.stn:5:13: error: `A[t+1]` is computed from itself in a neighbouring cell [STN0405]
   5 |   A[t+1] = (A[t+1, x-1] + A[t+1, y-1] + A + A[x+1] + A[y+1]) / 5;
     |             ^~~~~~~~~~~
  note: the cycle is `A[t+1]` -> `A[x-1, t+1]`: the cells of a step have no order
  help: read `A` at level t for a Jacobi step, or update in place with colours: `color red, black by (x + y) % 2;`
  help: a recurrence along an axis, such as a tridiagonal solve, is not a stencil: call a solver library, or write cyclic reduction as stages
)");
}

// The same loop, written as in C.
TEST(Refused, GaussAndSeidelInPlace) {
  EXPECT_EQ(complaints(R"(stencil seidel2d {
  axes  x, y;
  field f64 A  boundary fixed;

  A = (A[x-1] + A[y-1] + A + A[x+1] + A[y+1]) / 5;
}
)"),
            R"(in.stn:5:3: error: `A` is assigned without `[t+1]` [STN0403]
   5 |   A = (A[x-1] + A[y-1] + A + A[x+1] + A[y+1]) / 5;
     |   ^
  help: declare `A` as `out` if every step computes it anew; otherwise write: `A[t+1]`
  help: to update in place, add colours: `color NAMES by SUM % COUNT;`
)");
}

// Two colours for nine points: the way out has a way out.
TEST(Refused, TwoColoursOfNinePoints) {
  EXPECT_EQ(complaints(R"(stencil seidel2d {
  axes  x, y;
  field f64 A  boundary fixed;

  color red, black by (x + y) % 2;
  A = sum(i in -1..1, j in -1..1 : A[x+i, y+j]) / 9;
}
)"),
            R"(in.stn:6:36: error: `A[x-1, y-1]` has the colour of the cell that reads it [STN0409]
   6 |   A = sum(i in -1..1, j in -1..1 : A[x+i, y+j]) / 9;
     |                                    ^~~~~~~~~~~
  note: the cells of one colour are updated at the same time, in no order
  help: write `color c0, c1, c2, c3 by (x + 2*y) % 4;`, or step the field: `A[t+1] = ...`
)");
}

// What the messages lead to.
TEST(Refused, ButNotByColours) {
  EXPECT_EQ(complaints(R"(stencil seidel2d {
  axes  x, y;
  field f64 A  boundary fixed;

  color red, black by (x + y) % 2;
  A = (A[x-1] + A[y-1] + A + A[x+1] + A[y+1]) / 5;
}
)"),
            "");
  EXPECT_EQ(complaints(R"(stencil seidel2d {
  axes  x, y;
  field f64 A  boundary fixed;

  color a, b, c, d by (x + 2*y) % 4;
  A = sum(i in -1..1, j in -1..1 : A[x+i, y+j]) / 9;
}
)"),
            "");
}

// Thomas' algorithm: elimination forward, substitution backward.
TEST(Refused, ATridiagonalSweep) {
  EXPECT_EQ(complaints(R"(stencil thomas {
  axes  x;
  field f64 a, b, c, d;
  field f64 e out, f out  boundary zero;

  e = c / (b - a*e[x-1]);
  f = (d - a*f[x-1]) / (b - a*e[x-1]);
}
)"),
            R"(in.stn:6:18: error: `e` is computed from itself in a neighbouring cell [STN0405]
   6 |   e = c / (b - a*e[x-1]);
     |                  ^~~~~~
  note: the cycle is `e` -> `e[x-1]`: the cells of a step have no order
  help: step the field, `e[t+1] = ...`, and read `e` for a Jacobi step, or update in place with colours: `color red, black by x % 2;`
  help: a recurrence along an axis, such as a tridiagonal solve, is not a stencil: call a solver library, or write cyclic reduction as stages
in.stn:7:14: error: `f` is computed from itself in a neighbouring cell [STN0405]
   7 |   f = (d - a*f[x-1]) / (b - a*e[x-1]);
     |              ^~~~~~
  note: the cycle is `f` -> `f[x-1]`: the cells of a step have no order
  help: step the field, `f[t+1] = ...`, and read `f` for a Jacobi step, or update in place with colours: `color red, black by x % 2;`
  help: a recurrence along an axis, such as a tridiagonal solve, is not a stencil: call a solver library, or write cyclic reduction as stages
)");
  EXPECT_EQ(complaints(R"(stencil substitution {
  axes  x, y;
  field f64 e, f;
  field f64 u  boundary zero;

  u[t+1] = f - e*u[t+1, y+1];
}
)"),
            R"(in.stn:6:18: error: `u[t+1]` is computed from itself in a neighbouring cell [STN0405]
   6 |   u[t+1] = f - e*u[t+1, y+1];
     |                  ^~~~~~~~~~~
  note: the cycle is `u[t+1]` -> `u[y+1, t+1]`: the cells of a step have no order
  help: read `u` at level t for a Jacobi step, or update in place with colours: `color red, black by y % 2;`
  help: a recurrence along an axis, such as a tridiagonal solve, is not a stencil: call a solver library, or write cyclic reduction as stages
)");
}

}  // namespace
}  // namespace stencilc::programs
