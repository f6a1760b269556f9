#include "diag/codes_rows.h"

namespace stencilc::diag {

std::span<const Row> syntax_rows() {
  static constexpr Row rows[] = {
      {syntax, "syntax", Severity::error,
       R"(The text does not follow the grammar of the language (grammar/stencil.peg). The
message says what was expected at the place of the caret and what stands there instead. Reading
goes on behind the statement, so every statement with an error gets one report.

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
among them neither control characters nor any of $ @ \ ` ~ '. Text from a word processor or a
web page often holds signs that look like those of the language: a minus sign, a multiplication
sign, a no-break space.)",
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
       R"(A number is written in decimal, with point and exponent if wanted: `2`, `0.5`, `.5`,
`1e-4`. It has no suffix, because it takes the type of what it is combined with. Numbers
without point and exponent fit `i64`, all others fit `f64`.)",
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
       R"(A brace, bracket or parenthesis is opened and not closed, or closed and not opened.
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
