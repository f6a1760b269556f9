// The arguments of one kernel.
#pragma once

#include "kernel/module.h"
#include "lower/context/context.h"

namespace stencilc::lower {

// Every buffer and scalar the kernel may use, with where the host finds it: what it writes comes
// first.
void add_arguments(const Context& context, const kernel::Module& module, kernel::Launch& launch);

// The buffer of a level of a field among those that rotate, before the step; 1 is t+1.
int slot_of(const Context& context, int field, int level);

}  // namespace stencilc::lower
