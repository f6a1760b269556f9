// A program run through the parser, sema and the lint, with all warnings on.
#pragma once

#include <gtest/gtest.h>

#include "diag/codes.h"
#include "lint/lint.h"
#include "sema/sema.h"
#include "support/parsed.h"

namespace stencilc::testing {

inline Parsed linted(std::string_view text, const sema::Defines& defines = {}) {
  Parsed result = parsed(std::string(text));
  for (const diag::Row& row : diag::table())
    if (row.opt_in) result.engine.set_level(row.code, 1);
  const std::vector<ir::Stencil> stencils = sema::analyse(result.program, defines, result.engine);
  EXPECT_FALSE(result.engine.has_errors()) << rendered(result);
  if (!result.engine.has_errors()) lint::lint(result.program, stencils, result.engine);
  return result;
}

// The texts of its warnings of one kind, a line each.
inline std::string warnings(std::string_view text, diag::Code code,
                            const sema::Defines& defines = {}) {
  const Parsed result = linted(text, defines);
  std::string found;
  for (const diag::Diagnostic& d : result.engine.all())
    if (d.code == code) found += d.text + "\n";
  return found;
}

}  // namespace stencilc::testing
