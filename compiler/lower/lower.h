// From stencils to kernels: the only room that knows both.
#pragma once

#include "ir/ir.h"
#include "kernel/module.h"
#include "plan/search/plan.h"

namespace stencilc::lower {

// The kernels of a stencil and the shape of its run call. The stencil is canonical; the plan is its
// own.
kernel::Module lower(const ir::Stencil& stencil, const plan::Plan& plan);

}  // namespace stencilc::lower
