// The grammar of .stn files as PEGTL rules: statements and files here, tokens and expressions in
// expressions.hpp. stencil.peg says the same for people; messages.hpp holds what is said when a
// rule after `must` does not match, compiler/parse what is done when one matches.
#pragma once

#include "grammar/expressions.hpp"

namespace stencilc::grammar {

// ---- declarations ----

struct declared_type : identifier {};
struct declared_name : identifier {};
template <typename Word>
struct typed : p::if_must<token<Word>, token<declared_type>> {};

struct axis_name : identifier {};
struct axes : p::seq<token<axes_word>, several<token<axis_name>>, p::must<semicolon>> {};

struct param_name : declared_name {};
struct param_default : p::if_must<equals, expression> {};
struct param_decl : p::seq<token<param_name>, p::opt<param_default>> {};
struct params : p::seq<typed<param_word>, several<param_decl>, p::must<semicolon>> {};

struct extent : p::seq<expression, p::must<dots, expression>> {};
struct extents : p::seq<token<open_bracket>, several<extent>, p::must<token<close_bracket>>> {};

struct const_name : declared_name {};
struct divisor : p::if_must<token<p::one<'/'>>, expression> {};
struct weight_list
    : p::seq<token<open_brace>, several<expression>, p::must<token<close_brace>>, p::opt<divisor>> {
};
struct const_value : p::sor<weight_list, expression> {};
struct const_decl : p::seq<token<const_name>, p::opt<extents>, p::must<equals, const_value>> {};
struct consts : p::seq<typed<const_word>, several<const_decl>, p::must<semicolon>> {};

struct weights_type_ahead : p::at<token<identifier>, identifier> {};
struct weights_type : p::seq<weights_type_ahead, token<declared_type>> {};
struct weights_name : declared_name {};
struct weights_decl : p::seq<token<weights_name>, p::must<extents>> {};
struct weights
    : p::seq<token<weights_word>, p::opt<weights_type>, several<weights_decl>, p::must<semicolon>> {
};

// ---- targets ----

struct target_name : identifier {};
struct target_end : p::success {};
struct target : p::seq<token<target_name>, p::opt<index>, target_end> {};
struct compound : p::seq<p::one<'+', '-', '*', '/'>, assigning> {};
struct assignment : p::sor<token<compound>, equals> {};

// ---- boundaries ----

struct side_axis : identifier {};
struct side_end : identifier {};
struct side_colon : colon {};
struct side_name_ahead : p::seq<token<identifier>, p::opt<token<p::one<'.'>>, token<identifier>>,
                                colon> {};

// `boundary clamp` without its `;` must not take the next statement or side for its value.
struct boundary_kind : identifier {};
struct boundary_value
    : p::seq<p::not_at<p::sor<p::seq<target, assignment>, side_name_ahead, p::one<';', '}', ','>>>,
             expression> {};
struct kind_choice : p::seq<token<boundary_kind>, p::opt<boundary_value>> {};

struct side : p::seq<token<side_axis>, p::opt<p::if_must<token<p::one<'.'>>, token<side_end>>>,
                     p::must<side_colon, kind_choice>> {};
struct sides_open : p::one<'{'> {};
struct sides_close : token<close_brace> {};
struct next_side : p::sor<p::at<p::one<'}'>>, p::must<side>> {};
struct sides : p::seq<token<sides_open>, p::must<side>, p::star<token<p::one<';'>>, next_side>,
                      p::must<sides_close>> {};
struct whole_boundary : kind_choice {};
// A boundary and the end of its statement: no `;` is needed after the braces.
struct boundary_choice : p::sor<p::seq<sides, p::opt<token<p::one<';'>>>>,
                                p::seq<whole_boundary, p::must<semicolon>>> {};
struct boundary : p::if_must<token<boundary_word>, boundary_choice> {};

struct bounded_name : identifier {};
struct boundaries
    : p::seq<token<boundary_word>, several<token<bounded_name>>, p::must<boundary_choice>> {};

struct field_name : declared_name {};
struct field_axis : identifier {};
struct field_axes : p::seq<token<open_parenthesis>, several<token<field_axis>>,
                           p::must<token<close_parenthesis>>> {};
// A word that begins the next statement is none of this one, although its `;` is missing.
struct no_target : p::not_at<p::one<'[', '=', '+', '-', '*', '/'>> {};
struct field_role : p::sor<in_word, identifier> {};
struct role_ahead : p::at<token<field_role>, no_target> {};
struct field_decl
    : p::seq<token<field_name>, p::opt<field_axes>, p::opt<role_ahead, token<field_role>>> {};
struct compute_type : identifier {};
struct compute : p::if_must<token<compute_word>, token<compute_type>> {};
struct fields : p::seq<typed<field_word>, several<field_decl>, p::opt<compute>,
                       p::sor<boundary, p::must<semicolon>>> {};

// ---- lists of points ----

struct points_name : declared_name {};
struct points_linear : linear_word {};
struct linear_ahead : p::at<token<linear_word>, no_target> {};
struct points_decl : p::seq<token<points_name>, p::opt<linear_ahead, token<points_linear>>> {};
struct points : p::seq<token<points_word>, several<points_decl>, p::must<semicolon>> {};

struct series_name : declared_name {};
struct series_open : token<open_parenthesis> {};
struct series_points : identifier {};
struct series_decl : p::seq<token<series_name>,
                            p::must<series_open, token<series_points>, token<close_parenthesis>>> {
};
struct series : p::seq<typed<series_word>, several<series_decl>, p::must<semicolon>> {};

// ---- let, fn, updates ----

struct let_name : declared_name {};
struct let : p::if_must<token<let_word>, token<let_name>, equals, expression, semicolon> {};

struct function_name : declared_name {};
struct function_param : identifier {};
struct function_params_open : open_parenthesis {};
struct function_params : p::seq<token<function_params_open>, several<token<function_param>>,
                                p::must<token<close_parenthesis>>> {};
struct function : p::if_must<token<fn_word>, token<function_name>, function_params, equals,
                             expression, semicolon> {};

struct condition : expression {};
struct on_clause : p::seq<token<on_word>, several<condition>> {};
struct mask : expression {};
struct where_clause : p::if_must<token<where_word>, mask> {};
struct clauses : p::seq<p::opt<on_clause>, p::opt<where_clause>> {};

struct value : expression {};
struct update : p::seq<target, p::must<assignment, value>, clauses, p::must<semicolon>> {};

struct added_or_taken : p::seq<p::one<'+', '-'>, p::one<'='>> {};
struct inject_assignment : token<added_or_taken> {};
struct sample_assignment : equals {};
struct inject_place : token<at_word> {};
struct sample_place : token<at_word> {};
struct place : identifier {};
struct inject : p::if_must<token<inject_word>, target, inject_assignment, value, inject_place,
                           token<place>, semicolon> {};
struct sample : p::if_must<token<sample_word>, target, sample_assignment, value, sample_place,
                           token<place>, semicolon> {};

// ---- the run ----

struct reduce_name : declared_name {};
struct reduce_equals : equals {};
struct reduce_kind : identifier {};
struct reduce_open : token<open_parenthesis> {};
struct reduce_call
    : p::seq<token<reduce_kind>, p::must<reduce_open, value, token<close_parenthesis>>> {};
struct reduce : p::seq<token<reduce_word>, p::must<token<reduce_name>, reduce_equals, reduce_call>,
                       clauses, p::must<semicolon>> {};

struct until_condition : expression {};
struct check_count : expression {};
struct check_clause : p::if_must<token<check_word>, token<every_word>, check_count> {};
struct limit_count : expression {};
struct limit_clause : p::if_must<token<limit_word>, limit_count> {};
struct iterate_clause
    : p::sor<p::seq<check_clause, p::opt<p::if_must<comma, limit_clause>>>, limit_clause> {};
struct iterate_until : p::seq<p::if_must<token<until_word>, until_condition>,
                              p::opt<p::if_must<comma, iterate_clause>>> {};
struct times : expression {};
struct iterate
    : p::seq<token<iterate_word>, p::sor<iterate_until, p::must<times, token<times_word>>>,
             p::must<semicolon>> {};

struct color_name : declared_name {};
struct color : p::seq<token<color_word>, several<token<color_name>>,
                      p::must<token<by_word>, expression, semicolon>> {};

// ---- schedules ----
// The words of a part, reserved or not, are the planner's: the grammar knows none of them.

struct schedule_target : identifier {};
struct part_name : p::identifier {};
struct part_value : p::plus<p::identifier_other> {};
struct part_more : p::plus<p::identifier_other> {};  // the names of several values: gx + gy
struct part_is : p::seq<equals, p::must<token<part_value>>,
                        p::star<plus_sign, p::must<token<part_more>>>> {};
// The shape of one launch, as in launch = gx(naive, threads = 32x4).
struct shape_open : token<open_parenthesis> {};
struct shape_close : token<close_parenthesis> {};
struct shape_part : p::seq<token<part_name>, p::opt<part_is>> {};
struct shape : p::seq<shape_open, p::must<shape_part>, p::star<comma, p::must<shape_part>>,
                      p::must<shape_close>> {};
struct part : p::seq<token<part_name>, p::opt<part_is, p::opt<shape>>> {};
struct parts_open : p::one<'{'> {};
struct parts_close : token<close_brace> {};
struct next_part : p::sor<p::at<p::one<'}'>>, p::must<part>> {};
struct parts
    : p::seq<token<parts_open>, p::must<part>, p::star<comma, next_part>, p::must<parts_close>> {};
// As after the sides of a boundary, no `;` is needed after the braces.
struct schedule
    : p::seq<token<schedule_word>, p::opt<token<for_word>, several<token<schedule_target>>>,
             p::must<parts>, p::opt<token<p::one<';'>>>> {};

struct item : p::sor<axes, params, consts, weights, fields, boundaries, points, series, let,
                     function, reduce, iterate, color, inject, sample, schedule, update> {};

// ---- files ----

struct stencil_name : declared_name {};
struct stencil_end : p::sor<p::one<'}'>, stencil_word, p::eof> {};
struct stencil : p::seq<p::if_must<token<stencil_word>, token<stencil_name>, stencil_open>,
                        p::star<p::not_at<stencil_end>, item>, stencil_close> {};
struct file_function : function {};
struct file_consts : consts {};
struct quote : p::one<'"'> {};
struct path : p::plus<p::not_one<'"', '\n'>> {};
struct path_end : quote {};
struct quoted_path : p::if_must<quote, path, path_end> {};
struct use : p::if_must<token<use_word>, token<quoted_path>, semicolon> {};
struct file_item : p::sor<stencil, file_function, file_consts, use> {};
struct byte_order_mark : p::string<'\xEF', '\xBB', '\xBF'> {};
struct file : p::seq<p::opt<byte_order_mark>, skip, p::star<p::not_at<p::eof>, file_item>> {};

}  // namespace stencilc::grammar
