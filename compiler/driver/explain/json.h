// What --explain=json says.
#pragma once

#include <string>
#include <vector>

#include "driver/explain/explanation.h"

namespace stencilc::driver {

// Of one stencil an object, of several a list; docs/cli.md says what it holds.
std::string json_of(const std::vector<Explanation>& stencils);

}  // namespace stencilc::driver
