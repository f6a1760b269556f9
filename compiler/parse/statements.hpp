// The actions of what a stencil does, and of files. Declarations are in declarations.hpp,
// expressions in actions.hpp.
#pragma once

#include "parse/declarations.hpp"

namespace stencilc::parse {

// ---- let, fn ----

inline void read_let(State& st, string_view, Range) {
  add_item(st, ast::Let{std::move(st.parts.name), st.expressions.pop()});
}
template <>
struct action<g::let> : rule_action<read_let> {};

inline ast::Function take_function(State& st) {
  return {std::move(st.parts.name), std::move(st.parts.names), st.expressions.pop()};
}
inline void read_function(State& st, string_view, Range) { add_item(st, take_function(st)); }
template <>
struct action<g::function> : rule_action<read_function> {};

inline void read_file_function(State& st, string_view, Range) {
  st.program.functions.push_back(take_function(st));
}
template <>
struct action<g::file_function> : rule_action<read_file_function> {};

// ---- updates ----

inline void read_condition(State& st, string_view, Range) {
  st.parts.where.on.push_back(st.expressions.pop());
}
template <>
struct action<g::condition> : rule_action<read_condition> {};

inline void read_mask(State& st, string_view, Range) { st.parts.where.mask = st.expressions.pop(); }
template <>
struct action<g::mask> : rule_action<read_mask> {};

inline void read_target(State& st, string_view, Range) {
  ast::Update& update = st.parts.update;
  update.has_args = st.expressions.count() > 0;
  if (!update.has_args) {
    update.target_at = st.reference.at;
    update.target = std::move(st.reference);
    return;
  }
  ast::ExprPtr left = st.expressions.pop();
  const auto& access = std::get<ast::Access>(left->node);
  update.target_at = left->at;
  update.target = access.base;
  update.args = access.args;
}
template <>
struct action<g::target_end> : rule_action<read_target> {};

inline void read_compound(State& st, string_view text, Range) {
  st.parts.update.op = text[0] == '+'   ? ast::Update::add
                       : text[0] == '-' ? ast::Update::sub
                       : text[0] == '*' ? ast::Update::mul
                                        : ast::Update::div;
}
template <>
struct action<g::compound> : rule_action<read_compound> {};
template <>
struct action<g::added_or_taken> : rule_action<read_compound> {};

inline void read_value(State& st, string_view, Range) { st.parts.value = st.expressions.pop(); }
template <>
struct action<g::value> : rule_action<read_value> {};

inline ast::Update take_update(State& st) {
  st.parts.update.value = std::move(st.parts.value);
  st.parts.update.where = std::move(st.parts.where);
  return std::move(st.parts.update);
}

inline void read_update(State& st, string_view, Range) { add_item(st, take_update(st)); }
template <>
struct action<g::update> : rule_action<read_update> {};

inline void read_inject(State& st, string_view, Range) {
  add_item(st, ast::Inject{take_update(st), std::move(st.parts.name)});
}
template <>
struct action<g::inject> : rule_action<read_inject> {};

inline void read_sample(State& st, string_view, Range) {
  add_item(st, ast::Sample{take_update(st), std::move(st.parts.name)});
}
template <>
struct action<g::sample> : rule_action<read_sample> {};

// ---- the run ----

inline void read_reduce_kind(State& st, string_view text, Range at) {
  st.parts.kind = {std::string(text), at};
}
template <>
struct action<g::reduce_kind> : rule_action<read_reduce_kind> {};

inline void read_reduce(State& st, string_view, Range) {
  add_item(st, ast::Reduce{std::move(st.parts.name), std::move(st.parts.kind),
                           std::move(st.parts.value), std::move(st.parts.where)});
}
template <>
struct action<g::reduce> : rule_action<read_reduce> {};

// One expression of an `iterate`.
template <ast::ExprPtr ast::Iterate::*part>
void read_iterate_part(State& st, string_view, Range) {
  st.parts.iterate.*part = st.expressions.pop();
}
template <>
struct action<g::times> : rule_action<read_iterate_part<&ast::Iterate::times>> {};
template <>
struct action<g::until_condition> : rule_action<read_iterate_part<&ast::Iterate::until>> {};
template <>
struct action<g::check_count> : rule_action<read_iterate_part<&ast::Iterate::every>> {};
template <>
struct action<g::limit_count> : rule_action<read_iterate_part<&ast::Iterate::limit>> {};

inline void read_iterate(State& st, string_view, Range) {
  add_item(st, std::move(st.parts.iterate));
}
template <>
struct action<g::iterate> : rule_action<read_iterate> {};

inline void read_color(State& st, string_view, Range) {
  add_item(st, ast::Color{std::move(st.parts.names), st.expressions.pop()});
}
template <>
struct action<g::color> : rule_action<read_color> {};

// ---- schedules ----

inline void read_schedule_target(State& st, string_view text, Range at) {
  st.parts.schedule.targets.push_back({std::string(text), at});
}
template <>
struct action<g::schedule_target> : rule_action<read_schedule_target> {};

inline void open_parts(State& st, string_view spelling, Range at) {
  open_plain(st, spelling, at);
  st.parts.in_schedule = true;
}
template <>
struct action<g::parts_open> : rule_action<open_parts> {};

inline void read_part_name(State& st, string_view text, Range at) {
  std::vector<ast::Schedule::Part>& parts = st.parts.schedule.parts;
  std::vector<ast::Schedule::Part>& list = st.parts.in_shape ? parts.back().shape : parts;
  list.push_back({{std::string(text), at}, false, {}, {}});
}
template <>
struct action<g::part_name> : rule_action<read_part_name> {};

inline ast::Schedule::Part& last_part(State& st) {
  ast::Schedule::Part& part = st.parts.schedule.parts.back();
  return st.parts.in_shape ? part.shape.back() : part;
}

inline void read_part_value(State& st, string_view text, Range at) {
  ast::Schedule::Part& part = last_part(st);
  part.has_value = true;
  part.value = {std::string(text), at};
}
template <>
struct action<g::part_value> : rule_action<read_part_value> {};

inline void read_part_more(State& st, string_view text, Range at) {
  ast::Ident& value = last_part(st).value;
  value.name += "+" + std::string(text);
  value.at.end = at.end;
}
template <>
struct action<g::part_more> : rule_action<read_part_more> {};

inline void open_shape(State& st, string_view, Range) { st.parts.in_shape = true; }
template <>
struct action<g::shape_open> : rule_action<open_shape> {};

inline void close_shape(State& st, string_view, Range) { st.parts.in_shape = false; }
template <>
struct action<g::shape_close> : rule_action<close_shape> {};

inline void read_schedule(State& st, string_view, Range) {
  add_item(st, std::move(st.parts.schedule));
}
template <>
struct action<g::schedule> : rule_action<read_schedule> {};

// ---- files ----

inline void read_path(State& st, string_view text, Range) { st.parts.path = text; }
template <>
struct action<g::path> : rule_action<read_path> {};

inline void read_quoted_path(State& st, string_view, Range at) {
  st.program.uses.push_back({std::move(st.parts.path), at});
}
template <>
struct action<g::quoted_path> : rule_action<read_quoted_path> {};

inline void read_stencil_name(State& st, string_view text, Range at) {
  st.stencil = {};
  st.stencil.name = {std::string(text), at};
}
template <>
struct action<g::stencil_name> : rule_action<read_stencil_name> {};

inline void read_stencil_open(State& st, string_view, Range at) {
  st.open_brace = {at.begin, at.begin + 1, at.file};
}
template <>
struct action<g::stencil_open> : rule_action<read_stencil_open> {};

inline void read_stencil(State& st, string_view, Range at) {
  st.stencil.at = {at.begin, st.token_end, at.file};
  st.program.stencils.push_back(std::move(st.stencil));
}
template <>
struct action<g::stencil> : rule_action<read_stencil> {};

}  // namespace stencilc::parse
