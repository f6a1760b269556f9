// Checks reads of t+1 and orders the updates.
#pragma once

#include "sema/symbols/scope.h"

namespace stencilc::sema {

// Checks that the statement, which comes after `before` of the same field, may read t+1 of the
// field itself. Reports if not.
bool check_own_reads(const ir::Case& one, const ir::Update& before, const ast::Update& update,
                     const Scope& scope, diag::Engine& engine);

// Orders the updates so that each reads t+1 only of earlier ones, and keeps the order of the file
// where possible. Reports cycles, and reads of outputs that do not cover all cells.
void order_updates(Scope& scope, diag::Engine& engine);

// The position of a read, a series or a reduction in the file.
ast::Range site_of(const ir::ExprPtr& node, const ast::Range& otherwise, const Scope& scope);

}  // namespace stencilc::sema
