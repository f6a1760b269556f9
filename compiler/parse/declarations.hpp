// The actions of declarations: what a stencil has, before what it does (statements.hpp).
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
template <>
struct action<g::reduce_name> : rule_action<read_name> {};
template <>
struct action<g::place> : rule_action<read_name> {};

inline void read_listed_name(State& st, string_view text, Range at) {
  st.parts.names.push_back({std::string(text), at});
}
template <>
struct action<g::axis_name> : rule_action<read_listed_name> {};
template <>
struct action<g::function_param> : rule_action<read_listed_name> {};
template <>
struct action<g::bounded_name> : rule_action<read_listed_name> {};
template <>
struct action<g::color_name> : rule_action<read_listed_name> {};

// ---- axes, parameters, constants, weights ----

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

inline void read_extent(State& st, string_view, Range) {
  ast::ExprPtr last = st.expressions.pop();
  st.parts.extents.push_back({st.expressions.pop(), std::move(last)});
}
template <>
struct action<g::extent> : rule_action<read_extent> {};

inline void read_const_name(State& st, string_view text, Range at) {
  ast::Const& constant = st.parts.constants.emplace_back();
  constant.type = st.parts.type;
  constant.name = {std::string(text), at};
}
template <>
struct action<g::const_name> : rule_action<read_const_name> {};

inline void read_divisor(State& st, string_view, Range) {
  st.parts.constants.back().divisor = st.expressions.pop();
}
template <>
struct action<g::divisor> : rule_action<read_divisor> {};

inline void read_const(State& st, string_view, Range) {
  ast::Const& constant = st.parts.constants.back();
  constant.extents = std::exchange(st.parts.extents, {});
  constant.values = st.expressions.take(0);
}
template <>
struct action<g::const_decl> : rule_action<read_const> {};

inline void read_consts(State& st, string_view, Range) {
  for (ast::Const& constant : st.parts.constants) add_item(st, std::move(constant));
}
template <>
struct action<g::consts> : rule_action<read_consts> {};

inline void read_file_consts(State& st, string_view, Range) {
  for (ast::Const& constant : st.parts.constants)
    st.program.constants.push_back(std::move(constant));
}
template <>
struct action<g::file_consts> : rule_action<read_file_consts> {};

inline void read_weights_name(State& st, string_view text, Range at) {
  st.parts.weights.decls.push_back({{std::string(text), at}, {}});
}
template <>
struct action<g::weights_name> : rule_action<read_weights_name> {};

inline void read_weights_decl(State& st, string_view, Range) {
  st.parts.weights.decls.back().extents = std::exchange(st.parts.extents, {});
}
template <>
struct action<g::weights_decl> : rule_action<read_weights_decl> {};

inline void read_weights(State& st, string_view, Range) {
  st.parts.weights.has_type = !st.parts.type.name.empty();
  st.parts.weights.type = std::move(st.parts.type);
  add_item(st, std::move(st.parts.weights));
}
template <>
struct action<g::weights> : rule_action<read_weights> {};

// ---- boundaries ----

inline ast::BoundaryKind& kind_being_read(State& st) {
  ast::Boundary& boundary = st.parts.boundary;
  return st.parts.in_sides ? boundary.sides.back().kind : boundary.whole;
}

inline void read_boundary_kind(State& st, string_view text, Range at) {
  kind_being_read(st).kind = {std::string(text), at};
}
template <>
struct action<g::boundary_kind> : rule_action<read_boundary_kind> {};

inline void read_boundary_value(State& st, string_view, Range) {
  kind_being_read(st).value = st.expressions.pop();
}
template <>
struct action<g::boundary_value> : rule_action<read_boundary_value> {};

inline void open_sides(State& st, string_view spelling, Range at) {
  open_plain(st, spelling, at);
  st.parts.in_sides = true;
}
template <>
struct action<g::sides_open> : rule_action<open_sides> {};

inline void read_side_axis(State& st, string_view text, Range at) {
  ast::BoundarySide side;
  side.axis = {std::string(text), at};
  st.parts.boundary.sides.push_back(std::move(side));
}
template <>
struct action<g::side_axis> : rule_action<read_side_axis> {};

inline void read_side_end(State& st, string_view text, Range at) {
  ast::BoundarySide& side = st.parts.boundary.sides.back();
  side.has_end = true;
  side.end = {std::string(text), at};
}
template <>
struct action<g::side_end> : rule_action<read_side_end> {};

inline void end_boundary(State& st, string_view, Range at) {
  st.parts.boundary.at = {at.begin, st.token_end, at.file};
  st.parts.in_sides = false;
}
template <>
struct action<g::sides> : rule_action<end_boundary> {};
template <>
struct action<g::whole_boundary> : rule_action<end_boundary> {};

inline void read_boundary(State& st, string_view, Range) {
  st.parts.fields.has_boundary = true;
  st.parts.fields.boundary = std::move(st.parts.boundary);
}
template <>
struct action<g::boundary> : rule_action<read_boundary> {};

inline void read_boundaries(State& st, string_view, Range) {
  add_item(st, ast::Boundaries{std::move(st.parts.names), std::move(st.parts.boundary)});
}
template <>
struct action<g::boundaries> : rule_action<read_boundaries> {};

// ---- fields ----

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

inline void read_compute_type(State& st, string_view text, Range at) {
  st.parts.fields.has_compute = true;
  st.parts.fields.compute = {std::string(text), at};
}
template <>
struct action<g::compute_type> : rule_action<read_compute_type> {};

inline void read_fields(State& st, string_view, Range) {
  st.parts.fields.type = std::move(st.parts.type);
  add_item(st, std::move(st.parts.fields));
}
template <>
struct action<g::fields> : rule_action<read_fields> {};

// ---- lists of points ----

inline void read_points_name(State& st, string_view text, Range at) {
  st.parts.points.decls.push_back({{std::string(text), at}, false});
}
template <>
struct action<g::points_name> : rule_action<read_points_name> {};

inline void read_points_linear(State& st, string_view, Range) {
  st.parts.points.decls.back().linear = true;
}
template <>
struct action<g::points_linear> : rule_action<read_points_linear> {};

inline void read_points(State& st, string_view, Range) { add_item(st, std::move(st.parts.points)); }
template <>
struct action<g::points> : rule_action<read_points> {};

inline void read_series_name(State& st, string_view text, Range at) {
  st.parts.series.decls.push_back({{std::string(text), at}, {}});
}
template <>
struct action<g::series_name> : rule_action<read_series_name> {};

inline void read_series_points(State& st, string_view text, Range at) {
  st.parts.series.decls.back().points = {std::string(text), at};
}
template <>
struct action<g::series_points> : rule_action<read_series_points> {};

inline void read_series(State& st, string_view, Range) {
  st.parts.series.type = std::move(st.parts.type);
  add_item(st, std::move(st.parts.series));
}
template <>
struct action<g::series> : rule_action<read_series> {};

}  // namespace stencilc::parse
