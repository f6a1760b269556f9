// The layout of emitted text, as libFormat sees it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stencilc::check {

// One finding for each line that the formatter of the project's style would change: "line 12:
// should be `  int x = 1;`". Empty when `text` is formatted.
std::vector<std::string> format_findings(std::string_view text);

}  // namespace stencilc::check
