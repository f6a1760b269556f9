// Many libraries at once.
#pragma once

#include <vector>

#include "driver/library.h"

namespace stencilc::driver {

// Builds the bench libraries of these stencils side by side on all cores, in their order.
std::vector<Library> build_all(const std::vector<Compiled>& list, plan::Target target,
                               const std::vector<std::string>& archs);

}  // namespace stencilc::driver
