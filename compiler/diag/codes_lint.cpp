#include "diag/codes_rows.h"

namespace stencilc::diag {

std::span<const Row> lint_rows() {
  static constexpr Row rows[] = {
      {unstable, "unstable", Severity::warning,
       R"(Some wave grows with every step, and rounding errors are enough to start it. The compiler
finds this by von Neumann's stability analysis: the factor by which a step multiplies a wave is an
eigenvalue of a small matrix, and here its magnitude is above 1. The analysis covers updates that are
linear with constant coefficients, also of several fields and time levels, if all params have defaults
or are given by `-D` or `--param`. Wave numbers are in radians per cell: `pi` is a wave of two cells.
The analysis ignores boundaries.

If a smaller value of one param makes the step stable, the message says how small it must be. The
compiler does not report growth that belongs to the equation: growth of a uniform field, and steady
growth that is strongest for waves longer than two cells.)",
       R"(stencil heat {
  axes x, y;
  param f32 dt = 0.3;
  field f32 u boundary clamp;
  u[t+1] = u + dt * laplacian(u);
}
)",
       R"(stencil heat {
  axes x, y;
  param f32 dt = 0.2;
  field f32 u boundary clamp;
  u[t+1] = u + dt * laplacian(u);
}
)"},
      {weight_sum, "weight-sum", Severity::warning,
       R"(The weights sum to nearly 1 or nearly 0, but not exactly: one of them may be mistyped. A mean
whose weights sum to 0.999 loses a thousandth in every step. A derivative whose weights do not sum to
0 finds a slope in a constant field.

The compiler checks constant arrays with indices on both sides of 0 along each range, and steps that
are written as a sum of numbers times one field. In a stencil without time steps, it does not report
a difference that rounding to the written digits explains.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  const f32 w[-1..1] = { 0.25, 0.499, 0.25 };
  u[t+1] = sum(i in -1..1 : w[i] * u[x+i]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  const f32 w[-1..1] = { 0.25, 0.5, 0.25 };
  u[t+1] = sum(i in -1..1 : w[i] * u[x+i]);
}
)"},
      {write_only, "write-only", Severity::warning,
       R"(The field is updated at `t+1`, but no update, reduction or sample reads it. A result that no
step reads should be an `out` field, which needs one time level in memory. If no other field is updated
at `t+1`, a run is then a single pass without a number of steps. If the field is meant to be as it is,
declare it `inout`.)",
       R"(stencil slope {
  axes x;
  field f32 u boundary clamp;
  field f32 g;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
  g[t+1] = u[x+1] - u[x-1];
}
)",
       R"(stencil slope {
  axes x;
  field f32 u boundary clamp;
  field f32 g out;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
  g = u[x+1] - u[x-1];
}
)"},
      {double_literal, "double-literal", Severity::warning,
       R"(A number takes the type of the other operand. Here this type is `f32`, which cannot hold all
digits of the number: it holds seven to nine digits, and not all whole numbers above 16777216. Write the
value that is held, or compute in `f64`.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.3333333333333 * (u[x-1] + u + u[x+1]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = (u[x-1] + u + u[x+1]) / 3;
}
)"},
      {axis_order, "axis-order", Severity::warning,
       R"(The first axis is the contiguous one: neighbours along it are adjacent in memory, and
neighbouring threads read them together. Here the axes are in the order of the indices of a C array,
where the last one is contiguous. If the arrays of your program are laid out like that, reverse the
order of the axes, and of indices that do not name their axis; nothing else changes.)",
       R"(stencil smooth {
  axes y, x;
  field f32 u boundary clamp;
  u[t+1] = 0.25 * (u[x-1] + u[x+1] + u[y-1] + u[y+1]);
}
)",
       R"(stencil smooth {
  axes x, y;
  field f32 u boundary clamp;
  u[t+1] = 0.25 * (u[x-1] + u[x+1] + u[y-1] + u[y+1]);
}
)"},
      {float_equality, "float-equality", Severity::warning,
       R"(Results of arithmetic are rounded, and two ways to compute the same number rarely give the same
bits, so `==` and `!=` say little about them. Compare with a tolerance. There is no warning for values
that are not results of arithmetic (fields, `min` and `max` of fields, whole numbers, fractions such as
0.5), nor for a value that is compared with a `min` or `max` of itself and others.)",
       R"(stencil settle {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = u[x-1] + u[x+1] == 2*u ? u : 0.5 * (u[x-1] + u[x+1]);
}
)",
       R"(stencil settle {
  axes x;
  param f32 tol = 1e-5;
  field f32 u boundary clamp;
  u[t+1] = abs(u[x-1] + u[x+1] - 2*u) <= tol ? u : 0.5 * (u[x-1] + u[x+1]);
}
)"},
      {self_assignment, "self-assignment", Severity::warning,
       R"(The statement assigns the value that is already there. A cell that no statement assigns keeps
its value. For a coefficient that never changes, declare the field `readonly` and leave out the
statement.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  field f32 c;
  u[t+1] = c * (u[x-1] + u[x+1]);
  c[t+1] = c;
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  field f32 c readonly;
  u[t+1] = c * (u[x-1] + u[x+1]);
}
)"},
      {late_widening, "late-widening", Severity::warning,
       R"(A product of two `f32` values is computed and rounded in `f32`, and only then widened to `f64`,
so the additional digits of `f64` are not used. If one factor is `f64`, the product is computed in `f64`
and is exact. There is no warning for a product with a power of two, which loses no digits.)",
       R"(stencil energy {
  axes x;
  field f32 v in;
  field f64 e out;
  e = v*v;
}
)",
       R"(stencil energy {
  axes x;
  field f32 v in;
  field f64 e out;
  e = f64(v)*v;
}
)"},
      {separable_weights, "separable-weights", Severity::warning,
       R"(The weights of the sum are the product of smaller tables: the filter is separable. Instead of
the sum you can write one pass along an axis into an intermediate field, and a second pass over that
field, with fewer multiplications per cell. The compiler decides this exactly, from the numbers as they
are written. It does not know the values of run-time weights, and never reports them.

The compiler does not split the sum by itself, because the passes round differently, and because the
intermediate field is written to memory and read again, which pays only for wide tables. Measure both.
For the same reason this warning is off by default; `-Wseparable-weights` or `-Wall` turns it on, and
`stencilc FILE --explain` always prints it.

Give the intermediate field the boundary of the input field. If that is `clamp`, `reflect`, `mirror`,
`antireflect`, `periodic` or `zero`, the cells near the boundary have the same values as before, except
for roundings. With any other boundary they do not, unless `on` restricts the passes to cells that do
not read outside the grid.)",
       R"(stencil blur {
  axes x, y;
  field f32 img in  boundary clamp;
  field f32 dst out;
  const f32 w[-2..2, -2..2] = { 1,  4,  6,  4, 1,
                                4, 16, 24, 16, 4,
                                6, 24, 36, 24, 6,
                                4, 16, 24, 16, 4,
                                1,  4,  6,  4, 1 } / 256;
  dst = sum(i in -2..2, j in -2..2 : w[i, j] * img[x+i, y+j]);
}
)",
       R"(stencil blur {
  axes x, y;
  field f32 img in    boundary clamp;
  field f32 rows out  boundary clamp;
  field f32 dst out;
  const f32 w[-2..2] = { 1, 4, 6, 4, 1 } / 16;
  rows = sum(i in -2..2 : w[i] * img[x+i]);
  dst = sum(j in -2..2 : w[j] * rows[y+j]);
}
)",
       true},
  };
  return rows;
}

}  // namespace stencilc::diag
