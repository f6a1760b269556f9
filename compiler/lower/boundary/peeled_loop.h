// The stream of a block that reaches the ends of the streamed axis: the cells that read beyond an
// end are peeled from the loop, and those between run the interior variant.
#pragma once

#include <string>

#include "lower/boundary/interior_split.h"
#include "plan/schedule/schedule.h"

namespace stencilc::lower {

// Why the ends of a launch are not peeled, though the schedule requests it; empty: they are.
// `one_variant`: cells near the boundary have to compute as those inside do.
std::string why_checked(const Context& context, const plan::Schedule& schedule, bool one_variant);

// The loop over the cells k of a stream as a function of k and the flag, which is
// false where the block is `inside` along the other axes and the cell away from the ends. `first`:
// the coordinate of cell 0.
void peel(const Context& context, const plan::Schedule& schedule, kernel::For loop,
          const std::string& flag, const kernel::ExprPtr& inside, const kernel::ExprPtr& first,
          Names& names, kernel::Body& body);

}  // namespace stencilc::lower
