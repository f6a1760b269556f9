// Provides the runtime headers as text.
#pragma once

#include <string>
#include <vector>

namespace stencilc::driver {

// The headers and everything of the runtime that they include, as one text without these #includes,
// for --standalone. Several such texts can be in one file.
std::string runtime_text(const std::vector<std::string>& headers);

}  // namespace stencilc::driver
