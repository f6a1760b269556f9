#include "diag/codes_rows.h"

namespace stencilc::diag {

std::span<const Row> value_rows() {
  static constexpr Row rows[] = {
      {type_clash, "type-clash", Severity::error,
       R"(The types of the operands do not fit the operation, such as a number as a condition or in a
`bool` field, or `%` of floats. A comparison gives a `bool` (`a != 0`). In arithmetic a `bool` counts as
0 or 1.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = u[x-1] && u[x+1];
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = u[x-1] > 0 && u[x+1] > 0 ? 1 : 0;
}
)"},
      {narrowing, "narrowing", Severity::error,
       R"(The value has a type that the field cannot hold without loss, such as an `f32` value
for a `u8` field. Say how to convert it: a cast such as `u8(e)` truncates, and `sat_u8(e)` rounds and
saturates.)",
       R"(stencil smooth {
  axes x;
  field u8 img in boundary clamp;
  field u8 dst out;
  param f32 gain;
  dst = gain * (img[x-1] + img[x+1]);
}
)",
       R"(stencil smooth {
  axes x;
  field u8 img in boundary clamp;
  field u8 dst out;
  param f32 gain;
  dst = sat_u8(gain * (img[x-1] + img[x+1]));
}
)"},
      {not_constant, "not-constant", Severity::error,
       R"(The value has to be known when the stencil is compiled: the initialiser of a `const`,
the bounds of a window, an exponent, the order of an operator. Numbers, constants and window
variables are known; parameters and fields are not.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  param f32 a;
  const f32 half = a * 0.5;
  u[t+1] = half * (u[x-1] + u[x+1]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  const f32 half = 0.5;
  u[t+1] = half * (u[x-1] + u[x+1]);
}
)"},
      {integer_division, "integer-division", Severity::error,
       R"(`/` is the division of real numbers. The division of integers, which rounds down, is written
`idiv(a, b)`, so that it does not happen by accident. For a real quotient, make one operand a real
number.)",
       R"(stencil smooth {
  axes x;
  field i32 u boundary clamp;
  u[t+1] = (u[x-1] + u[x+1]) / 2;
}
)",
       R"(stencil smooth {
  axes x;
  field i32 u boundary clamp;
  u[t+1] = idiv(u[x-1] + u[x+1], 2);
}
)"},
      {literal_range, "literal-range", Severity::error,
       R"(A number takes the type of the other operand, and this one does not fit that type. Write a
smaller number, or cast the other operand to a wider type first.)",
       R"(stencil smooth {
  axes x;
  field u8 u boundary clamp;
  u[t+1] = u[x-1] > u[x+1] ? 300 : 0;
}
)",
       R"(stencil smooth {
  axes x;
  field u8 u boundary clamp;
  u[t+1] = u[x-1] > u[x+1] ? 200 : 0;
}
)"},
      {weight_count, "weight-count", Severity::error,
       R"(The braces of a weight array hold one value for each index of its ranges; the last index
changes fastest. Both ends of a range are included: `-1..1` has three indices.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  const f32 w[-1..1] = { 1, 2 } / 4;
  u[t+1] = sum(i in -1..1 : w[i] * u[x+i]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  const f32 w[-1..1] = { 1, 2, 1 } / 4;
  u[t+1] = sum(i in -1..1 : w[i] * u[x+i]);
}
)"},
      {weight_index, "weight-index", Severity::error,
       R"(The index of a weight array has to be a constant inside the declared ranges of the array.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  const f32 w[-1..1] = { 1, 2, 1 } / 4;
  u[t+1] = sum(i in -2..2 : w[i] * u[x+i]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  const f32 w[-1..1] = { 1, 2, 1 } / 4;
  u[t+1] = sum(i in -1..1 : w[i] * u[x+i]);
}
)"},
      {division_by_zero, "division-by-zero", Severity::error,
       R"(The divisor is a constant and it is 0.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = (u[x-1] + u[x+1]) / 0;
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = (u[x-1] + u[x+1]) / 2;
}
)"},
      {bad_order, "bad-order", Severity::error,
       R"(The order of accuracy of a symmetric finite difference is an even number from 2 to 16. These
are the differences at the cell (`dx(u, order = 4)`, `laplacian`) and halfway to the next cell
(`at = +1/2`). One-sided differences (`side`, `upwind`) have any order from 1 to 8.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = u + 0.1 * laplacian(u, order = 3);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = u + 0.1 * laplacian(u, order = 4);
}
)"},
      {bad_difference, "bad-difference", Severity::error,
       R"(There is no such finite difference. A first derivative can be taken at the cell, halfway to
the next cell (`at = +1/2`, `at = -1/2`), on one side of the cell (`side = -1`, `side = +1`), or on the
side that the sign of a velocity chooses (`upwind = v`). A second derivative can be taken at the cell or
on one side, a mixed one at the cell. For all others put one difference inside another.)",
       R"(stencil twist {
  axes x, y;
  field f32 u in boundary clamp;
  field f32 dst out;
  dst = dxy(u, at = +1/2);
}
)",
       R"(stencil twist {
  axes x, y;
  field f32 u in boundary clamp;
  field f32 dst out;
  dst = dx(dy(u, at = +1/2), at = +1/2);
}
)"},
  };
  return rows;
}

}  // namespace stencilc::diag
