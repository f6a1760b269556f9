// The results as text for people.
#pragma once

#include <string>
#include <vector>

#include "driver/measure/result.h"

namespace stencilc::driver {

// Rows of cells as lines: the first column on the left, the others on the right, two blanks
// between.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

// Where, what, the copy, and a row for each schedule. Columns that nothing is known for are left
// out.
std::string table(const Report& report);

}  // namespace stencilc::driver
