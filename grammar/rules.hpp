// The grammar of .stn files as PEGTL rules. stencil.peg says the same for people; messages.hpp
// holds what is said when a rule behind `must` does not match, compiler/parse/actions.hpp what is
// done when one matches.
//
// A token eats the blanks and comments behind it. An alternative is chosen by its first token, and
// everything behind that token is a `must`: no action ever runs on text that is read again.
#pragma once

#include <tao/pegtl.hpp>

namespace stencilc::grammar {

namespace p = tao::pegtl;

// ---- between tokens ----

struct blank : p::one<' ', '\t', '\r', '\n', '\v', '\f'> {};
struct line_comment : p::seq<p::sor<p::one<'#'>, p::two<'/'>>, p::until<p::eolf>> {};
struct block_comment : p::seq<p::string<'/', '*'>, p::until<p::string<'*', '/'>>> {};
struct skip : p::star<p::sor<blank, line_comment, block_comment>> {};

template <typename Rule>
struct token : p::seq<Rule, skip> {};

// ---- words ----

template <typename Text>
struct word : p::seq<Text, p::not_at<p::identifier_other>> {};

struct axes_word : word<TAO_PEGTL_STRING("axes")> {};
struct boundary_word : word<TAO_PEGTL_STRING("boundary")> {};
struct compute_word : word<TAO_PEGTL_STRING("compute")> {};
struct const_word : word<TAO_PEGTL_STRING("const")> {};
struct field_word : word<TAO_PEGTL_STRING("field")> {};
struct fn_word : word<TAO_PEGTL_STRING("fn")> {};
struct in_word : word<TAO_PEGTL_STRING("in")> {};
struct let_word : word<TAO_PEGTL_STRING("let")> {};
struct on_word : word<TAO_PEGTL_STRING("on")> {};
struct param_word : word<TAO_PEGTL_STRING("param")> {};
struct stencil_word : word<TAO_PEGTL_STRING("stencil")> {};
struct true_word : word<TAO_PEGTL_STRING("true")> {};
struct false_word : word<TAO_PEGTL_STRING("false")> {};
struct where_word : word<TAO_PEGTL_STRING("where")> {};

// Statements of a later version of the language; the action refuses them.
struct later_word
    : p::sor<word<TAO_PEGTL_STRING("reduce")>, word<TAO_PEGTL_STRING("iterate")>,
             word<TAO_PEGTL_STRING("color")>, word<TAO_PEGTL_STRING("schedule")>,
             word<TAO_PEGTL_STRING("inject")>, word<TAO_PEGTL_STRING("sample")>,
             word<TAO_PEGTL_STRING("use")>, word<TAO_PEGTL_STRING("weights")>, boundary_word> {};
// Clauses of a later version behind an update or a field.
struct later_clause : p::sor<on_word, where_word, compute_word> {};

struct reserved : p::sor<stencil_word, axes_word, param_word, const_word, field_word, let_word,
                         fn_word, in_word, true_word, false_word, later_clause, later_word> {};
struct identifier : p::seq<p::not_at<reserved>, p::identifier> {};

// ---- punctuation ----

struct comma : token<p::one<','>> {};
struct colon : token<p::one<':'>> {};
struct question : token<p::one<'?'>> {};
struct dots : token<p::string<'.', '.'>> {};
struct equals : token<p::seq<p::one<'='>, p::not_at<p::one<'='>>>> {};
struct semicolon : token<p::one<';'>> {};
struct stencil_open : token<p::one<'{'>> {};
struct stencil_close : token<p::one<'}'>> {};
struct open_parenthesis : p::one<'('> {};
struct open_bracket : p::one<'['> {};
struct open_brace : p::one<'{'> {};
struct close_parenthesis : p::one<')'> {};
struct close_bracket : p::one<']'> {};
struct close_brace : p::one<'}'> {};

template <typename Rule>
struct several : p::seq<p::must<Rule>, p::star<comma, p::must<Rule>>> {};

// ---- expressions ----
// A chain is flat here, operand operator operand ...; the strengths of the operators are applied
// when it is reduced (compiler/parse/expressions.h), so that a chain of any length needs no stack.

struct expression;

struct exponent : p::seq<p::one<'e', 'E'>, p::opt<p::one<'+', '-'>>, p::plus<p::digit>> {};
struct fraction : p::seq<p::one<'.'>, p::not_at<p::one<'.'>>, p::star<p::digit>> {};
struct whole_number : p::seq<p::plus<p::digit>, p::opt<fraction>> {};
struct point_number : p::seq<p::one<'.'>, p::plus<p::digit>> {};
// What sticks to a number (0.5f, 0x10) is taken in and refused as a whole.
struct number
    : p::seq<p::sor<whole_number, point_number>, p::opt<exponent>, p::star<p::identifier_other>> {};
struct boolean : p::sor<true_word, false_word> {};

struct parenthesised : p::if_must<token<open_parenthesis>, expression, token<close_parenthesis>> {};

struct call_open : open_parenthesis {};
struct window_kind : p::sor<word<TAO_PEGTL_STRING("sum")>, word<TAO_PEGTL_STRING("prod")>,
                            word<TAO_PEGTL_STRING("min")>, word<TAO_PEGTL_STRING("max")>> {};
struct window_ahead : p::at<token<window_kind>, token<p::one<'('>>, token<identifier>, in_word> {};
struct window_variable : identifier {};
struct window_range
    : p::seq<token<window_variable>, p::must<token<in_word>, expression, dots, expression>> {};
struct window : p::seq<window_ahead, token<window_kind>, token<call_open>, several<window_range>,
                       p::must<colon, expression, token<close_parenthesis>>> {};

struct argument_ahead : p::at<token<identifier>, equals> {};
struct argument_name : identifier {};
struct named_argument : p::seq<argument_ahead, token<argument_name>, equals, p::must<expression>> {
};
struct argument : p::sor<named_argument, expression> {};
struct call_close : token<close_parenthesis> {};
struct call
    : p::seq<token<call_open>, p::sor<call_close, p::seq<several<argument>, p::must<call_close>>>> {
};
struct index_open : open_bracket {};
struct index : p::seq<token<index_open>, several<expression>, p::must<token<close_bracket>>> {};
struct bare_name : p::success {};
struct reference_name : identifier {};
struct reference : p::seq<token<reference_name>, p::sor<index, call, bare_name>> {};

struct primary : p::sor<token<number>, token<boolean>, parenthesised, window, reference> {};
struct prefix : p::one<'-', '!', '+'> {};
struct operand : p::sor<p::seq<p::plus<token<prefix>>, p::must<primary>>, primary> {};

struct assigning : p::one<'='> {};
struct infix : p::sor<p::two<'|'>, p::two<'&'>, p::string<'=', '='>, p::string<'!', '='>,
                      p::string<'<', '='>, p::string<'>', '='>, p::one<'<', '>', '^', '%'>,
                      p::seq<p::one<'+', '-', '*', '/'>, p::not_at<assigning>>> {};
struct chain_begin : p::success {};
struct chain : p::seq<chain_begin, operand, p::star<token<infix>, p::must<operand>>> {};
struct choice : p::if_must<question, expression, colon, expression> {};
struct expression : p::seq<chain, p::opt<choice>> {};

// ---- statements ----

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

struct const_name : declared_name {};
struct extent : p::seq<expression, p::must<dots, expression>> {};
struct extents : p::seq<token<open_bracket>, several<extent>, p::must<token<close_bracket>>> {};
struct divisor : p::if_must<token<p::one<'/'>>, expression> {};
struct weight_list
    : p::seq<token<open_brace>, several<expression>, p::must<token<close_brace>>, p::opt<divisor>> {
};
struct const_value : p::sor<weight_list, expression> {};
struct const_decl : p::seq<token<const_name>, p::opt<extents>, p::must<equals, const_value>> {};
struct consts : p::seq<typed<const_word>, several<const_decl>, p::must<semicolon>> {};

struct field_name : declared_name {};
struct field_axis : identifier {};
struct field_axes : p::seq<token<open_parenthesis>, several<token<field_axis>>,
                           p::must<token<close_parenthesis>>> {};
struct field_role : p::sor<in_word, identifier> {};
// `field f32 u` without its `;` must not take the next statement for a role.
struct role_ahead : p::at<token<field_role>, p::not_at<p::one<'[', '=', '+', '-'>>> {};
struct field_decl
    : p::seq<token<field_name>, p::opt<field_axes>, p::opt<role_ahead, token<field_role>>> {};
struct sides_open : p::one<'{'> {};  // boundary { x: periodic; ... }: of a later version
struct boundary_kind : identifier {};
struct valued_kind : p::sor<word<TAO_PEGTL_STRING("constant")>, word<TAO_PEGTL_STRING("expr")>,
                            word<TAO_PEGTL_STRING("neumann")>> {};
// `boundary clamp` without its `;` must not take the next statement for its value.
struct plain_kind_ahead : p::at<token<p::seq<p::not_at<valued_kind>, boundary_kind>>,
                                p::sor<p::identifier_first, p::one<';', '}', ','>, p::eof>> {};
struct boundary_value : p::seq<p::not_at<p::one<';', '}', ','>>, expression> {};
struct boundary_choice : p::sor<sides_open, p::seq<plain_kind_ahead, token<boundary_kind>>,
                                p::seq<token<boundary_kind>, p::opt<boundary_value>>> {};
struct boundary : p::if_must<token<boundary_word>, boundary_choice> {};
struct fields : p::seq<typed<field_word>, several<field_decl>, p::opt<later_clause>,
                       p::opt<boundary>, p::must<semicolon>> {};

struct let_name : declared_name {};
struct let : p::if_must<token<let_word>, token<let_name>, equals, expression, semicolon> {};

struct function_name : declared_name {};
struct function_param : identifier {};
struct function_params_open : open_parenthesis {};
struct function_params : p::seq<token<function_params_open>, several<token<function_param>>,
                                p::must<token<close_parenthesis>>> {};
struct function : p::if_must<token<fn_word>, token<function_name>, function_params, equals,
                             expression, semicolon> {};

struct later_assignment : p::seq<p::one<'+', '-', '*', '/'>, assigning> {};
struct target_name : identifier {};
struct target_end : p::success {};
struct assignment : p::sor<later_assignment, equals> {};
struct update : p::seq<token<target_name>, p::opt<index>, target_end,
                       p::must<assignment, expression>, p::opt<later_clause>, p::must<semicolon>> {
};

struct item : p::sor<axes, params, consts, fields, let, function, later_word, update> {};

// ---- files ----

struct stencil_name : declared_name {};
struct stencil_end : p::sor<p::one<'}'>, stencil_word, p::eof> {};
struct stencil : p::seq<p::if_must<token<stencil_word>, token<stencil_name>, stencil_open>,
                        p::star<p::not_at<stencil_end>, item>, stencil_close> {};
struct file_function : function {};
struct file_item : p::sor<stencil, file_function, later_word> {};
struct byte_order_mark : p::string<'\xEF', '\xBB', '\xBF'> {};
struct file : p::seq<p::opt<byte_order_mark>, skip, p::star<p::not_at<p::eof>, file_item>> {};

}  // namespace stencilc::grammar
