// Writes the message for a text that does not match the grammar.
#pragma once

#include <string>

#include "parse/state.h"

namespace stencilc::parse {

// "expected `;`, found `u`", with hints for common mistakes and the bracket that is still open.
Failure mismatch(const State& st, uint32_t at, std::string expected);

// There is no `=` after the name of what looks like an update: often a misspelled keyword.
Failure no_assignment(const State& st, uint32_t at);

// No statement of a stencil starts here.
Failure no_item(const State& st, uint32_t at);

// Nothing that is allowed outside of stencils starts here.
Failure no_file_item(const State& st, uint32_t at);

// The string at `at` is empty, or has no closing quote on its line.
Failure bad_string(const State& st, uint32_t at);

// Reports a missing `;` if the next line starts a statement or the stencil ends, and returns true;
// otherwise false.
bool report_missing_semicolon(State& st, uint32_t at);

// Reports that the stencil is not closed where the next one starts or the text ends.
void report_missing_brace(State& st, uint32_t at);

}  // namespace stencilc::parse
