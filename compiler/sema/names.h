// Names and types of declarations.
#pragma once

#include <optional>

#include "sema/scope.h"

namespace stencilc::sema {

constexpr size_t kMostOfAKind = 256;  // lists of points, series, reductions, ...
constexpr size_t kMostParams = 4096;  // a kernel takes no more
constexpr int kAdvised = 100;         // after so many errors a name is not compared with all others

// Are there as many as there may be? Said once of each kind.
bool is_full(size_t count, const std::string& kind, const ast::Ident& next, Scope& scope,
             diag::Engine& engine, size_t most = kMostOfAKind);

// Enters a name; reports a second declaration and names the language needs itself.
bool enter(const ast::Ident& ident, Symbol::Kind kind, size_t index, Scope& scope,
           diag::Engine& engine);

// Nothing, after a report, where there is no such type.
std::optional<ir::Type> resolve_type(const ast::Ident& type, diag::Engine& engine);

// The symbol of this kind that a statement names; null after a report. `what` completes "`u` is
// not ...".
Symbol* find_declared(const ast::Ident& ident, Symbol::Kind kind, const std::string& what,
                      Scope& scope, diag::Engine& engine);

}  // namespace stencilc::sema
