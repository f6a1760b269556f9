// Tokens and expressions of .stn files as PEGTL rules; rules.hpp builds the statements of them.
//
// A token eats the blanks and comments after it. An alternative is chosen by its first token, and
// everything after that token is a `must`: no action ever runs on text that is read again.
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
struct color_word : word<TAO_PEGTL_STRING("color")> {};
struct compute_word : word<TAO_PEGTL_STRING("compute")> {};
struct const_word : word<TAO_PEGTL_STRING("const")> {};
struct field_word : word<TAO_PEGTL_STRING("field")> {};
struct fn_word : word<TAO_PEGTL_STRING("fn")> {};
struct in_word : word<TAO_PEGTL_STRING("in")> {};
struct inject_word : word<TAO_PEGTL_STRING("inject")> {};
struct iterate_word : word<TAO_PEGTL_STRING("iterate")> {};
struct let_word : word<TAO_PEGTL_STRING("let")> {};
struct on_word : word<TAO_PEGTL_STRING("on")> {};
struct param_word : word<TAO_PEGTL_STRING("param")> {};
struct points_word : word<TAO_PEGTL_STRING("points")> {};
struct reduce_word : word<TAO_PEGTL_STRING("reduce")> {};
struct sample_word : word<TAO_PEGTL_STRING("sample")> {};
struct schedule_word : word<TAO_PEGTL_STRING("schedule")> {};
struct series_word : word<TAO_PEGTL_STRING("series")> {};
struct stencil_word : word<TAO_PEGTL_STRING("stencil")> {};
struct use_word : word<TAO_PEGTL_STRING("use")> {};
struct weights_word : word<TAO_PEGTL_STRING("weights")> {};
struct where_word : word<TAO_PEGTL_STRING("where")> {};
struct true_word : word<TAO_PEGTL_STRING("true")> {};
struct false_word : word<TAO_PEGTL_STRING("false")> {};

struct reserved : p::sor<axes_word, boundary_word, color_word, compute_word, const_word, field_word,
                         fn_word, in_word, inject_word, iterate_word, let_word, on_word, param_word,
                         points_word, reduce_word, sample_word, schedule_word, series_word,
                         stencil_word, use_word, weights_word, where_word, true_word, false_word> {
};
struct identifier : p::seq<p::not_at<reserved>, p::identifier> {};

// These mean something in their place only; elsewhere they are names like others.
struct at_word : word<TAO_PEGTL_STRING("at")> {};
struct by_word : word<TAO_PEGTL_STRING("by")> {};
struct check_word : word<TAO_PEGTL_STRING("check")> {};
struct every_word : word<TAO_PEGTL_STRING("every")> {};
struct for_word : word<TAO_PEGTL_STRING("for")> {};
struct limit_word : word<TAO_PEGTL_STRING("limit")> {};
struct linear_word : word<TAO_PEGTL_STRING("linear")> {};
struct times_word : word<TAO_PEGTL_STRING("times")> {};
struct until_word : word<TAO_PEGTL_STRING("until")> {};

// ---- punctuation ----

struct comma : token<p::one<','>> {};
struct colon : token<p::one<':'>> {};
struct question : token<p::one<'?'>> {};
struct dots : token<p::string<'.', '.'>> {};
struct plus_sign : token<p::one<'+'>> {};
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

}  // namespace stencilc::grammar
