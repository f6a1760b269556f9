// What a launch computes inside the grid and near its boundary, and whether one variant serves
// both.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lower/cell/cell.h"

namespace stencilc::lower {

// What the cells of a launch compute: all of them, or (`edges` false) those whose reads stay
// inside.
std::vector<ir::ExprPtr> values_of(const Context& context, bool edges);

// Does an edge cell compute t+1 of other cells? It then reads cell by cell.
bool recomputes(const Context& context);

// Is what an edge cell computes what any cell does, under a condition?
bool serves_both(const Context& context);
// Is a value made of t+1 at cells where that is still t, because fewer are assigned? These have to
// be known before it is computed.
bool reads_unassigned(const Context& context);

// Do all reads of the cells from `first` to before `end` stay inside along the axis, if they reach
// so far? `first` null: they begin inside.
kernel::ExprPtr reads_inside(const Context& context, int axis, const kernel::ExprPtr& first,
                             const kernel::ExprPtr& end, int low, int high);

// The statements of blocks that are inside and of those that are not (`edges`): one variant, where
// that serves both. Where there is `inside_rows`, the text has a flag of its own
// (EdgeFlags::edge_x) for what lies beside a cell along x, and is compiled once more for blocks of
// which that holds: they read outside the grid along x alone.
kernel::Body inside_or_not(
    Context& context, const kernel::ExprPtr& inside,
    const std::function<kernel::Body(bool edges, const EdgeFlags& flags)>& cells,
    const kernel::ExprPtr& inside_rows = nullptr);

// "Edge blocks: `clamp` for u, `zero` and `periodic` for v."
std::string edge_note(const Context& context);

// Do the statements read or write anything but registers and what is passed by value?
bool touch_memory(const Context& context, const kernel::Body& body);

}  // namespace stencilc::lower
