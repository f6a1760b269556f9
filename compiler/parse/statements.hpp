// The actions of whole statements, beside those of expressions in actions.hpp.
#pragma once

#include "parse/actions.hpp"

namespace stencilc::parse {

template <typename Node>
void add_item(State& st, Node node) {
  st.stencil.items.push_back({{}, std::move(node)});
}

// ---- names ----

inline void read_type(State& st, string_view text, Range at) {
  st.parts.type = {std::string(text), at};
}
template <>
struct action<g::declared_type> : rule_action<read_type> {};

inline void read_name(State& st, string_view text, Range at) {
  st.parts.name = {std::string(text), at};
}
template <>
struct action<g::let_name> : rule_action<read_name> {};
template <>
struct action<g::function_name> : rule_action<read_name> {};

inline void read_listed_name(State& st, string_view text, Range at) {
  st.parts.names.push_back({std::string(text), at});
}
template <>
struct action<g::axis_name> : rule_action<read_listed_name> {};
template <>
struct action<g::function_param> : rule_action<read_listed_name> {};

// ---- declarations ----

inline void read_axes(State& st, string_view, Range) {
  add_item(st, ast::Axes{std::move(st.parts.names)});
}
template <>
struct action<g::axes> : rule_action<read_axes> {};

inline void read_param_name(State& st, string_view text, Range at) {
  st.parts.params.decls.push_back({{std::string(text), at}, nullptr});
}
template <>
struct action<g::param_name> : rule_action<read_param_name> {};

inline void read_param_default(State& st, string_view, Range) {
  st.parts.params.decls.back().init = st.expressions.pop();
}
template <>
struct action<g::param_default> : rule_action<read_param_default> {};

inline void read_params(State& st, string_view, Range) {
  st.parts.params.type = std::move(st.parts.type);
  add_item(st, std::move(st.parts.params));
}
template <>
struct action<g::params> : rule_action<read_params> {};

inline void read_const_name(State& st, string_view text, Range at) {
  st.parts.constant = {};
  st.parts.constant.name = {std::string(text), at};
}
template <>
struct action<g::const_name> : rule_action<read_const_name> {};

inline void read_extent(State& st, string_view, Range) {
  ast::ExprPtr last = st.expressions.pop();
  st.parts.constant.extents.push_back({st.expressions.pop(), std::move(last)});
}
template <>
struct action<g::extent> : rule_action<read_extent> {};

inline void read_divisor(State& st, string_view, Range) {
  st.parts.constant.divisor = st.expressions.pop();
}
template <>
struct action<g::divisor> : rule_action<read_divisor> {};

inline void read_const(State& st, string_view, Range) {
  st.parts.constant.type = st.parts.type;
  st.parts.constant.values = st.expressions.take(0);
  add_item(st, std::move(st.parts.constant));
}
template <>
struct action<g::const_decl> : rule_action<read_const> {};

inline void read_field_name(State& st, string_view text, Range at) {
  ast::FieldDecl field;
  field.name = {std::string(text), at};
  st.parts.fields.decls.push_back(std::move(field));
}
template <>
struct action<g::field_name> : rule_action<read_field_name> {};

inline void read_field_axis(State& st, string_view text, Range at) {
  ast::FieldDecl& field = st.parts.fields.decls.back();
  field.has_axes = true;
  field.axes.push_back({std::string(text), at});
}
template <>
struct action<g::field_axis> : rule_action<read_field_axis> {};

inline void read_field_role(State& st, string_view text, Range at) {
  ast::FieldDecl& field = st.parts.fields.decls.back();
  field.has_role = true;
  field.role = {std::string(text), at};
}
template <>
struct action<g::field_role> : rule_action<read_field_role> {};

inline void read_boundary_kind(State& st, string_view text, Range at) {
  st.parts.fields.has_boundary = true;
  st.parts.fields.boundary.kind = {std::string(text), at};
}
template <>
struct action<g::boundary_kind> : rule_action<read_boundary_kind> {};

inline void read_boundary_value(State& st, string_view, Range) {
  st.parts.fields.boundary.value = st.expressions.pop();
}
template <>
struct action<g::boundary_value> : rule_action<read_boundary_value> {};

inline void read_fields(State& st, string_view, Range) {
  st.parts.fields.type = std::move(st.parts.type);
  add_item(st, std::move(st.parts.fields));
}
template <>
struct action<g::fields> : rule_action<read_fields> {};

// ---- let, fn, updates ----

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

inline void read_update(State& st, string_view, Range) {
  st.parts.update.value = st.expressions.pop();
  add_item(st, std::move(st.parts.update));
}
template <>
struct action<g::update> : rule_action<read_update> {};

// ---- stencils ----

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
