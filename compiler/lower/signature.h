// The arguments of a stencil: the names users see, and what the host passes.
#pragma once

#include "kernel/module.h"
#include "lower/cell/cell.h"
#include "plan/search/plan.h"

namespace stencilc::lower {

// Claims the names users see first, so that they keep the spelling of the .stn wherever C++ allows
// it, and fills the module's arguments.
Signature claim_signature(const ir::Stencil& stencil, const plan::Plan& plan,
                          kernel::Module& module);

// `iterate`: the condition as an expression of the host's variables.
void lower_iterate(const ir::Stencil& stencil, const Signature& signature, kernel::Module& module);

}  // namespace stencilc::lower
