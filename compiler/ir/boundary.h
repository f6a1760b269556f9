// The kinds of boundary: one table, from which all but the interpreter learns what a kind is.
//
// A ghost cell is a cell outside the grid. A kind says of it which cell of its line it takes its
// value from, what becomes of that value on the way, or that a value is given for it.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ir/ir.h"

namespace stencilc::ir {

struct EdgeKind {
  Edge edge;
  std::string_view name;  // in the text of a program

  // The cell of the line that index i outside stands for, of n cells. nowhere: no read crosses the
  // side. last: 0 or n-1. again: the last cell is repeated, -1 is 0. next: it is not, -1 is 1.
  // around: -1 is n-1. outside: none, a value is given or memory holds it.
  enum Source : uint8_t { nowhere, last, again, next, around, outside } source;
  // What becomes of that cell's value, each time a side is crossed. sloped: the value of the side
  // is added for each cell outward.
  enum Change : uint8_t { copied, negated, sloped } change;
  // What the text gives for a side: nothing, one value, or one for each ghost cell.
  enum Value : uint8_t { no_value, one_value, value_of_cell } value;

  // No read crosses the side: the cells that would are not computed.
  bool closed() const { return source == nowhere; }
  // Does it send an index back into the line, perhaps across the opposite side?
  bool sends_back() const { return source == again || source == next || source == around; }
  bool mirrors() const { return source == again || source == next; }
  // The cell of the line that a ghost cell stands for: how far inside the last one, if the ghost
  // cell is `distance` beyond it. 0 where no cell of the line, or the last one, stands for all.
  int inward(int distance) const {
    return source == next ? distance : source == again ? distance - 1 : 0;
  }
  // Is there anything outside that no cell of a neighbouring tile computes?
  bool open() const { return !closed() && source != around; }
  // Is a ghost cell computed, and not another cell or one number?
  bool computes() const { return change != copied || value == value_of_cell; }
  // Is a ghost cell another cell of the line as it is, or is there none?
  bool only_maps() const { return change == copied && source != outside; }
  // Is every ghost cell the last one as it is?
  bool repeats_last() const { return source == last && change == copied; }
  // Does its change depend on how far outside the ghost cell is?
  bool by_distance() const { return change == sloped; }
  // Does its change make sense of floats alone?
  bool needs_floats() const { return change != copied; }
};

const EdgeKind& kind_of(Edge edge);
inline const EdgeKind& kind_of(const Side& side) { return kind_of(side.edge); }
// All of them, in the order of the manual.
std::span<const EdgeKind> edge_kinds();
// "clamp, reflect, ..., ghost and none", with `zero`, which is `constant` with the value 0.
std::string listed_edge_kinds();

// What ghost cells cost a kernel beside cells inside, by classes that cost models measure: nothing,
// a copy from the other end, a number, cells that keep their value, a copy, or a computation.
enum class GhostCost : uint8_t { nothing, around, number, kept, copy, computation };
GhostCost ghost_cost(Edge edge);

// The value that a `constant` side holds, if that is a number; otherwise null.
const Constant* number_of(const Side& side);
// Are both numbers, and the same bits?
bool same_number(const Constant* a, const Constant* b);
// The number outside both ends of an axis, if there is one; otherwise null.
const Constant* number_along(const Boundary& boundary, int axis);

}  // namespace stencilc::ir
