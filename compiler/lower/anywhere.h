// The value of a field at a place that may lie beyond any end.
#pragma once

#include "lower/taps.h"

namespace stencilc::lower {

// The statements of a function that returns it, in the type it has in memory. Ends that differ are
// told apart, axis by axis. Without a `fetch`, cells inside come from memory.
kernel::Body cell_anywhere(Context& context, int field, int level,
                           const std::vector<kernel::ExprPtr>& at, const Names& names,
                           const EdgeTaps::Fetch& fetch = nullptr);

}  // namespace stencilc::lower
