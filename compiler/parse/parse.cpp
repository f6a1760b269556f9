// Runs the grammar over a text and reports what does not match. A failing statement throws a
// Failure, which is caught at the start of the statement; parsing then continues after the
// statement.
#include "parse/parse.h"

#include <utility>

#include "grammar/messages.hpp"
#include "grammar/rules.hpp"
#include "parse/actions.hpp"
#include "parse/mismatch.h"
#include "parse/statements.hpp"
#include "parse/text.h"

namespace stencilc::parse {
namespace {

template <typename Input>
uint32_t offset(const Input& in, const State& st) {
  return static_cast<uint32_t>(in.current() - st.text.data());
}

void begin_statement(State& st, uint32_t begin) {
  st.statement = begin;
  st.parts = {};
  st.expressions.reset();
  st.refused = false;
}

void report(State& st, const Failure& failure) {
  const diag::Diagnostic& d = failure.diagnostic;
  // check_text has already reported the character at which the grammar fails.
  bool known = d.code == diag::syntax && d.at.begin < st.text.size() &&
               is_foreign(static_cast<unsigned char>(st.text[d.at.begin]));
  if (known || st.has_too_many_errors()) return;
  auto& reported = st.engine.report(d.code, d.at, d.text);
  reported.notes = d.notes;
  reported.helps = d.helps;
}

// Reports a failure inside a statement of a stencil. Returns where the next statement starts.
uint32_t recover(State& st, const Failure& failure) {
  const std::vector<Bracket>& open = st.expressions.open_brackets();
  int open_braces = 0;
  for (const Bracket& bracket : open) open_braces += bracket.spelling == '{';
  bool unclosed = failure.diagnostic.code == diag::unbalanced && open.back().spelling == '{';
  bool in_block = (st.parts.in_sides || st.parts.in_schedule) && !unclosed;
  uint32_t resume = skip_statement(st.text, failure.resume, open_braces, in_block);
  // A text that ends inside a statement also ends inside the stencil, and that is reported.
  bool at_end = failure.diagnostic.at.begin >= st.text.size();
  if (!at_end) report(st, failure);
  return resume;
}

// The same for what is outside of stencils.
uint32_t recover_at_file_scope(State& st, const Failure& failure, bool in_statement) {
  uint32_t resume = in_statement ? skip_statement(st.text, failure.resume, 0)
                                 : skip_block(st.text, failure.resume);
  // A brace without a match may be the one that was missing before: a stencil inside a stencil.
  bool stray_brace =
      failure.diagnostic.code == diag::unbalanced && token_at(st.text, failure.resume) == "}";
  if (!stray_brace || st.missing_braces-- <= 0) report(st, failure);
  return resume;
}

template <typename Rule>
struct control : g::p::normal<Rule> {
  template <typename Input>
  [[noreturn]] static void raise(const Input& in, State& st) {
    static_assert(g::expected<Rule> != nullptr, "a rule behind `must` needs a message");
    Failure failure = mismatch(st, offset(in, st), g::expected<Rule>);
    if constexpr (g::advice<Rule> != nullptr) {
      diag::Diagnostic& d = failure.diagnostic;
      if (d.code != diag::unbalanced && d.helps.empty()) d.help(g::advice<Rule>);
    }
    throw failure;
  }
};

template <>
struct control<g::assignment> : g::p::normal<g::assignment> {
  template <typename Input>
  [[noreturn]] static void raise(const Input& in, State& st) {
    throw no_assignment(st, offset(in, st));
  }
};

template <typename Rule>
struct string_control : g::p::normal<Rule> {
  template <typename Input>
  [[noreturn]] static void raise(const Input& in, State& st) {
    throw bad_string(st, offset(in, st));
  }
};
template <>
struct control<g::path> : string_control<g::path> {};
template <>
struct control<g::path_end> : string_control<g::path_end> {};

// A missing `;` at the end of a line is reported, and parsing continues on the next line.
template <>
struct control<g::semicolon> : g::p::normal<g::semicolon> {
  template <g::p::apply_mode A, g::p::rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename Input>
  static bool match(Input& in, State& st) {
    if (g::p::normal<g::semicolon>::match<A, M, Action, Control>(in, st)) return true;
    return report_missing_semicolon(st, offset(in, st));
  }
  template <typename Input>
  [[noreturn]] static void raise(const Input& in, State& st) {
    throw mismatch(st, offset(in, st), g::expected<g::semicolon>);
  }
};

template <>
struct control<g::stencil_close> : g::p::normal<g::stencil_close> {
  template <g::p::apply_mode A, g::p::rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename Input>
  static bool match(Input& in, State& st) {
    if (g::p::normal<g::stencil_close>::match<A, M, Action, Control>(in, st)) return true;
    if (!st.gives_up()) report_missing_brace(st, offset(in, st));
    return true;
  }
};

template <>
struct control<g::item> : g::p::normal<g::item> {
  template <g::p::apply_mode A, g::p::rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename Input>
  static bool match(Input& in, State& st) {
    size_t items = st.stencil.items.size();
    uint32_t begin = offset(in, st);
    begin_statement(st, begin);
    try {
      if (!g::p::normal<g::item>::match<A, M, Action, Control>(in, st)) {
        throw no_item(st, begin);
      }
    } catch (const Failure& failure) {
      st.refused = true;
      in.iterator() = st.text.data() + recover(st, failure);
    }
    if (st.refused || st.expressions.refused()) st.stencil.items.resize(items);
    for (size_t i = items; i < st.stencil.items.size(); ++i) {
      st.stencil.items[i].at = st.range(begin, st.token_end);
    }
    if (st.gives_up()) in.iterator() = st.text.data() + st.text.size();
    return true;
  }
};

template <>
struct control<g::file_item> : g::p::normal<g::file_item> {
  template <g::p::apply_mode A, g::p::rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename Input>
  static bool match(Input& in, State& st) {
    size_t functions = st.program.functions.size(), constants = st.program.constants.size();
    uint32_t begin = offset(in, st);
    begin_statement(st, begin);
    try {
      if (!g::p::normal<g::file_item>::match<A, M, Action, Control>(in, st)) {
        throw no_file_item(st, begin);
      }
      if (st.refused || st.expressions.refused()) {
        st.program.functions.resize(functions);
        st.program.constants.resize(constants);
      }
    } catch (const Failure& failure) {
      std::string_view word = token_at(st.text, begin);
      bool in_statement = word == "fn" || word == "const" || word == "use";
      in.iterator() = st.text.data() + recover_at_file_scope(st, failure, in_statement);
    }
    if (st.gives_up()) in.iterator() = st.text.data() + st.text.size();
    return true;
  }
};

}  // namespace

ast::Program parse(const diag::Sources& sources, uint16_t file, diag::Engine& engine,
                   FileKind kind) {
  const diag::Source& source = sources[file];
  int errors = engine.errors();
  if (!check_text(source, file, engine)) return {};
  State state(source.text, file, engine);
  g::p::memory_input<g::p::tracking_mode::lazy> in(source.text.data(),
                                                   source.text.data() + source.text.size(), "");
  [[maybe_unused]] bool matched = g::p::parse<g::file, action, control>(in, state);
  bool empty = kind == FileKind::program && state.program.stencils.empty();
  if (empty && engine.errors() == errors) {
    engine.report(diag::empty_file, {0, 0, file}, "there is no stencil in this file")
        .help("a file holds at least one `stencil name { ... }`");
  }
  return std::move(state.program);
}

}  // namespace stencilc::parse
