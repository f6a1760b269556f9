// What the host calls a kernel with.
#pragma once

#include <string>
#include <vector>

#include "kernel/module.h"

namespace stencilc::emit {

// u[1], u[0], c, dt, nx, ny, pitch
std::vector<std::string> call_arguments(const kernel::Module& module, const kernel::Launch& launch);

// The shape of the grid, and all buffers that wide accesses move cells of.
std::vector<std::string> aligned_items(const kernel::Module& module);

}  // namespace stencilc::emit
