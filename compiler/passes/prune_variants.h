// Variants: flags of interior and edge variants that a body does not ask for, and variants that do
// not differ from others without them.
#pragma once

#include "kernel/module.h"

namespace stencilc::passes {

void prune_variants(kernel::Module& module);

}  // namespace stencilc::passes
