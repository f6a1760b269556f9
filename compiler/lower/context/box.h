// The cells that a launch computes, as a box of the grid. Coordinates are those of the grid,
// whatever box is computed: the ends of the grid are where its boundary is, the ends of the box are
// where cells are no longer computed. Memory may hold a piece of the grid: coordinates become
// places in it where a linear index begins (cell/addressing.h), and nowhere else.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "kernel/build.h"

namespace stencilc::lower {

class Box {
 public:
  // All of the grid. Its ends are constants and extents, which fold away.
  explicit Box(std::vector<std::string> extents) : extents_(std::move(extents)) {}

  // Along the axis the box reaches from one variable of the kernel to before the other.
  void cut(int axis, std::string first, std::string end);

  // Of the grid.
  kernel::ExprPtr extent(int axis) const { return kernel::var(extents_[axis]); }
  // Of the box: its first cell, the end of its cells, and how many there are.
  kernel::ExprPtr first(int axis) const;
  kernel::ExprPtr end(int axis) const;
  kernel::ExprPtr cells(int axis) const;
  bool is_cut(int axis) const { return !first_[axis].empty(); }
  // The condition that cells before `end` are cells of the box, where that is not known already of
  // those in the grid; else null.
  kernel::ExprPtr holds_before(int axis, const kernel::ExprPtr& end) const;
  // The greater of a coordinate and the first cell of the box; the lesser of one and its end.
  // `at` is in the grid.
  kernel::ExprPtr not_before(int axis, const kernel::ExprPtr& at) const;
  kernel::ExprPtr not_behind(int axis, const kernel::ExprPtr& at) const;

  // Memory holds so many planes from `origin` on, both variables of the kernel. If the axis
  // `wraps`, planes of the other end lie beyond an end of the grid.
  void hold(int axis, std::string origin, std::string planes, bool wraps);
  // Who uses the box asks for no plane that memory does not hold: none is read ahead, nor for cells
  // that are not computed.
  void ask_for_held_ones() { exact_ = true; }
  // The place in memory of a coordinate near the box; and of any one, which may stand for one near
  // the box beyond the other end of the grid.
  kernel::ExprPtr place(int axis, const kernel::ExprPtr& at) const;
  kernel::ExprPtr any_place(int axis, const kernel::ExprPtr& at) const;
  // Null: memory holds all of the axis.
  kernel::ExprPtr origin(int axis) const;
  kernel::ExprPtr planes(int axis) const;
  // The condition that memory reaches to a coordinate of the grid; null where it always does.
  kernel::ExprPtr reaches(int axis, const kernel::ExprPtr& at) const;
  // The condition that it holds the coordinates from `first` to before `end`, none of which stands
  // for another one; null where the place of each has to be found, or is that of any of them.
  kernel::ExprPtr holds(int axis, const kernel::ExprPtr& first, const kernel::ExprPtr& end) const;

 private:
  std::vector<std::string> extents_;
  std::array<std::string, 3> first_, end_;      // names; empty: as the grid
  std::array<std::string, 3> origin_, planes_;  // likewise
  bool wraps_ = false, exact_ = false;
};

}  // namespace stencilc::lower
