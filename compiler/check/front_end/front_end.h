// Runs the front end of Clang over texts in memory, in this process.
#pragma once

#include <string>
#include <vector>

#include "check/front_end/source.h"

namespace clang {
class FrontendAction;
}

namespace stencilc::check {

enum class Pass {
  cuda_host,    // the host side of a .cu file
  cuda_device,  // its device side, for nvptx64
  header,       // a C++17 header
  cpp,          // C++20 with OpenMP
};
enum class Warnings { none, all };

// Runs `action` over the text and returns the diagnostics as "file:line:col: text"; empty if there
// were none.
std::vector<std::string> run_front_end(const Source& source, Pass pass, Warnings warnings,
                                       clang::FrontendAction& action);

}  // namespace stencilc::check
