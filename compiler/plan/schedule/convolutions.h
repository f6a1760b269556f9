// Finds the convolutions of a launch: sums over all cells of a box, whose taps can be loops.
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
  std::vector<ir::ExprPtr> others;  // reads outside of these sums
};

// The sums over boxes among the values of the launch, of fields on all axes at levels that are in
// memory when it starts.
Convolutions convolutions_of(const ir::Stencil& stencil, const Launch& launch,
                             const std::vector<ir::ExprPtr>& values);

// Whether an update of the stencil has such a sum.
bool convolves(const ir::Stencil& stencil);

}  // namespace stencilc::plan
