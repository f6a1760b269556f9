// Runs `stencilc --explain STN0201`.
#pragma once

#include <string>

namespace stencilc::driver {

// Prints the explanation of a diagnostic, with a failing and a fixed example. Returns the exit
// code.
int explain_code(const std::string& code);

}  // namespace stencilc::driver
