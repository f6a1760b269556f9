// The ends of the grid and of the box that a launch computes, as conditions on coordinates. All
// that tells a place inside from one outside asks here.
#pragma once

#include <vector>

#include "lower/context/context.h"

namespace stencilc::lower {

// Is the coordinate not beyond that end of the axis (0: the low one), or is it?
kernel::ExprPtr before_end(const Context& context, int axis, int end, const kernel::ExprPtr& at);
kernel::ExprPtr beyond_end(const Context& context, int axis, int end, const kernel::ExprPtr& at);
// Is it beyond neither?
kernel::ExprPtr in_grid(const Context& context, int axis, const kernel::ExprPtr& at);
// Is it the last one of its line at that end?
kernel::ExprPtr is_last(const Context& context, int axis, int end, const kernel::ExprPtr& at);
// Do all cells of a line lie inside, from `low` ones before `first` to before `end`? A null `first`
// or `end` is known to.
kernel::ExprPtr span_in_grid(const Context& context, int axis, const kernel::ExprPtr& first,
                             const kernel::Count& low, const kernel::ExprPtr& end);

// Is a place that the box does not begin after one of its cells, along one axis or along all?
kernel::ExprPtr in_box(const Context& context, int axis, const kernel::ExprPtr& at);
kernel::ExprPtr in_box(const Context& context, const std::vector<kernel::ExprPtr>& at);

}  // namespace stencilc::lower
