// What happens when a rule of the grammar matches: operands and operators go to Expressions, names
// and parts of statements to State::parts, finished statements into the stencil.
#pragma once

#include <charconv>
#include <string>
#include <utility>

#include "grammar/rules.hpp"
#include "parse/state.h"

namespace stencilc::parse {

namespace g = stencilc::grammar;

// An action is a function of the state, the matched text and its range; this makes it PEGTL's.
template <auto function>
struct rule_action {
  template <typename Input>
  static void apply(const Input& in, State& st) {
    size_t begin = in.begin() - st.text.data();
    function(st, in.string_view(), st.range(begin, begin + in.size()));
  }
};

template <typename Rule>
struct action {};

using diag::Range;
using std::string_view;

inline void check_nesting(bool within, Range at) {
  if (within) return;
  throw failure(diag::nesting_limit, at,
                "nesting deeper than " + std::to_string(max_nesting) + " levels");
}

inline void end_token(State& st, string_view, Range at) { st.token_end = at.begin; }
template <>
struct action<g::skip> : rule_action<end_token> {};

// ---- brackets ----

inline void open_plain(State& st, string_view spelling, Range at) {
  check_nesting(st.expressions.open(spelling[0], at, {}), at);
}
inline void open_behind_name(State& st, string_view spelling, Range at) {
  check_nesting(st.expressions.open(spelling[0], at, std::move(st.reference)), at);
}
inline void close(State& st, string_view, Range at) {
  st.closed = st.expressions.close();
  st.closed_end = at.end;
}
template <>
struct action<g::open_parenthesis> : rule_action<open_plain> {};
template <>
struct action<g::open_bracket> : rule_action<open_plain> {};
template <>
struct action<g::open_brace> : rule_action<open_plain> {};
template <>
struct action<g::function_params_open> : rule_action<open_plain> {};
template <>
struct action<g::call_open> : rule_action<open_behind_name> {};
template <>
struct action<g::index_open> : rule_action<open_behind_name> {};
template <>
struct action<g::close_parenthesis> : rule_action<close> {};
template <>
struct action<g::close_bracket> : rule_action<close> {};
template <>
struct action<g::close_brace> : rule_action<close> {};

// ---- expressions ----

inline void refuse_number(State& st, Range at, std::string text, std::string help,
                          string_view replacement) {
  auto& diagnostic = st.engine.report(diag::bad_number, at, std::move(text));
  if (!replacement.empty()) diagnostic.help(std::move(help), at, std::string(replacement));
  if (replacement.empty()) diagnostic.note(std::move(help));
  st.refused = true;
}

inline void read_number(State& st, string_view text, Range at) {
  ast::Number number;
  const char* end = text.data() + text.size();
  auto real = std::from_chars(text.data(), end, number.value);
  std::string quoted = "`" + std::string(text) + "`";
  if (real.ptr != end) {
    string_view bare = text.substr(0, real.ptr - text.data());
    bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    refuse_number(st, at, quoted + " is not a number",
                  hexadecimal ? "numbers are written in decimal"
                              : "numbers have no suffix: write `" + std::string(bare) + "`",
                  hexadecimal ? "" : bare);
  } else if (real.ec != std::errc()) {
    refuse_number(st, at, quoted + " is out of the range of `f64`",
                  "the least and the greatest are about 5e-324 and 1.8e308", "");
  }
  number.integral = text.find_first_not_of("0123456789") == string_view::npos;
  if (number.integral && std::from_chars(text.data(), end, number.integer).ec != std::errc()) {
    refuse_number(st, at, quoted + " is out of the range of `i64`",
                  "write `" + std::string(text) + ".0` for a floating-point number",
                  std::string(text) + ".0");
  }
  st.expressions.push(at, number);
}
template <>
struct action<g::number> : rule_action<read_number> {};

inline void read_boolean(State& st, string_view text, Range at) {
  st.expressions.push(at, ast::Bool{text == "true"});
}
template <>
struct action<g::boolean> : rule_action<read_boolean> {};

inline void read_reference(State& st, string_view text, Range at) {
  st.reference = {std::string(text), at};
}
template <>
struct action<g::reference_name> : rule_action<read_reference> {};
template <>
struct action<g::target_name> : rule_action<read_reference> {};
template <>
struct action<g::window_kind> : rule_action<read_reference> {};

inline void read_bare_name(State& st, string_view, Range) {
  Range at = st.reference.at;
  st.expressions.push(at, ast::Name{std::move(st.reference.name)});
}
template <>
struct action<g::bare_name> : rule_action<read_bare_name> {};

inline void read_index(State& st, string_view, Range) {
  size_t from = st.closed.operands;
  Range at = st.range(st.closed.before.at.begin, st.closed_end);
  auto args = st.expressions.list(from);
  st.expressions.push(at, ast::Access{std::move(st.closed.before), std::move(args)}, from);
}
template <>
struct action<g::index> : rule_action<read_index> {};

inline void read_argument_name(State& st, string_view text, Range at) {
  st.expressions.innermost().named.push_back({{std::string(text), at}, nullptr});
}
template <>
struct action<g::argument_name> : rule_action<read_argument_name> {};

inline void read_named_argument(State& st, string_view, Range) {
  st.expressions.innermost().named.back().value = st.expressions.pop();
}
template <>
struct action<g::named_argument> : rule_action<read_named_argument> {};

inline void read_call(State& st, string_view, Range) {
  size_t from = st.closed.operands;
  Range at = st.range(st.closed.before.at.begin, st.closed_end);
  auto args = st.expressions.list(from);
  st.expressions.push(
      at, ast::Call{std::move(st.closed.before), std::move(args), std::move(st.closed.named)},
      from);
}
template <>
struct action<g::call> : rule_action<read_call> {};

inline void read_window_variable(State& st, string_view text, Range at) {
  st.expressions.innermost().ranges.push_back({{std::string(text), at}, nullptr, nullptr});
}
template <>
struct action<g::window_variable> : rule_action<read_window_variable> {};

inline void read_window_range(State& st, string_view, Range) {
  ast::WindowRange& range = st.expressions.innermost().ranges.back();
  range.last = st.expressions.pop();
  range.first = st.expressions.pop();
}
template <>
struct action<g::window_range> : rule_action<read_window_range> {};

inline void read_window(State& st, string_view, Range) {
  const ast::Ident& word = st.closed.before;
  auto kind = word.name == "sum"    ? ast::Window::sum
              : word.name == "prod" ? ast::Window::prod
              : word.name == "min"  ? ast::Window::min
                                    : ast::Window::max;
  Range at = st.range(word.at.begin, st.closed_end);
  auto body = st.expressions.list(st.closed.operands);
  st.expressions.push(at, ast::Window{kind, std::move(st.closed.ranges), std::move(body.front())},
                      st.closed.operands);
}
template <>
struct action<g::window> : rule_action<read_window> {};

inline void read_parenthesised(State& st, string_view, Range) {
  st.expressions.parenthesise(st.range(st.closed.at.begin, st.closed_end));
}
template <>
struct action<g::parenthesised> : rule_action<read_parenthesised> {};

inline void read_prefix(State& st, string_view text, Range at) {
  check_nesting(st.expressions.prefix(text, at), at);
}
template <>
struct action<g::prefix> : rule_action<read_prefix> {};

inline void check_size(State& st, Range at) {
  if (st.has_too_many_errors()) throw failure(diag::syntax, at, "");  // is not reported
  if (st.expressions.too_many()) {
    throw failure(diag::size_limit, at,
                  "the file has more than " + std::to_string(max_nodes) + " operands");
  }
  if (st.expressions.too_high()) {
    throw failure(diag::size_limit, at,
                  "an expression of more than " + std::to_string(max_height) + " terms");
  }
}

inline void read_infix(State& st, string_view text, Range at) {
  check_nesting(st.expressions.infix(text, at), at);
  check_size(st, at);
}
template <>
struct action<g::infix> : rule_action<read_infix> {};

inline void begin_chain(State& st, string_view, Range) { st.expressions.begin_chain(); }
template <>
struct action<g::chain_begin> : rule_action<begin_chain> {};

inline void end_chain(State& st, string_view, Range at) {
  st.expressions.end_chain();
  check_size(st, {at.begin, at.begin + 1, at.file});
}
template <>
struct action<g::chain> : rule_action<end_chain> {};

inline void begin_choice(State& st, string_view, Range at) {
  check_nesting(st.expressions.begin_choice(), {at.begin, at.begin + 1, at.file});
}
template <>
struct action<g::question> : rule_action<begin_choice> {};

inline void end_choice(State& st, string_view, Range) { st.expressions.end_choice(); }
template <>
struct action<g::choice> : rule_action<end_choice> {};

}  // namespace stencilc::parse
