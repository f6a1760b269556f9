// Prints an explanation as lines of text.
#pragma once

#include <string>
#include <vector>

#include "driver/explain/explanation.h"

namespace stencilc::driver {

std::vector<std::string> lines_of(const Explanation& all);

}  // namespace stencilc::driver
