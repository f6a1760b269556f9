// The codes of all diagnostics. Each has one row in a table, codes_*.cpp by subject: name,
// severity, explanation, a failing and a fixed example. `stencilc --explain STN0201` and
// docs/diagnostics.md are made from that table.
#pragma once

#include <span>
#include <string_view>

#include "diag/diagnostic.h"

namespace stencilc::diag {

// 01xx: text and syntax
inline constexpr Code syntax{101};         // anything that the grammar did not expect
inline constexpr Code bad_character{102};  // binary junk, NUL, invalid UTF-8, a stray byte
inline constexpr Code unterminated_comment{103};
inline constexpr Code empty_file{104};  // no stencil in the file
inline constexpr Code bad_number{105};  // 1e999, 99999999999999999999
inline constexpr Code unbalanced{106};  // a missing brace, bracket or parenthesis
// 02xx: names and declarations
inline constexpr Code unknown_name{201};
inline constexpr Code duplicate_name{202};
inline constexpr Code reserved_name{203};  // an axis called `t`, a field called `nx`, a C++ keyword
inline constexpr Code bad_axes{204};       // none, more than three, declared twice or late
inline constexpr Code wrong_arity{205};    // calls, windows, weight indices
inline constexpr Code not_a_function{206};
inline constexpr Code not_assignable{207};     // assigning a param, let, readonly field
inline constexpr Code double_assignment{208};  // two samples into one series
inline constexpr Code no_update{209};          // a stencil that computes nothing
inline constexpr Code bad_role{210};
inline constexpr Code unknown_type{211};
inline constexpr Code unknown_boundary{212};
inline constexpr Code recursive_function{213};
inline constexpr Code bad_define{214};     // -D of a name that is not a param
inline constexpr Code bad_reduction{215};  // read where it has no value, norm2 of integers
inline constexpr Code bad_iterate{216};    // twice, without a limit, until without a reduction
inline constexpr Code bad_points{217};     // series, inject and sample that do not fit each other
// 03xx: types and values
inline constexpr Code type_clash{301};
inline constexpr Code narrowing{302};     // an f32 value into a u8 field without a cast
inline constexpr Code not_constant{303};  // const initialisers, window bounds, exponents, orders
inline constexpr Code integer_division{304};  // `/` on integers: write idiv
inline constexpr Code literal_range{305};     // 300 for a u8
inline constexpr Code weight_count{306};  // braces with more or fewer values than the ranges have
inline constexpr Code weight_index{307};  // w[i,j] outside its ranges
inline constexpr Code division_by_zero{308};  // by a literal or constant 0
inline constexpr Code bad_order{309};         // laplacian(order = 3)
inline constexpr Code bad_difference{310};    // dx(u, at = 1/3), dxy(u, side = 1)
// 04xx: offsets, time, boundaries
inline constexpr Code offset_not_constant{401};
inline constexpr Code offset_wrong_axis{402};  // u[y+1] on a field without y, the same axis twice
inline constexpr Code time_index{403};         // u[t+2], u[t-1] of a field that no update steps
inline constexpr Code missing_boundary{404};   // a read of neighbours without a boundary
inline constexpr Code cycle{405};
inline constexpr Code boundary_unusable{406};  // `fixed` on a readonly field, `constant` alone
inline constexpr Code radius_limit{407};       // above 64
inline constexpr Code bad_domain{408};         // a condition of `on` that does not compare an axis
inline constexpr Code bad_colors{409};         // not linear % M, a colour that reads itself
// 05xx: language features of a later version
inline constexpr Code not_in_this_version{501};
// 06xx: schedules and targets
inline constexpr Code bad_schedule{601};
inline constexpr Code bad_arch{602};
inline constexpr Code bad_choice{603};  // of a stencil, among several
inline constexpr Code bad_tuning{604};  // a tune file with other contents
inline constexpr Code one_piece{605};   // a grid that cannot be cut into pieces
// 07xx: files, runs, tools
inline constexpr Code cannot_read{701};
inline constexpr Code cannot_write{702};
inline constexpr Code bad_input_data{703};  // an image or array that does not fit the field
inline constexpr Code build_failed{704};    // nvcc or the host compiler
inline constexpr Code tool_missing{705};    // nvcc, LLVM/Clang
inline constexpr Code run_failed{706};
inline constexpr Code check_failed{707};  // emitted code that Clang rejects, or with other results
// 08xx: warnings
inline constexpr Code unused_name{801};
inline constexpr Code boundary_unused{802};    // a boundary that no read reaches
inline constexpr Code unstable{803};           // a step that amplifies waves
inline constexpr Code weight_sum{804};         // weights that sum to 0.999
inline constexpr Code write_only{805};         // updated but never read
inline constexpr Code double_literal{806};     // more digits than f32 holds
inline constexpr Code axis_order{807};         // axes z, y, x: the first is the contiguous one
inline constexpr Code float_equality{808};     // == of rounded numbers
inline constexpr Code self_assignment{809};    // u[t+1] = u
inline constexpr Code separable_weights{810};  // weights that are a product of smaller tables
inline constexpr Code unused_tuning{811};  // a tune file that is out of date, or for another device
inline constexpr Code late_widening{812};  // a product of f32 that becomes f64
inline constexpr Code not_finite{813};     // cells of a run that are NaN or infinite
// 09xx: limits (exit code 4)
inline constexpr Code nesting_limit{901};
inline constexpr Code size_limit{902};    // file, reads, fields, emitted code
inline constexpr Code memory_limit{903};  // a run that does not fit into memory

// A row of the table.
struct Row {
  Code code;
  std::string_view name;  // "unknown-name": -Wno-NAME, -Werror=NAME
  Severity severity;
  std::string_view explanation;  // a paragraph or two: what it means and what to do
  std::string_view failing;      // a whole .stn text that causes it, or "" if no text can
  std::string_view mended;       // the same text, fixed
  bool opt_in = false;           // a warning that is off unless `-Wname` or `-Wall` is given
};

std::span<const Row> table();
const Row& row(Code code);                 // asserts that it exists
const Row* find_row(std::string_view id);  // "STN0201" or "unknown-name"; null if there is none
std::string id(Code code);                 // "STN0201"

}  // namespace stencilc::diag
