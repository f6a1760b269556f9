// Where the points of a case lie, and what their series hold.
#pragma once

#include "driver/verify/cases.h"

namespace stencilc::driver {

// Fills in points and series: points in the grid, on its rim, partly and wholly beyond it, two of
// them in one place; random values. The extents and the first step are set.
void make_points(const ir::Stencil& stencil, const Case& test, HostData& host);

}  // namespace stencilc::driver
