// Dead code: variables and arrays that nothing reads, and what was only computed for them.
#pragma once

#include "kernel/module.h"

namespace stencilc::passes {

void drop_dead_code(kernel::Module& module);

// The statements without them.
kernel::Body without_dead_code(kernel::Body body);

}  // namespace stencilc::passes
