// What of a launch is a convolution: sums over the cells of a box, whose taps can be loops.
#pragma once

#include <vector>

#include "ir/box_sum.h"
#include "plan/schedule/launch.h"

namespace stencilc::plan {

struct Convolution {
  ir::ExprPtr sum;
  ir::BoxSum box;
};
struct Convolutions {
  std::vector<Convolution> sums;
  std::vector<ir::ExprPtr> others;  // reads that stand in none of them
};

// Among the values of the launch: of fields on all axes, at levels that are in memory when it
// starts.
Convolutions convolutions_of(const ir::Stencil& stencil, const Launch& launch,
                             const std::vector<ir::ExprPtr>& values);

// Does any update of the stencil hold one?
bool convolves(const ir::Stencil& stencil);

}  // namespace stencilc::plan
