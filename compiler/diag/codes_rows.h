// The parts of the one table, in the order of their numbers; codes.cpp joins them.
#pragma once

#include <span>

#include "diag/codes.h"

namespace stencilc::diag {

std::span<const Row> syntax_rows();  // 01xx
std::span<const Row> name_rows();    // 02xx
std::span<const Row> value_rows();   // 03xx
std::span<const Row> grid_rows();    // 04xx, 05xx
std::span<const Row> tool_rows();    // 06xx to 09xx

}  // namespace stencilc::diag
