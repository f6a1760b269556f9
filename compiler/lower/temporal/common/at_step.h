// The number of the step within a launch of several.
#pragma once

#include "lower/context/context.h"

namespace stencilc::lower {

// Of cells of time step t+k: declares the number of that step where values need it.
CellContext at_step(const Context& context, const kernel::ExprPtr& k, Names& names,
                    kernel::Body& body);

}  // namespace stencilc::lower
