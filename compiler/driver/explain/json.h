// Prints an explanation as JSON, for --explain=json.
#pragma once

#include <string>
#include <vector>

#include "driver/explain/explanation.h"

namespace stencilc::driver {

// An object for one stencil, a list of objects for several; docs/cli.md lists the members.
std::string json_of(const std::vector<Explanation>& stencils);

}  // namespace stencilc::driver
