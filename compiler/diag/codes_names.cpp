#include "diag/codes_rows.h"

namespace stencilc::diag {

std::span<const Row> name_rows() {
  static constexpr Row rows[] = {
      {unknown_name, "unknown-name", Severity::error,
       R"(Every name has to be declared as an axis, parameter, constant, field, `let` or function of
this stencil. A misspelled name is never taken for a new variable; if a declared name is close to
it, the help line says so. The value of a `const`, and the range of an array, use only constants and
functions that are declared above them; all other uses may come before the declaration.

The axes (as coordinates of the cell), the extents `nx`, `ny`, `nz`, and the mathematical functions
are predefined.)",
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
       R"(Some names already have a meaning: `t` is the time index, `nx`, `ny` and `nz` are
extents, and the words, types and functions of the language are reserved. Choose another name. Keywords
of C++ are allowed.)",
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
       R"(A stencil has one `axes` statement, which declares one to three axes. The first axis is the
contiguous one in memory.)",
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
       R"(A call, a read or a weight index has more or fewer arguments than the declaration. If the
offsets of a read do not name their axes, there has to be one for each axis of the field.)",
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
       R"(Parentheses after a name call a function, and this name is not one. A position in the grid
is written in brackets, `u[x-1]`, and a product needs a `*`.)",
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
       R"(Only fields can be assigned: at `t+1`, or without a time if they are outputs. Parameters,
constants and `let`s have one value, and a `readonly` or `in` field is never written.)",
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
       R"(A series holds one value for each step and each point, and one `sample` fills it. Declare
a series for each sample.)",
       R"(stencil wave {
  axes x;
  field f32 u, v boundary zero;
  points rec;
  series f32 trace(rec);
  u[t+1] = u[x-1];
  v[t+1] = v[x+1];
  sample trace[t] = u at rec;
  sample trace[t] = v at rec;
}
)",
       R"(stencil wave {
  axes x;
  field f32 u, v boundary zero;
  points rec;
  series f32 trace_u(rec), trace_v(rec);
  u[t+1] = u[x-1];
  v[t+1] = v[x+1];
  sample trace_u[t] = u at rec;
  sample trace_v[t] = v at rec;
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
       R"(The role of a field is `in` (an input), `out` (a result), `inout` (updated in time, which is
the default for a field that is updated) or `readonly` (a coefficient). It has to agree with how the
statements use the field.)",
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
       R"(The types are `f64`, `f32`, `f16`, `bf16`, `i64`, `i32`, `i16`, `u16`, `i8`, `u8` and `bool`.)",
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
       R"(There is no kind of boundary of this name. `clamp`, `periodic` and `constant 1.5` are three
of them; docs/language.md has a table of all under "Boundaries".)",
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
      {bad_reduction, "bad-reduction", Severity::error,
       R"(A reduction is one value of the whole grid: `sum`, `prod`, `min`, `max` or `norm2` of an
expression. It can be read in the condition of `iterate until`. Updates can read it if it uses only
level t, so that it is known before them. `norm2` takes floats.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  reduce change = max(abs(u[t+1] - u));
  u[t+1] = 0.5 * (u[x-1] + u[x+1]) / change;
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  reduce largest = max(abs(u));
  u[t+1] = 0.5 * (u[x-1] + u[x+1]) / largest;
}
)"},
      {bad_iterate, "bad-iterate", Severity::error,
       R"(A run takes a number of steps, `iterate 100 times;`, or goes on until a condition on
reductions, params and constants is true. Such a run needs a limit, for the case that it does not
converge. A stencil has at most one `iterate`, and the calling program can override it.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
  reduce change = max(abs(u[t+1] - u));
  iterate until change < 1e-4;
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
  reduce change = max(abs(u[t+1] - u));
  iterate until change < 1e-4, check every 50, limit 20000;
}
)"},
      {bad_points, "bad-points", Severity::error,
       R"(`inject u[t+1] += e at src;` adds a value to a field at the points of a list, and
`sample trace[t] = e at rec;` writes values at points into a series. Both can read fields in the cell
of the point, by their names alone, and series of the same list, such as `amp[t]`. A series is either
an input for `inject`, or the result of one `sample`.)",
       R"(stencil wave {
  axes x;
  field f32 u boundary zero;
  points src;
  series f32 amp(src);
  u[t+1] = u[x-1];
  inject u[t+1] += amp[t-1] at src;
}
)",
       R"(stencil wave {
  axes x;
  field f32 u boundary zero;
  points src;
  series f32 amp(src);
  u[t+1] = u[x-1];
  inject u[t+1] += amp[t] at src;
}
)"},
  };
  return rows;
}

}  // namespace stencilc::diag
