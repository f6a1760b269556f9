// What people meant who wrote something else than the grammar expects.
#pragma once

#include <string_view>

#include "parse/state.h"

namespace stencilc::parse {

// True where `token` begins a clause that the statement being read may have, in the wrong place or
// without its comma: what is wrong is not a missing `;`.
bool is_clause(const State& st, std::string_view token);

// Adds a help line to a diagnostic that says "expected <expected>, found <the token at `at`>".
void add_hints(const State& st, std::string_view expected, uint32_t at,
               diag::Diagnostic& diagnostic);

}  // namespace stencilc::parse
