// The runtime headers as text.
#pragma once

#include <string>

namespace stencilc::driver {

// The header and all it includes of the runtime, as one text without those #includes, for
// --standalone.
std::string runtime_text(const std::string& header);

}  // namespace stencilc::driver
