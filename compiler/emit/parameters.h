// What a kernel is given.
#pragma once

#include <string>
#include <vector>

#include "emit/emit.h"

namespace stencilc::emit {

// Declarations of its parameters, but for its partition of the grid.
std::vector<std::string> parameters(const kernel::Kernel& kernel, Dialect dialect);
// The type of that: warps share out rows, blocks columns.
std::string partition_type(const kernel::Kernel& kernel);

}  // namespace stencilc::emit
