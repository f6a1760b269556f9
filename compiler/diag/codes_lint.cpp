#include "diag/codes_rows.h"

namespace stencilc::diag {

std::span<const Row> lint_rows() {
  static constexpr Row rows[] = {
      {unstable, "unstable", Severity::warning,
       R"(Some wave grows with every step, and rounding alone is enough to start it. Von Neumann's
analysis says so for updates that are linear with constant coefficients, several fields and time
levels included, where all params have defaults or are fixed by `-D` or `--param`: the factor by which a
step multiplies a wave is the eigenvalue of a small matrix, and its magnitude is above 1. Wave numbers
are in radians per cell: `pi` is a wave of two cells. Boundaries are left out.

Where making one param smaller cures it, the message says how small it must be. Growth that the
process has by itself is not reported: that of the uniform field, and steady growth that is strongest
for waves longer than two cells.)",
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
       R"(The weights sum to nearly 1, or to nearly 0, but not to it: one of them may be mistyped. A mean
whose weights sum to 0.999 loses a thousandth in every step; a derivative whose weights do not sum
to 0 sees a slope in a constant.

Judged are constant arrays with indices on both sides of 0 along each range, and steps that are
written as a sum of numbers times one field. In a stencil that takes no steps, what rounding to
the digits written can explain is not reported.)",
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
       R"(The field is stepped in time, and neither an update nor a reduction nor a sample reads it. A
result that is not carried from step to step is an `out` field: it has one level in memory, and a
stencil with no stepped field takes no number of steps. To keep it as it is, declare it `inout`.)",
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
       R"(A literal adopts the type of what it meets, and this one has more digits than that type, `f32`,
can hold: nine at most tell two numbers apart, and whole numbers above 16777216 have gaps. The digits
that are lost may have been meant to count. Write what is held, or compute in `f64`.)",
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
       R"(The first axis is the contiguous one: neighbours along it lie side by side in memory, and
neighbouring threads read them together. Here the axes stand in the order in which C writes the
indices of an array, the contiguous one last. If the arrays of the caller are laid out so, turn the
order round, and the order of indices without names with it; nothing else changes.)",
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
       R"(Results of arithmetic are rounded, and two ways to the same number rarely end in the same bits,
so `==` and `!=` say little about them. Compare with a tolerance. Values that were not computed may
be compared: fields, `min` and `max` of them, whole numbers and fractions like 0.5; and a value with a
`min` or `max` among whose candidates it is.)",
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
       R"(The statement assigns what is there already. A cell that no statement assigns keeps its value; to
keep a coefficient that never changes, declare it `readonly` and assign nothing.)",
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
       R"(A product of two `f32` values is computed and rounded in `f32`, and widened to `f64` only then: the
field it goes to has digits that are never used. Where one factor is `f64` the product is, and it is
exact. A product with a power of two has no digits to lose.)",
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
       R"(The weights of the sum are the products of the weights of smaller tables: those of each line along
an axis are multiples of one line. The sum is then the same as one pass along the axis, into a field
between, and one pass over that field, with fewer multiplications in each cell. It is decided exactly,
with the numbers that are written; run-time weights are not known, and never reported.

The compiler does not do it unasked: the passes round differently, and the field between is written
to memory and read again, so that they are faster for wide tables only. Measure both. For the same
reason this warning is off until `-Wseparable-weights` or `-Wall`, while `stencilc FILE --explain`
always says it.

Give the field between the boundary of the field it is made of, where that is `clamp`, `reflect`,
`mirror`, `antireflect`, `periodic` or `zero`: then the cells at the rim agree as well. Beside any other
boundary they do not, unless the passes are restricted by `on` to cells that read none beyond it.)",
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
