#include "parse/mismatch.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parse/text.h"

namespace stencilc::parse {
namespace {

constexpr std::array<std::string_view, 22> reserved = {
    "stencil",  "axes",   "param",  "const", "field",   "let",     "fn",      "in",
    "true",     "false",  "on",     "where", "compute", "reduce",  "iterate", "color",
    "schedule", "inject", "sample", "use",   "weights", "boundary"};

const std::vector<std::string> statement_words = {
    "axes",  "param",    "const",  "field",  "let", "fn",      "reduce",  "iterate",
    "color", "schedule", "inject", "sample", "use", "weights", "boundary"};

// Slips of people who come from other languages, by the token that is found.
struct Slip {
  std::string_view found, hint;
};
constexpr std::array<Slip, 6> slips = {{{"=", "comparison is written `==`"},
                                        {"&", "the logical and is written `&&`"},
                                        {"|", "the logical or is written `||`"},
                                        {"++", "add 1 by `u + 1`"},
                                        {"--", "subtract 1 by `u - 1`"},
                                        {"->", "members are not part of this language"}}};

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

bool ends_brackets(std::string_view token) {
  constexpr std::string_view ends[] = {"", ";", ")", "]", "}", "{"};
  return std::ranges::find(ends, token) != std::end(ends) ||
         std::ranges::find(statement_words, token) != statement_words.end();
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
  bool closing = expected == "`)`" || expected == "`]`" || expected == "`}`";
  bool unbalanced = closing && !open.empty() && ends_brackets(token);
  if (closing && !unbalanced) expected = "an operator or " + expected;
  Failure result = failure(unbalanced ? diag::unbalanced : diag::syntax, token_range(st, at),
                           "expected " + expected + ", found " + describe(token));
  if (unbalanced) {
    result.diagnostic.note(std::string("this `") + open.back().spelling + "` is not closed",
                           open.back().at);
  }
  bool behind_operand = expected == "`;`" || expected.starts_with("an operator");
  auto slip = std::ranges::find(slips, token, &Slip::found);
  if (behind_operand && slip != slips.end()) result.diagnostic.help(std::string(slip->hint));
  if (token == "*" && at > 0 && st.text[at - 1] == '*') {
    result.diagnostic.help("power is written `^`");
  }
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

Failure no_file_item(const State& st, uint32_t at) {
  std::string_view token = token_at(st.text, at);
  if (token == "}")
    return failure(diag::unbalanced, token_range(st, at), "this `}` closes nothing");
  Failure result = failure(diag::syntax, token_range(st, at),
                           "expected `stencil` or `fn`, found " + describe(token));
  std::string meant = diag::nearest(token, {"stencil"});
  if (!meant.empty()) {
    result.diagnostic.help("did you mean `stencil`?", result.diagnostic.at, meant);
  } else if (std::ranges::find(statement_words, token) != statement_words.end()) {
    result.diagnostic.help("statements stand inside the braces of a `stencil name { ... }`");
  }
  return result;
}

bool report_missing_semicolon(State& st, uint32_t at) {
  std::string_view token = token_at(st.text, at);
  std::string_view between = st.text.substr(st.token_end, at - st.token_end);
  bool next_line = between.find('\n') != std::string_view::npos;
  if (!next_line || !(is_word(token) || token == "}")) return false;
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
