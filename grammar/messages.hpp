// What to say when a rule after `must` does not match: "expected <text>, found <token>", and for
// some a help line.
#pragma once

#include "grammar/rules.hpp"

namespace stencilc::grammar {

// null: the rule never stands after `must`. The parser asserts at compile time that every rule
// after `must` has a text.
template <typename Rule>
inline constexpr const char* expected = nullptr;

template <typename Rule>
inline constexpr const char* advice = nullptr;

// clang-format off
template <> inline constexpr const char* expected<semicolon> = "`;`";
template <> inline constexpr const char* expected<colon> = "`:`";
template <> inline constexpr const char* expected<dots> = "`..`";
template <> inline constexpr const char* expected<equals> = "`=`";
template <> inline constexpr const char* expected<stencil_open> = "`{`";
template <> inline constexpr const char* expected<call_close> = "`)`";
template <> inline constexpr const char* expected<token<close_parenthesis>> = "`)`";
template <> inline constexpr const char* expected<token<close_bracket>> = "`]`";
template <> inline constexpr const char* expected<token<close_brace>> = "`}`";
template <> inline constexpr const char* expected<token<in_word>> = "`in`";

template <> inline constexpr const char* expected<expression> = "an expression";
template <> inline constexpr const char* expected<operand> = "an expression";
template <> inline constexpr const char* expected<primary> = "an expression";
template <> inline constexpr const char* expected<argument> = "an argument";
template <> inline constexpr const char* expected<const_value> = "an expression or `{`";
template <> inline constexpr const char* expected<extent> = "a range such as `-1..1`";
template <> inline constexpr const char* expected<window_range> = "a range such as `i in -1..1`";

template <> inline constexpr const char* expected<token<axis_name>> = "the name of an axis";
template <> inline constexpr const char* expected<token<field_axis>> = "the name of an axis";
template <> inline constexpr const char* expected<token<declared_type>> = "a type";
template <> inline constexpr const char* expected<token<compute_type>> = "a type";
template <> inline constexpr const char* expected<param_decl> = "the name of the parameter";
template <> inline constexpr const char* expected<const_decl> = "the name of the constant";
template <> inline constexpr const char* expected<field_decl> = "the name of the field";
template <> inline constexpr const char* expected<token<let_name>> = "a name";
template <> inline constexpr const char* expected<token<stencil_name>> = "the name of the stencil";
template <> inline constexpr const char* expected<token<function_name>> = "the name of the function";
template <> inline constexpr const char* expected<function_params> = "`(`";
template <> inline constexpr const char* expected<token<function_param>> = "the name of an argument";

template <> inline constexpr const char* advice<param_decl> = "the type comes first, as in `param f32 a = 1;`";
template <> inline constexpr const char* advice<const_decl> = "the type comes first, as in `const f32 a = 1;`";
template <> inline constexpr const char* advice<field_decl> = "the type comes first, as in `field f32 u;`";

template <> inline constexpr const char* expected<weights_decl> = "the name of the weights";
template <> inline constexpr const char* expected<extents> = "`[`";
template <> inline constexpr const char* advice<extents> = "weights have a range for each index, as in `weights w[-1..1];`";

template <> inline constexpr const char* expected<boundary_choice> = "the kind of boundary";
template <> inline constexpr const char* advice<boundary_choice> = "a boundary is written `boundary clamp` or `boundary constant 0`";
template <> inline constexpr const char* expected<kind_choice> = "the kind of boundary";
template <> inline constexpr const char* advice<kind_choice> = "a side is written `x: periodic;` or `x.lo: clamp;`";
template <> inline constexpr const char* expected<token<bounded_name>> = "the name of a field";
template <> inline constexpr const char* advice<token<bounded_name>> = "the field comes first, as in `boundary u clamp;`";
template <> inline constexpr const char* expected<side> = "the name of an axis";
template <> inline constexpr const char* advice<side> = "a side is written `x: periodic;` or `x.lo: clamp;`";
template <> inline constexpr const char* expected<token<side_end>> = "`lo` or `hi`";
template <> inline constexpr const char* expected<side_colon> = "`:`";
template <> inline constexpr const char* advice<side_colon> = "a side is written `x: periodic;` or `x.lo: clamp;`";
template <> inline constexpr const char* expected<sides_close> = "`;` or `}`";

template <> inline constexpr const char* expected<points_decl> = "the name of a list of points";
template <> inline constexpr const char* expected<series_decl> = "the name of the series";
template <> inline constexpr const char* advice<series_decl> = "the type comes first, as in `series f32 amp(src);`";
template <> inline constexpr const char* expected<series_open> = "`(`";
template <> inline constexpr const char* advice<series_open> = "a series belongs to a list of points, as in `series f32 amp(src);`";
template <> inline constexpr const char* expected<token<series_points>> = "the name of a list of points";

template <> inline constexpr const char* expected<value> = "an expression";
template <> inline constexpr const char* expected<condition> = "a condition such as `x >= 1`";
template <> inline constexpr const char* expected<mask> = "a condition";
template <> inline constexpr const char* expected<target> = "the name of what is assigned";
template <> inline constexpr const char* expected<inject_assignment> = "`+=` or `-=`";
template <> inline constexpr const char* advice<inject_assignment> = "a source is added to a field, as in `inject u[t+1] += amp[t] at src;`";
template <> inline constexpr const char* expected<inject_place> = "`at`";
template <> inline constexpr const char* advice<inject_place> = "say where, as in `inject u[t+1] += amp[t] at src;`";
template <> inline constexpr const char* expected<sample_assignment> = "`=`";
template <> inline constexpr const char* advice<sample_assignment> = "a series takes the values, as in `sample trace[t] = u at rec;`";
template <> inline constexpr const char* expected<sample_place> = "`at`";
template <> inline constexpr const char* advice<sample_place> = "say where, as in `sample trace[t] = u at rec;`";
template <> inline constexpr const char* expected<token<place>> = "the name of a list of points";
template <> inline constexpr const char* advice<token<place>> = "the places are given at run time, to a list such as `points src;`";

template <> inline constexpr const char* expected<token<reduce_name>> = "the name of the reduction";
template <> inline constexpr const char* expected<reduce_equals> = "`=`";
template <> inline constexpr const char* advice<reduce_equals> = "the result has a name, as in `reduce r = sum(u);`";
template <> inline constexpr const char* expected<reduce_call> = "the kind of reduction";
template <> inline constexpr const char* advice<reduce_call> = "the kinds are sum, prod, min, max and norm2, as in `reduce r = sum(u);`";
template <> inline constexpr const char* expected<reduce_open> = "`(`";
template <> inline constexpr const char* advice<reduce_open> = "a reduction is one call, as in `reduce r = sum(u);`";

template <> inline constexpr const char* expected<times> = "a number of steps or `until`";
template <> inline constexpr const char* expected<token<times_word>> = "`times`";
template <> inline constexpr const char* advice<token<times_word>> = "write `iterate 100 times;` or `iterate until r < tol, limit 1000;`";
template <> inline constexpr const char* expected<until_condition> = "a condition";
template <> inline constexpr const char* expected<iterate_clause> = "`check every` or `limit`";
template <> inline constexpr const char* expected<limit_clause> = "`limit`";
template <> inline constexpr const char* expected<token<every_word>> = "`every`";
template <> inline constexpr const char* advice<token<every_word>> = "as in `check every 10`";
template <> inline constexpr const char* expected<check_count> = "a number of steps";
template <> inline constexpr const char* expected<limit_count> = "a number of steps";

template <> inline constexpr const char* expected<token<color_name>> = "the name of a colour";
template <> inline constexpr const char* expected<token<by_word>> = "`by`";
template <> inline constexpr const char* advice<token<by_word>> = "as in `color red, black by (x+y) % 2;`";

template <> inline constexpr const char* expected<token<schedule_target>> = "an architecture such as `sm_90`, or `cpu`";
template <> inline constexpr const char* expected<parts> = "`{`";
template <> inline constexpr const char* advice<parts> = "as in `schedule { coarsened, threads = 32x8 }` or `schedule for sm_90 { ... }`";
template <> inline constexpr const char* expected<part> = "a part of a schedule";
template <> inline constexpr const char* advice<part> = "as in `schedule { coarsened, threads = 32x8 }`";
template <> inline constexpr const char* expected<token<part_value>> = "a word or a number";
template <> inline constexpr const char* advice<token<part_value>> = "as in `threads = 32x8` or `coarsen = y4`";
template <> inline constexpr const char* expected<token<part_more>> = "the name of a value";
template <> inline constexpr const char* advice<token<part_more>> = "as in `global = gx + gy`";
template <> inline constexpr const char* expected<shape_part> = "a part of the shape of a launch";
template <> inline constexpr const char* advice<shape_part> = "as in `launch = u(naive, threads = 32x4)`";
template <> inline constexpr const char* expected<shape_close> = "`,` or `)`";
template <> inline constexpr const char* expected<parts_close> = "`,` or `}`";

template <> inline constexpr const char* expected<token<quoted_path>> = "the name of a file in quotes";
template <> inline constexpr const char* advice<token<quoted_path>> = "as in `use \"file.stn\";`";
// clang-format on

}  // namespace stencilc::grammar
