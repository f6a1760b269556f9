// Evaluates sources and receivers at lists of points.
#pragma once

#include <vector>

#include "interp/cell.h"

namespace stencilc::interp {

// Adds the injections of the step to level t+1.
void inject(const View& view, std::vector<Grid>& next);

// Writes the series of the samples before, or after, the updates.
void sample(const ir::Stencil& stencil, State& state, const std::vector<Grid>& next, bool after);

}  // namespace stencilc::interp
