// Holds what the command line defines.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace stencilc::sema {

// -D name=value: the param becomes a constant of its type. Values are as written on the command
// line.
using Defines = std::vector<std::pair<std::string, std::string>>;

}  // namespace stencilc::sema
