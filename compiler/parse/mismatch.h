// What is said when the text does not match the grammar.
#pragma once

#include <string>

#include "parse/state.h"

namespace stencilc::parse {

// "expected `;`, found `u`", with hints for well-known slips and the bracket that is still open.
Failure mismatch(const State& st, uint32_t at, std::string expected);

// No `=` behind the name of what looks like an update: often a misspelled keyword.
Failure no_assignment(const State& st, uint32_t at);

// No statement of a stencil begins here.
Failure no_item(const State& st, uint32_t at);

// Nothing that stands at file scope begins here.
Failure no_file_item(const State& st, uint32_t at);

// The string that is read at `at` is empty, or has no closing quote on its line.
Failure bad_string(const State& st, uint32_t at);

// Reports a missing `;` where the next line begins a statement or the stencil ends, and returns
// true; elsewhere false.
bool report_missing_semicolon(State& st, uint32_t at);

// The stencil being read is not closed where the next one begins or the text ends.
void report_missing_brace(State& st, uint32_t at);

}  // namespace stencilc::parse
