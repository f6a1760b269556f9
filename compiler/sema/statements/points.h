// Resolves `inject u[t+1] += amp[t] at src;` and `sample trace[t] = u at rec;`.
#pragma once

#include "sema/expressions/expressions.h"

namespace stencilc::sema {

void analyse_injection(const ast::Inject& inject, Scope& scope, Expressions& expressions,
                       diag::Engine& engine);

void analyse_sample(const ast::Sample& sample, Scope& scope, Expressions& expressions,
                    diag::Engine& engine);

// Checks that each series is either read by injections or written by samples, and used nowhere
// else.
void check_series(const Scope& scope, diag::Engine& engine);

}  // namespace stencilc::sema
