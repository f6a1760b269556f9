// Holds the state of parsing: what the actions of the grammar build, and failures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ast/ast.h"
#include "diag/codes.h"
#include "diag/diagnostic.h"
#include "parse/expressions.h"

namespace stencilc::parse {

// Thrown if a statement cannot be parsed, caught where it starts. It never leaves parse.cpp.
struct Failure {
  diag::Diagnostic diagnostic;
  uint32_t resume = 0;  // where to search for the end of the statement
};

inline constexpr int max_errors = 1000;  // in one file; nobody reads more

// The parts of the statement being read.
struct Parts {
  ast::Ident type;
  ast::Ident name;
  std::vector<ast::Ident> names;
  std::vector<ast::Const::Extent> extents;
  ast::ExprPtr value;
  ast::Where where;
  ast::Boundary boundary;
  bool in_sides = false;  // between the braces of a boundary
  ast::Params params;
  std::vector<ast::Const> constants;
  ast::Fields fields;
  ast::Weights weights;
  ast::Points points;
  ast::Series series;
  ast::Update update;
  ast::Ident kind;  // of a reduction
  ast::Iterate iterate;
  ast::Schedule schedule;
  bool in_schedule = false;  // between its braces
  bool in_shape = false;     // and between the parentheses of one of its parts
  std::string path;
};

struct State {
  State(std::string_view t, uint16_t f, diag::Engine& e)
      : text(t), file(f), engine(e), errors_before(e.errors()), expressions(t, e) {}

  std::string_view text;
  uint16_t file;
  diag::Engine& engine;
  int errors_before;

  ast::Program program;
  ast::Stencil stencil;  // the one being read; `open_brace` is its `{`
  diag::Range open_brace;
  int missing_braces = 0;  // stencils that were closed by the start of the next one

  uint32_t statement = 0;  // where it starts
  Parts parts;
  Expressions expressions;
  ast::Ident reference;  // the name before a bracket
  Bracket closed;        // the last bracket that was closed
  uint32_t closed_end = 0;
  uint32_t token_end = 0;  // of the last token
  bool refused = false;    // an error makes the statement unusable

  bool has_too_many_errors() const { return engine.errors() - errors_before >= max_errors; }
  // Whether parsing should stop.
  bool gives_up() const { return has_too_many_errors() || expressions.too_many(); }

  diag::Range range(size_t begin, size_t end) const {
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end), file};
  }
};

inline Failure failure(diag::Code code, diag::Range at, std::string text) {
  return {{code, diag::Severity::error, at, std::move(text), {}, {}}, at.begin};
}

}  // namespace stencilc::parse
