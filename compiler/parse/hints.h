// Adds hints about what was probably meant where the text does not match the grammar.
#pragma once

#include <string_view>

#include "parse/state.h"

namespace stencilc::parse {

// Whether `token` starts a clause that the statement can have, but in the wrong place or without
// its comma. Then the error is not a missing `;`.
bool is_clause(const State& st, std::string_view token);

// Adds a help line to a diagnostic of the form "expected <expected>, found <the token at `at`>".
void add_hints(const State& st, std::string_view expected, uint32_t at,
               diag::Diagnostic& diagnostic);

}  // namespace stencilc::parse
