#include "diag/codes_rows.h"

namespace stencilc::diag {

std::span<const Row> name_rows() {
  static constexpr Row rows[] = {
      {unknown_name, "unknown-name", Severity::error,
       R"(Every name is declared: as an axis, parameter, constant, field, `let` or function of
this stencil. A misspelled name is never taken for a new variable; where a declared name is
close to it, the help line says so.

Predefined are the axes as coordinates of the cell, `nx`, `ny`, `nz` as extents, and the
mathematical functions.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + v[x+1]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)"},
      {duplicate_name, "duplicate-name", Severity::error,
       R"(Two declarations of one stencil have the same name. Axes, parameters, constants,
fields, `let`s and functions share one set of names, so that a name means the same thing
everywhere.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  let left = u[x-1];
  let left = u[x+1];
  u[t+1] = 0.5 * (u + left);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  let left = u[x-1];
  let right = u[x+1];
  u[t+1] = 0.5 * (left + right);
}
)"},
      {reserved_name, "reserved-name", Severity::error,
       R"(Some names have a meaning already: `t` is the time index, `nx`, `ny` and `nz` are
extents, and the name of a stencil becomes the name of a C++ namespace, which no C++ keyword
can be. Choose another name.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  let nx = u[x-1] + u[x+1];
  u[t+1] = 0.5 * u[x-1];
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  let near = u[x-1] + u[x+1];
  u[t+1] = 0.5 * near;
}
)"},
      {bad_axes, "bad-axes", Severity::error,
       R"(A stencil declares its axes once, one to three of them, before the fields that use
them. The first axis is the contiguous one in memory.)",
       R"(stencil smooth {
  field f32 u boundary clamp;
  u[t+1] = 0.5 * u;
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u;
  u[t+1] = 0.5 * u;
}
)"},
      {wrong_arity, "wrong-arity", Severity::error,
       R"(A call, an access or a weight index has more or fewer arguments than the declaration
asks for. In the positional form of an access every axis of the field has its offset.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * u[x-1] + min(u[x+1]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * u[x-1] + min(u[x+1], u);
}
)"},
      {not_a_function, "not-a-function", Severity::error,
       R"(Parentheses behind a name call a function, and this name is none. A place in a grid
is written in brackets: `u[x-1]`; a product needs its `*`.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u(x-1) + u[x+1]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)"},
      {not_assignable, "not-assignable", Severity::error,
       R"(Only fields are updated: at `t+1` where the old values are needed, or whole as an
output. Parameters, constants and `let`s have one value, and a `readonly` or `in` field is
never written.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  field f32 c readonly;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
  c[t+1] = c * 2;
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  field f32 c readonly;
  u[t+1] = c * (u[x-1] + u[x+1]);
}
)"},
      {double_assignment, "double-assignment", Severity::error,
       R"(A field is updated by one statement in a time step, so that the order of statements
never decides which value survives. Join the two with a condition, or give the intermediate
value a name by `let`.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
  u[t+1] = 2 * u;
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)"},
      {no_update, "no-update", Severity::error,
       R"(The stencil computes nothing: it has no statement that assigns to a field. A `let`
alone is only a name for an expression.)",
       R"(stencil smooth {
  axes x;
  field f32 u;
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u;
  u[t+1] = 0.5 * u;
}
)"},
      {bad_role, "bad-role", Severity::error,
       R"(The role of a field is `in` (read, given by the caller), `out` (written only),
`inout` (stepped in time: the default of what is updated) or `readonly` (a coefficient). It has
to agree with how the statements use the field.)",
       R"(stencil smooth {
  axes x;
  field f32 u inoot boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u inout boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)"},
      {unknown_type, "unknown-type", Severity::error,
       R"(The types are `f64`, `f32`, `i64`, `i32`, `i16`, `u16`, `i8`, `u8` and `bool`.)",
       R"(stencil smooth {
  axes x;
  field float u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)"},
      {unknown_boundary, "unknown-boundary", Severity::error,
       R"(The kinds of boundary are `clamp`, `reflect`, `mirror`, `periodic`, `constant k`,
`zero`, `fixed` and `none`.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamped;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)"},
      {recursive_function, "recursive-function", Severity::error,
       R"(A function is inlined where it is called, so it cannot call itself, neither directly
nor through others.)",
       R"(fn half(a) = half(a) * 0.5;

stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = half(u[x-1] + u[x+1]);
}
)",
       R"(fn half(a) = a * 0.5;

stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = half(u[x-1] + u[x+1]);
}
)"},
      {bad_define, "bad-define", Severity::error,
       R"(`-D name=value` fixes a parameter of the stencil at compile time. The name is that of
a `param`, and the value is a number that fits its type.)",
       "", ""},
  };
  return rows;
}

}  // namespace stencilc::diag
