// Cells that a thread of one cell at a time keeps in variables: those of a column along the
// streamed axis that are read at several offsets, from cell to cell; and those that come from other
// lanes of the warp.
#pragma once

#include <string>
#include <vector>

#include "lower/cell/addressing.h"

namespace stencilc::lower {

struct Window {
  int field = 0, level = 0;
  ir::Offset column = {};          // 0 along the streamed axis
  int low = 0, high = 0;           // the offsets along it
  std::vector<std::string> names;  // of the values at low .. high
  // With lanes: the names of the thread's own cells beside which these stand; empty: they are
  // loaded.
  std::vector<std::string> own;
};

// Of what the values read. `axis`: the streamed one, not x; -1: none. `lanes`: where a thread has a
// cell of a row, or reads several, the others come from other lanes. Such windows stand after that
// of the own cells.
std::vector<Window> windows_of(const Context& context, const std::vector<ir::ExprPtr>& values,
                               int axis, bool lanes, Names& names);

// The value of a window at an offset along the axis, by a load or from another lane. `at`, `i`: the
// thread's cell and its place.
kernel::ExprPtr arriving(const Context& context, const Window& window, int axis, int along,
                         const std::vector<kernel::ExprPtr>& at, const kernel::ExprPtr& i);

// The value of a read that a window holds; null: none does.
kernel::ExprPtr held(const Context& context, const std::vector<Window>& windows, int axis,
                     const ir::Read& read);

}  // namespace stencilc::lower
