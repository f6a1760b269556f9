#include "diag/codes_rows.h"

namespace stencilc::diag {

std::span<const Row> grid_rows() {
  static constexpr Row rows[] = {
      {offset_not_constant, "offset-not-constant", Severity::error,
       R"(An offset is the name of an axis plus or minus an integer that is known when the
stencil is compiled. Reading at a place that depends on data is not a stencil; a `param` as an
offset can be a `const`.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  param i32 k;
  u[t+1] = 0.5 * (u[x-1] + u[x+k]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  const i32 k = 1;
  u[t+1] = 0.5 * (u[x-1] + u[x+k]);
}
)"},
      {offset_wrong_axis, "offset-wrong-axis", Severity::error,
       R"(The brackets of an access name each axis of the field at most once, and no axis that
the field does not have.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * u[x-1, x+1];
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)"},
      {time_index, "time-index", Severity::error,
       R"(The time levels are `t+1`, which is written, `t`, which is meant where no time is
given, and `t-1`. Fields that are stepped have earlier levels and `t+1`; an `out` field and one that
is updated in place have none.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+2] = 0.5 * (u[x-1] + u[x+1]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)"},
      {missing_boundary, "missing-boundary", Severity::error,
       R"(The field is read beyond the cell itself, so cells at the rim need values from
outside of the grid, and the declaration does not say which. Add a boundary to it; `boundary
none` shrinks the region that is computed instead.)",
       R"(stencil smooth {
  axes x;
  field f32 u;
  u[t+1] = 0.5 * (u[x-1] + u);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u);
}
)"},
      {cycle, "cycle", Severity::error,
       R"(Each of these definitions needs the next one, and the last needs the first again, so
none can be computed first. Read the old time level somewhere on the way: `u` in place of
`u[t+1]`.

A sweep that reads its own new values, `u[t+1] = ... u[t+1, x-1] ...`, is such a circle: the cells of
a step have no order. Read level t (Jacobi), or sweep in place by colours (`color`). A recurrence
along an axis, such as a tridiagonal solve, is no stencil; call a solver library, or write cyclic
reduction as stages.)",
       R"(stencil smooth {
  axes x;
  field f32 u, v boundary clamp;
  let a = b + u[x-1];
  let b = a + v[x+1];
  u[t+1] = a;
  v[t+1] = b;
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u, v boundary clamp;
  let a = v + u[x-1];
  let b = a + v[x+1];
  u[t+1] = a;
  v[t+1] = b;
}
)"},
      {boundary_unusable, "boundary-unusable", Severity::error,
       R"(This kind of boundary does not suit the field: `constant`, `expr` and `neumann` need a
value and the others take none; `fixed` is about cells of a field that is updated, so it means
nothing for one that is only read; a change of sign or a slope needs a field of floats; `periodic`
holds for both sides of an axis.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary constant;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary constant 1;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)"},
      {radius_limit, "radius-limit", Severity::error,
       R"(A stencil reaches at most 64 cells in each direction. Reaching farther would leave no
room for the tiles of any schedule.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u + u[x+65]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u + u[x+64]);
}
)"},
      {bad_domain, "bad-domain", Severity::error,
       R"(`on` says where a statement applies by the place of the cell: each condition compares one
axis with a value that is the same in every cell, made of constants, params and extents. Any other
condition, on the values of fields for example, stands behind `where`.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]) on u > 0;
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]) on x >= 1 where u > 0;
}
)"},
      {bad_colors, "bad-colors", Severity::error,
       R"(`color red, black by (x + y) % 2;` gives each cell a colour, the remainder of a sum of
multiples of its coordinates, and one name to each remainder. The cells of a colour are updated
together, in no order, so none of them may read another cell of its colour: neither beside it nor, by
way of a boundary, beyond the rim.)",
       R"(stencil relax {
  axes x;
  field f32 p boundary zero;
  color red, black by x % 2;
  p = 0.5 * (p[x-2] + p[x+1]);
}
)",
       R"(stencil relax {
  axes x;
  field f32 p boundary zero;
  color red, black by x % 2;
  p = 0.5 * (p[x-1] + p[x+1]);
}
)"},
      {not_in_this_version, "not-in-this-version", Severity::error,
       R"(The language has this word or form, and this version of the compiler does not build
it yet. The help line says what can be written today.)",
       R"(stencil smooth {
  axes x;
  field f128 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)",
       R"(stencil smooth {
  axes x;
  field f64 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)"},
  };
  return rows;
}

}  // namespace stencilc::diag
