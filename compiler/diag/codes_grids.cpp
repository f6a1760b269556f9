#include "diag/codes_rows.h"

namespace stencilc::diag {

std::span<const Row> grid_rows() {
  static constexpr Row rows[] = {
      {offset_not_constant, "offset-not-constant", Severity::error,
       R"(An offset is the name of an axis plus or minus an integer that is known when the
stencil is compiled. A read at a position that depends on data is not a stencil. If the offset is a
`param`, make it a `const`.)",
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
       R"(The time levels are `t+1`, which an update writes, `t`, which a read without a time
means, and earlier ones such as `t-1`. Only fields that are updated at `t+1` have them; an `out` field
and a field that is updated in place have no time levels.)",
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
       R"(The field is read in neighbouring cells, so cells at the edge of the grid need values from
outside of it, and the declaration does not say which. Add a boundary to the field. With `boundary
none` the cells that would read outside are not computed.)",
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

A sweep that reads its own new values, `u[t+1] = ... u[t+1, x-1] ...`, is such a cycle, because the
cells of a step have no order. Read level t (Jacobi), or update in place with colours (`color`). A
recurrence along an axis, such as a tridiagonal solve, is not a stencil; call a solver library, or
write cyclic reduction as stages.)",
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
       R"(This kind of boundary does not suit the field. Some kinds need a value, as
`constant` and `expr` do, and the others take none. `fixed` keeps cells of a field that is updated,
so it means nothing for a field that is only read. Kinds that compute with the cells of the field,
as `antireflect` does, need a field of floats. `periodic` is for both sides of an axis.)",
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
       R"(A stencil reads at most 64 cells away in each direction. With a larger radius no schedule
could hold a tile.)",
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
       R"(`on` restricts a statement by the position of the cell: each condition compares one axis
with a value that is the same in every cell, made of constants, params and extents. Write any other
condition, for example on the values of fields, after `where`.)",
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
       R"(`color red, black by (x + y) % 2;` gives each cell a colour: the remainder of a sum of
multiples of its coordinates. Each remainder has one name. The cells of a colour are updated at the
same time, in no order, so no cell may read another cell of its own colour, neither directly nor
through a boundary.)",
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
       R"(This version of the compiler does not support this word or form of the language yet. The
help line says what to write instead.)",
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
