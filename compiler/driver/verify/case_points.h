// Chooses the points of a test case and the values of their series.
#pragma once

#include "driver/verify/cases.h"

namespace stencilc::driver {

// Sets points inside the grid, at its boundary, partly and completely outside, and two at the same
// position; and random values. Extents and the first step have to be set.
void make_points(const ir::Stencil& stencil, const Case& test, HostData& host);

}  // namespace stencilc::driver
