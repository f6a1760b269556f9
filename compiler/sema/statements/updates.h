// Resolves updates: `u[t+1] = e on x >= 1 where m;`, `dst = e;`, `u[t+1] += e;`.
#pragma once

#include "sema/expressions/expressions.h"

namespace stencilc::sema {

// Adds the statement to the update of its field.
void analyse_update(const ast::Update& update, Scope& scope, Expressions& expressions,
                    diag::Engine& engine);

// The value in the type that the field has in memory; null after an error.
ir::ExprPtr assigned_value(const ast::ExprPtr& value, const ir::Field& field,
                           Expressions& expressions);

}  // namespace stencilc::sema
