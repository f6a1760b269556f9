// Checks emitted code with Clang.
#pragma once

#include <string>
#include <vector>

#include "check/front_end/source.h"

namespace stencilc::check {

// The diagnostics of Clang under -Wall -Wextra as "file:line:col: text"; there should be none. The
// name determines the language: `.cu` is parsed as CUDA C++17, once for the host and once for the
// device; `.h` as C++17, and as part of a CUDA file; every other name as C++20 with OpenMP. The
// CUDA headers are those of shim/.
std::vector<std::string> syntax_findings(const Source& source);

}  // namespace stencilc::check
