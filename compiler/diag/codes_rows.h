// The parts of the table of diagnostics; codes.cpp joins and sorts them.
#pragma once

#include <span>

#include "diag/codes.h"

namespace stencilc::diag {

std::span<const Row> syntax_rows();  // 01xx
std::span<const Row> name_rows();    // 02xx
std::span<const Row> value_rows();   // 03xx
std::span<const Row> grid_rows();    // 04xx, 05xx
std::span<const Row> tool_rows();    // 0601 to 0802, 0811, 09xx
std::span<const Row> lint_rows();    // 0803 to 0810

}  // namespace stencilc::diag
