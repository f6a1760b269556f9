// From stencils to kernels: the only room that knows both.
#pragma once

#include "ir/ir.h"
#include "kernel/module.h"
#include "plan/schedule/schedule.h"

namespace stencilc::lower {

// The kernel of one step and the shape of its run call. The stencil is canonical; the schedule is
// legal for it.
kernel::Module lower(const ir::Stencil& stencil, const plan::Schedule& schedule,
                     plan::Target target);

}  // namespace stencilc::lower
