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

bool is_on_next_line(const State& st, uint32_t at) {
  return st.text.substr(st.token_end, at - st.token_end).find('\n') != std::string_view::npos;
}

// After a side of a boundary: whether a word on the next line is not a further side.
bool begins_statement(const State& st, uint32_t at) {
  std::string_view token = token_at(st.text, at);
  std::string_view next = token_at(st.text, skip_blanks(st.text, at + token.size()));
  return is_word(token) && next != ":" && next != "." && is_on_next_line(st, at);
}

// Inside the braces of a schedule: whether the token cannot be part of it.
bool ends_schedule(const State& st, uint32_t at) {
  std::string_view token = token_at(st.text, at);
  std::string_view next = token_at(st.text, skip_blanks(st.text, at + token.size()));
  return token.empty() || is_statement_word(token) || (is_on_next_line(st, at) && next == "[");
}

// Whether an open bracket is the reason why the token is not expected.
bool is_unbalanced(const State& st, std::string_view expected, uint32_t at) {
  std::string_view token = token_at(st.text, at);
  if (st.expressions.open_brackets().empty()) return false;
  if (expected == "`)`" || expected == "`]`" || expected == "`}`") return ends_brackets(token);
  if (st.parts.in_schedule) return expected == "`,` or `}`" && ends_schedule(st, at);
  if (!st.parts.in_sides) return false;
  // It is the next statement, which was read as a side of the boundary.
  if (expected == "`;` or `}`" && (ends_brackets(token) || begins_statement(st, at))) return true;
  return token == "[" || token == "=" || is_statement_word(token);
}

// `field f32 u boundry clamp;`: a misspelled clause was read as a role.
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
    Failure result = failure(diag::syntax, role.at,
                             "expected a role, `compute` or `boundary`, found `" + role.name + "`");
    result.diagnostic.help("did you mean `" + meant + "`?", role.at, meant);
    result.resume = at;
    return result;
  }
  bool unbalanced = is_unbalanced(st, expected, at);
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

namespace {

// What to write instead of a statement of another language; "" if it is not one.
std::string of_other_languages(std::string_view word, std::string_view token) {
  constexpr std::string_view types[] = {"float", "double", "int", "f64", "f32",  "f16",
                                        "bf16",  "i64",    "i32", "u8",  "auto", "var"};
  if (token == "(" && (word == "for" || word == "while"))
    return "there are no loops: an update applies to every cell, or to the cells that `on` and "
           "`where` "
           "say";
  if (token == "(" && word == "if")
    return "write the condition after an update, `u[t+1] = ... on x == 0 where u > 0;`, or choose "
           "a value with `c ? a : b`";
  if (is_word(token) && std::ranges::find(types, word) != std::end(types)) {
    std::string name(token);
    return "write `field f32 " + name + ";` for a grid, `param f32 " + name +
           ";` for a number, or `let " + name + " = ...;`";
  }
  return "";
}

}  // namespace

Failure no_assignment(const State& st, uint32_t at) {
  std::string_view token = token_at(st.text, at);
  const ast::Update& update = st.parts.update;
  if (std::string help = of_other_languages(update.target.name, token);
      !update.has_args && !help.empty()) {
    Failure result = failure(diag::syntax, update.target.at,
                             "expected a statement, found `" + update.target.name + "`");
    result.diagnostic.help(std::move(help));
    result.resume = token == "(" ? skip_parentheses(st.text, at) : at;
    return result;
  }
  std::string meant = diag::nearest(update.target.name, statement_words);
  bool value =
      token == "{" || is_word(token) || (!token.empty() && token[0] >= '0' && token[0] <= '9');
  if (value && !update.has_args && !meant.empty()) {
    Failure result = failure(diag::syntax, update.target.at,
                             "expected a statement, found `" + update.target.name + "`");
    result.diagnostic.help("did you mean `" + meant + "`?", update.target.at, meant);
    result.resume = at;
    return result;
  }
  if (token == "=" && st.text[at - 1] == '=') {
    Failure result = failure(diag::syntax, st.range(at - 1, at + 1), "expected `=`, found `==`");
    result.diagnostic.help("write one `=` in an update; `==` compares");
    return result;
  }
  Failure result = mismatch(st, at, update.has_args ? "`=`" : "`=` or `[`");
  if (update.has_args && token == "[")
    result.diagnostic.help("write all indices in one bracket, as in `u[t+1, x]`");
  if (token == "(") {
    result.diagnostic.help("a position in the grid is written in brackets: `" + update.target.name +
                           "[t+1]`");
  }
  return result;
}

Failure no_item(const State& st, uint32_t at) {
  Failure result = mismatch(st, at, "a statement");
  std::string_view token = token_at(st.text, at);
  diag::Diagnostic& diagnostic = result.diagnostic;
  if (token == "use") diagnostic.help("`use` comes at the top of the file, outside of stencils");
  if (token == "on" || token == "where") {
    diagnostic.help("`" + std::string(token) +
                    "` comes at the end of an update or a reduction, before its `;`");
  }
  if (token == "compute") {
    diagnostic.help("`compute` belongs to a field, before its `boundary`");
  }
  return result;
}

Failure no_file_item(const State& st, uint32_t at) {
  std::string_view token = token_at(st.text, at);
  if (token == "}")
    return failure(diag::unbalanced, token_range(st, at), "this `}` has no matching `{`");
  Failure result = failure(diag::syntax, token_range(st, at),
                           "expected `stencil`, `fn`, `const` or `use`, found " + describe(token));
  std::string meant = diag::nearest(token, {"stencil", "const"});
  if (!meant.empty()) {
    result.diagnostic.help("did you mean `" + meant + "`?", result.diagnostic.at, meant);
  } else if (is_statement_word(token)) {
    result.diagnostic.help("statements come inside the braces of a `stencil name { ... }`");
  }
  return result;
}

Failure bad_string(const State& st, uint32_t at) {
  auto begin = static_cast<uint32_t>(st.text.rfind('"', at - 1));
  bool empty = st.text.substr(at).starts_with('"');
  Failure result = failure(diag::syntax, st.range(begin, empty ? at + 1 : at),
                           empty ? "this string is empty" : "this string does not end on its line");
  result.diagnostic.help("as in `use \"file.stn\";`");
  bool ends = !empty && st.text[at - 1] == ';';  // it became part of the string by mistake
  result.resume = ends ? at - 1 : result.diagnostic.at.end;
  return result;
}

bool report_missing_semicolon(State& st, uint32_t at) {
  std::string_view token = token_at(st.text, at);
  if (!is_on_next_line(st, at) || !(is_word(token) || token == "}")) return false;
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
