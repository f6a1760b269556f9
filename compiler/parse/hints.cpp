#include "parse/hints.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "parse/text.h"

namespace stencilc::parse {
namespace {

// Typical mistakes of users of other languages, by the token that follows an operand.
struct Slip {
  std::string_view found, hint;
};
constexpr std::array<Slip, 9> slips = {
    {{"=", "equality is written `==`"},
     {"&", "the logical and is written `&&`; that of the bits of integers is `bit_and(a, b)`"},
     {"|", "the logical or is written `||`; that of the bits of integers is `bit_or(a, b)`"},
     {"and", "the logical and is written `&&`"},
     {"or", "the logical or is written `||`"},
     {"++", "to add 1, write `u + 1`"},
     {"--", "to subtract 1, write `u - 1`"},
     {"->", "the language has no members"},
     {".", "the language has no members"}}};

std::string_view first_word(const State& st) { return token_at(st.text, st.statement); }

bool is_update(const State& st) {
  const std::string& target = st.parts.update.target.name;
  return !target.empty() && first_word(st) == target;
}

// Whether it is `check` or `limit` of the `iterate` being read; elsewhere these are names.
bool is_iterate_clause(const State& st, std::string_view token) {
  const ast::Iterate& iterate = st.parts.iterate;
  if (iterate.until == nullptr) return false;
  return (token == "check" && iterate.every == nullptr) ||
         (token == "limit" && iterate.limit == nullptr);
}

std::string of_where(const State& st, std::string_view token) {
  if (!is_update(st) && first_word(st) != "reduce")
    return "only updates and reductions have `" + std::string(token) + "`";
  if (token == "where") return "write all conditions in one `where`, joined with `&&`";
  if (st.parts.where.mask != nullptr) return "`on` comes before `where`";
  return "the conditions of one `on` are separated by commas: `on x >= 1, y < 3`";
}

std::string of_comma(const State& st, uint32_t at) {
  if (first_word(st) == "field")
    return "fields with another boundary have a statement of their own: `field f32 v boundary "
           "clamp;`";
  if (st.parts.where.mask != nullptr)
    return "write all conditions in one `where`, joined with `&&`";
  bool check = token_at(st.text, skip_blanks(st.text, at + 1)) == "check";
  return check && is_iterate_clause(st, "check") ? "`check` comes before `limit`" : "";
}

// `field f32 u` without its `;`, then `boundary u clamp;`.
bool takes_a_name_for_its_boundary(const State& st) {
  const std::string& kind = st.parts.boundary.whole.kind.name;
  const auto& decls = st.parts.fields.decls;
  return std::ranges::any_of(decls, [&](const auto& decl) { return decl.name.name == kind; });
}

// Adds the syntax of a schedule if `token` follows a part of it.
void add_schedule_hint(const State& st, std::string_view token, diag::Diagnostic& diagnostic) {
  if (diagnostic.code != diag::syntax) return;
  bool has_value = st.parts.schedule.parts.back().has_value;
  bool digit = !token.empty() && token[0] >= '0' && token[0] <= '9';
  if (token == ";") {
    diagnostic.help("the parts of a schedule are separated by `,`", diagnostic.at, ",");
  } else if (!has_value && (digit || token == ":" || token == "==")) {
    diagnostic.help("write a value after `=`, as in `threads = 32x8`");
  } else if (has_value && (digit || token == "x")) {
    diagnostic.help("write a value without blanks, as in `threads = 32x8`");
  } else if (is_word(token)) {
    diagnostic.help("add `,`", st.range(st.token_end, st.token_end), ",");
  }
}

// Why `token` cannot be at the end of a statement; "" if there is no hint.
std::string of_statement_end(const State& st, std::string_view token, uint32_t at) {
  std::string_view word = first_word(st);
  if (token == "on" || token == "where") return of_where(st, token);
  if (word == "field" && takes_a_name_for_its_boundary(st)) {
    return "`;` is missing before `boundary`";
  }
  if (token == ",") return of_comma(st, at);
  if (word == "field" && token == "boundary") {
    return "write all sides in one boundary, as in `boundary { x: periodic; y: clamp; }`";
  }
  if (word == "field" && token == "=")
    return "the value comes right after `constant`, as in `boundary constant 0.5`";
  if (word == "field" && token == "[")
    return "every field has the size of the grid: leave out the extents";
  if (word == "axes" && is_word(token)) return "`,` is missing before `" + std::string(token) + "`";
  if (token == "compute") {
    return word == "field" ? "`compute` comes before `boundary`" : "only fields have `compute`";
  }
  if (token == "check" && is_iterate_clause(st, token)) return "`check` comes before `limit`";
  if (token == "at" && is_update(st)) {
    return "write `inject` to add values at points, as in `inject u[t+1] += amp[t] at src;`";
  }
  if (word == "reduce" && !is_word(token)) {
    return "a reduction is one call: do arithmetic with `" + st.parts.name.name +
           "` where it is used";
  }
  return "";
}

// `let k = if (u > 0) 1 else 0;`, which reads as a call of a function `if`.
bool follows_an_if(const State& st, uint32_t at) {
  std::string_view before = st.text.substr(st.statement, at - st.statement);
  size_t open = before.rfind("if");
  if (open == std::string_view::npos || (open > 0 && is_word(before.substr(open - 1, 3))))
    return false;
  uint32_t next = skip_blanks(st.text, st.statement + static_cast<uint32_t>(open) + 2);
  return next < at && st.text[next] == '(';
}

// Why a bracket cannot follow what ends with `last`; "" if that is not a value.
std::string of_bracket(char last) {
  if (last == ']') return "write all indices in one bracket, as in `u[t-1, x+1]`";
  if (last == ')')
    return "only a name has neighbours: name the value, as in `let a = ...;`, and write "
           "`a[x-1]`";
  return last >= '0' && last <= '9' ? "a number is the same in every cell: leave out the bracket"
                                    : "";
}

// The words that are allowed where another one was found.
std::vector<std::string> clause_words(const State& st, std::string_view expected) {
  std::string_view word = first_word(st);
  if (word == "iterate" && expected.find("`limit`") != std::string_view::npos) {
    return {"check", "limit"};
  }
  if (expected != "`;`") return {};
  if (word == "field") return {"compute", "boundary"};
  if (word == "points") return {"linear"};
  if (word == "reduce" || is_update(st)) return {"where"};
  return {};
}

}  // namespace

bool is_clause(const State& st, std::string_view token) {
  return token == "on" || token == "where" || token == "compute" || is_iterate_clause(st, token);
}

void add_hints(const State& st, std::string_view expected, uint32_t at,
               diag::Diagnostic& diagnostic) {
  std::string_view token = token_at(st.text, at);
  bool at_end = expected == "`;`";
  auto slip = std::ranges::find(slips, token, &Slip::found);
  bool behind_value = (at_end && first_word(st) != "field") ||
                      expected.starts_with("an operator") ||
                      (expected == "`:`" && !st.parts.in_sides);
  if (behind_value && slip != slips.end()) {
    diagnostic.help(std::string(slip->hint));
  }
  if (behind_value && token == "[" && st.token_end > 0) {
    if (std::string hint = of_bracket(st.text[st.token_end - 1]); !hint.empty())
      diagnostic.help(std::move(hint));
  }
  if (token == "*" && at > 0 && st.text[at - 1] == '*') {
    diagnostic.help("a power is written `^`");
  }
  if (expected == "an expression" && at > 0 && (token == ">" || token == "<") &&
      st.text[at - 1] == token[0]) {
    diagnostic.help(token == "<" ? "there are no shifts: `a << 3` is `a * 8`"
                                 : "there are no shifts: `a >> 3` is `idiv(a, 8)`");
  }
  if (at_end && follows_an_if(st, at)) diagnostic.help("a choice is written `c ? a : b`");
  if (expected == "`..`" && first_word(st) != "iterate" && (token == "]" || token == ",")) {
    diagnostic.help(
        "an array of weights has a range for each index, both ends included: `w[0..2]` has three "
        "elements");
  }
  if (expected == "an operator or `)`" && token == "..") {
    diagnostic.help("a window is written `i in -1..1`");
  }
  if (expected == "`=`" && token == "{" && first_word(st) == "fn") {
    diagnostic.help(
        "a function is an expression: `fn f(a) = a[x+1] - a;`, and lets stand outside of it");
  }
  if (at_end && is_iterate_clause(st, token) && st.parts.iterate.limit == nullptr) {
    diagnostic.help("add `,` before `" + std::string(token) + "`",
                    st.range(st.token_end, st.token_end), ",");
  } else if (std::string hint = at_end ? of_statement_end(st, token, at) : ""; !hint.empty()) {
    diagnostic.help(std::move(hint));
  }
  if (std::string meant = diag::nearest(token, clause_words(st, expected)); !meant.empty()) {
    diagnostic.help("did you mean `" + meant + "`?", diagnostic.at, meant);
  }
  if (expected == "an operator or `)`" && first_word(st) == "reduce") {
    if (token == "in") {
      diagnostic.help(
          "write the window inside the call, as in `reduce r = max(max(i in 0..1 : u[x+i]));`");
    } else if (token == ",") {
      diagnostic.help("a reduction has one expression, as in `reduce r = max(max(u, v));`");
    }
  }
  if (expected == "the kind of boundary" && (token == "=" || token == ":")) {
    diagnostic.help("the kind comes right after `boundary`, as in `boundary clamp`");
  }
  if (expected == "the kind of boundary" && !token.empty() &&
      (std::isdigit(static_cast<unsigned char>(token[0])) || token == "(" || token == "-")) {
    diagnostic.help(
        "a value takes a word before it: `constant 0.5`, or `expr 0.5*x` for one that differs from "
        "cell to cell or with `t`");
  }
  if (expected == "the name of the field" && (token == "in" || token == "field")) {
    diagnostic.help(token == "in"
                        ? "the role comes after the name, as in `field f32 u in;`"
                        : "fields of one type share a statement, as in `field f32 u, v;`");
  }
  if (expected == "`{`" && !st.stencil.name.name.empty() && (token == ":" || token == "(")) {
    diagnostic.help("as in `stencil " + st.stencil.name.name + " { axes x; ... }`");
  }
  if (expected == "the kind of boundary" && token == ";" && first_word(st) == "boundary") {
    diagnostic.help("the field comes first, as in `boundary u clamp;`");
  }
  if (expected == "`,` or `}`") add_schedule_hint(st, token, diagnostic);
  if (expected == "`;` or `}`" && diagnostic.code == diag::syntax) {
    diagnostic.help("sides are separated by `;`");
  }
}

}  // namespace stencilc::parse
