// Reads of t+1: what a statement may know of the step in work, and the order of the updates.
#pragma once

#include "sema/scope.h"

namespace stencilc::sema {

// May the statement, which comes after `before` of the same field, read what it reads of t+1 of the
// field itself? Reports where not.
bool check_own_reads(const ir::Case& one, const ir::Update& before, const ast::Update& update,
                     const Scope& scope, diag::Engine& engine);

// Puts the updates into an order in which each reads t+1 only of those before it; where they are
// free, that of the text. Reports a cycle, and reads of outputs that are not whole.
void order_updates(Scope& scope, diag::Engine& engine);

// Where a read, a series or a reduction stands in the text.
ast::Range site_of(const ir::ExprPtr& node, const ast::Range& otherwise, const Scope& scope);

}  // namespace stencilc::sema
