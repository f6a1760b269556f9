// The runtime headers as text.
#pragma once

#include <string>
#include <vector>

namespace stencilc::driver {

// The headers and all they include of the runtime, as one text without those #includes, for
// --standalone. Several such texts may meet in one file.
std::string runtime_text(const std::vector<std::string>& headers);

}  // namespace stencilc::driver
