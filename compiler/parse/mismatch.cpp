#include "parse/mismatch.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parse/hints.h"
#include "parse/text.h"

namespace stencilc::parse {
namespace {

constexpr std::array<std::string_view, 24> reserved = {
    "axes",     "boundary", "color",   "compute", "const",   "field",  "fn",     "in",
    "inject",   "iterate",  "let",     "on",      "param",   "points", "reduce", "sample",
    "schedule", "series",   "stencil", "use",     "weights", "where",  "true",   "false"};

const std::vector<std::string> statement_words = {
    "axes", "param", "const",  "weights", "field", "boundary", "points", "series",
    "let",  "fn",    "reduce", "iterate", "color", "inject",   "sample", "schedule"};

constexpr size_t longest_quoted = 40;

std::string describe(std::string_view token) {
  if (token.empty()) return "the end of the file";
  if (std::ranges::find(reserved, token) != reserved.end()) {
    return "the reserved word `" + std::string(token) + "`";
  }
  std::string quoted(token.substr(0, longest_quoted));
  return "`" + quoted + (token.size() > longest_quoted ? "..." : "") + "`";
}

diag::Range token_range(const State& st, uint32_t at) {
  return st.range(at, at + token_at(st.text, at).size());
}

bool is_statement_word(std::string_view token) {
  return std::ranges::find(statement_words, token) != statement_words.end();
}

bool ends_brackets(std::string_view token) {
  constexpr std::string_view ends[] = {"", ";", ")", "]", "}", "{"};
  return std::ranges::find(ends, token) != std::end(ends) || is_statement_word(token);
}

// True where it is a bracket left open that makes the token a surprise.
bool is_unbalanced(const State& st, std::string_view expected, std::string_view token) {
  if (st.expressions.open_brackets().empty()) return false;
  if (expected == "`)`" || expected == "`]`" || expected == "`}`" || expected == "`;` or `}`")
    return ends_brackets(token);
  // The next statement, read as a side of a boundary.
  bool statement = token == "[" || token == "=" || is_statement_word(token);
  return st.parts.in_sides && statement;
}

// `field f32 u boundry clamp;`: what was read as a role is a misspelled clause.
bool is_misspelled_clause(const State& st, std::string& meant) {
  const auto& fields = st.parts.fields.decls;
  if (fields.empty() || !fields.back().has_role) return false;
  meant = diag::nearest(fields.back().role.name, {"boundary", "compute"});
  return !meant.empty();
}

}  // namespace

Failure mismatch(const State& st, uint32_t at, std::string expected) {
  std::string_view token = token_at(st.text, at);
  const auto& open = st.expressions.open_brackets();
  if (std::string meant; expected == "`;`" && is_word(token) && is_misspelled_clause(st, meant)) {
    const ast::Ident& role = st.parts.fields.decls.back().role;
    Failure result =
        failure(diag::syntax, role.at, "expected a role or `boundary`, found `" + role.name + "`");
    result.diagnostic.help("did you mean `" + meant + "`?", role.at, meant);
    result.resume = at;
    return result;
  }
  bool unbalanced = is_unbalanced(st, expected, token);
  if (expected == "`)`" || expected == "`]`" || expected == "`}`") {
    if (!unbalanced) expected = "an operator or " + expected;
  }
  Failure result = failure(unbalanced ? diag::unbalanced : diag::syntax, token_range(st, at),
                           "expected " + expected + ", found " + describe(token));
  if (unbalanced) {
    result.diagnostic.note(std::string("this `") + open.back().spelling + "` is not closed",
                           open.back().at);
  }
  add_hints(st, expected, at, result.diagnostic);
  return result;
}

Failure no_assignment(const State& st, uint32_t at) {
  std::string_view token = token_at(st.text, at);
  const ast::Update& update = st.parts.update;
  std::string meant = diag::nearest(update.target.name, statement_words);
  if (is_word(token) && !update.has_args && !meant.empty()) {
    Failure result = failure(diag::syntax, update.target.at,
                             "expected a statement, found `" + update.target.name + "`");
    result.diagnostic.help("did you mean `" + meant + "`?", update.target.at, meant);
    result.resume = at;
    return result;
  }
  Failure result = mismatch(st, at, update.has_args ? "`=`" : "`=` or `[`");
  if (token == "(") {
    result.diagnostic.help("a place in a grid is written in brackets: `" + update.target.name +
                           "[t+1]`");
  }
  return result;
}

Failure no_item(const State& st, uint32_t at) {
  Failure result = mismatch(st, at, "a statement");
  std::string_view token = token_at(st.text, at);
  diag::Diagnostic& diagnostic = result.diagnostic;
  if (token == "use") diagnostic.help("`use` stands at the top of the file, outside of stencils");
  if (token == "on" || token == "where") {
    diagnostic.help("`" + std::string(token) + "` ends an update or a reduction, before its `;`");
  }
  if (token == "compute") diagnostic.help("as in `field f16 u compute f32 boundary clamp;`");
  return result;
}

Failure no_file_item(const State& st, uint32_t at) {
  std::string_view token = token_at(st.text, at);
  if (token == "}")
    return failure(diag::unbalanced, token_range(st, at), "this `}` closes nothing");
  Failure result = failure(diag::syntax, token_range(st, at),
                           "expected `stencil`, `fn`, `const` or `use`, found " + describe(token));
  std::string meant = diag::nearest(token, {"stencil", "const"});
  if (!meant.empty()) {
    result.diagnostic.help("did you mean `" + meant + "`?", result.diagnostic.at, meant);
  } else if (is_statement_word(token)) {
    result.diagnostic.help("statements stand inside the braces of a `stencil name { ... }`");
  }
  return result;
}

Failure unclosed_string(const State& st, uint32_t at) {
  auto begin = static_cast<uint32_t>(st.text.rfind('"', at - 1));
  Failure result = failure(diag::syntax, st.range(begin, at), "this string has no end on its line");
  result.diagnostic.help("as in `use \"file.stn\";`");
  result.resume = st.text[at - 1] == ';' ? at - 1 : at;  // the `;` was meant to be one
  return result;
}

bool report_missing_semicolon(State& st, uint32_t at) {
  std::string_view token = token_at(st.text, at);
  std::string_view between = st.text.substr(st.token_end, at - st.token_end);
  bool next_line = between.find('\n') != std::string_view::npos;
  if (!next_line || !(is_word(token) || token == "}")) return false;
  if (is_clause(st, token)) return false;
  diag::Range end = st.range(st.token_end, st.token_end);
  st.engine.report(diag::syntax, end, "expected `;` at the end of the statement")
      .help("add `;`", end, ";");
  return true;
}

void report_missing_brace(State& st, uint32_t at) {
  ++st.missing_braces;
  std::string found = describe(token_at(st.text, at));
  st.engine.report(diag::unbalanced, token_range(st, at), "expected `}`, found " + found)
      .note("this `{` of stencil `" + st.stencil.name.name + "` is not closed", st.open_brace);
}

}  // namespace stencilc::parse
