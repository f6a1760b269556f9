// `stencilc --explain STN0201`.
#pragma once

#include <string>

namespace stencilc::driver {

// Prints what a diagnostic means, with a failing and a mended example. Returns the exit code.
int explain_code(const std::string& code);

}  // namespace stencilc::driver
