// Checks the layout of emitted code with libFormat.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stencilc::check {

// A finding for each line that the formatter would change: "line 12: should be `  int x = 1;`".
// Empty if `text` is formatted.
std::vector<std::string> format_findings(std::string_view text);

}  // namespace stencilc::check
