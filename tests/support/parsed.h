// A text run through the parser, for tests: its tree and its diagnostics as people see them.
#pragma once

#include <string>

#include "ast/ast.h"
#include "diag/diagnostic.h"
#include "diag/render.h"
#include "parse/parse.h"

namespace stencilc::testing {

struct Parsed {
  diag::Sources sources;
  diag::Engine engine;
  ast::Program program;
};

inline Parsed parsed(std::string text) {
  Parsed result;
  result.sources.push_back({"in.stn", std::move(text)});
  result.program = parse::parse(result.sources, 0, result.engine);
  return result;
}

inline std::string rendered(const Parsed& parsed) {
  std::string text;
  for (const diag::Diagnostic& diagnostic : parsed.engine.all()) {
    text += diag::render_gnu(diagnostic, parsed.sources, false);
  }
  return text;
}

// The diagnostics of a text; "" where it has none.
inline std::string diagnostics(std::string text) { return rendered(parsed(std::move(text))); }

}  // namespace stencilc::testing
