// Enters the names of declarations and resolves types.
#pragma once

#include <optional>

#include "sema/symbols/scope.h"

namespace stencilc::sema {

constexpr size_t kMostOfAKind = 256;  // lists of points, series, reductions, ...
constexpr size_t kMostParams = 4096;  // the limit of kernel arguments
constexpr int kAdvised =
    100;  // after this many errors a name is no longer compared with all others

// Whether there are already as many as allowed. Reported once for each kind.
bool is_full(size_t count, const std::string& kind, const ast::Ident& next, Scope& scope,
             diag::Engine& engine, size_t most = kMostOfAKind);

// Enters a name. Reports a second declaration and names that the language reserves.
bool enter(const ast::Ident& ident, Symbol::Kind kind, size_t index, Scope& scope,
           diag::Engine& engine);

// Nothing, after an error, if there is no such type.
std::optional<ir::Type> resolve_type(const ast::Ident& type, diag::Engine& engine);

// Reports a name that is used before its declaration; false if it has none.
bool report_below(const ast::Ident& ident, const Scope& scope, diag::Engine& engine);

// The symbol of this kind that a statement names; null after an error. `what` completes "`u` is not
// ...".
Symbol* find_declared(const ast::Ident& ident, Symbol::Kind kind, const std::string& what,
                      Scope& scope, diag::Engine& engine);

}  // namespace stencilc::sema
