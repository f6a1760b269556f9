#include "diag/codes_rows.h"

namespace stencilc::diag {

std::span<const Row> syntax_rows() {
  static constexpr Row rows[] = {
      {syntax, "syntax", Severity::error,
       R"(The text does not follow the grammar of the language (grammar/stencil.peg). The
message says what was expected at the caret and what was found there. The compiler goes on after the
statement, so that each statement with an error gets one message.

Statements end with `;`. Comparisons do not chain: write `a < b && b < c`.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]) u;
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]) + u;
}
)"},
      {bad_character, "bad-character", Severity::error,
       R"(A .stn file is UTF-8 text. Outside of comments it holds ASCII characters only, and
no control characters or any of $ @ \ ` ~ '. Text from a word processor or a web page often
holds characters that look like those of the language: a minus sign, a multiplication sign, a no-break
space.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 × (u[x-1] + u[x+1]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)"},
      {unterminated_comment, "unterminated-comment", Severity::error,
       R"(A comment that begins with `/*` ends with the next `*/`; such comments do not nest.
Comments to the end of the line begin with `//` or `#`.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);  /* both neighbours
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);  /* both neighbours */
}
)"},
      {empty_file, "empty-file", Severity::error,
       R"(There is no stencil in the file: it is empty, or holds nothing but comments or
functions. A file holds at least one `stencil name { ... }`.)",
       R"(// smooth: to be written
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)"},
      {bad_number, "bad-number", Severity::error,
       R"(A number is written in decimal, with an optional point and exponent: `2`, `0.5`, `.5`,
`1e-4`. It has no suffix, because it takes the type of the other operand. A number without a point
and exponent has to fit `i64`, any other has to fit `f64`.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5f * (u[x-1] + u[x+1]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)"},
      {unbalanced, "unbalanced", Severity::error,
       R"(A brace, bracket or parenthesis is opened but not closed, or closed but not opened.
The note points at the one that is still open.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1];
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)"},
  };
  return rows;
}

}  // namespace stencilc::diag
