// Prints the results as a table.
#pragma once

#include <string>
#include <vector>

#include "driver/measure/result.h"

namespace stencilc::driver {

// Aligns rows of cells: the first column to the left, the others to the right, with two spaces
// between.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

// The grid, the device, the copy, and a row per schedule. Columns without any value are left out.
std::string table(const Report& report);

}  // namespace stencilc::driver
