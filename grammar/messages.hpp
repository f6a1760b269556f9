// What to say when a rule behind `must` does not match: "expected <text>, found <token>", and for
// some a help line.
#pragma once

#include "grammar/rules.hpp"

namespace stencilc::grammar {

// null: the rule never stands behind `must`. The parser asserts at compile time that every rule
// behind `must` has a text.
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
template <> inline constexpr const char* expected<boundary_choice> = "the kind of boundary";
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
// clang-format on

}  // namespace stencilc::grammar
