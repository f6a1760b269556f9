// Collects what the cells of a launch read, as far as the choice of a shape needs it.
#pragma once

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "ir/ir.h"
#include "ir/work.h"
#include "plan/schedule/launch.h"

namespace stencilc::plan {

struct Reads {
  struct Row {
    int field = 0, level = 0, y = 0, z = 0;  // offsets from the cell
    auto operator<=>(const Row&) const = default;
  };
  std::map<Row, std::set<int>> rows;  // the offsets along x; only of fields that have all axes
  std::map<int, int> bytes;           // by field: bytes of an element
  std::vector<int> stores;            // the bytes of each field that a cell stores
  ir::Instructions work;              // per cell
  std::set<int> beside;               // the fields whose neighbouring cells are read
  ir::Reach reach;                    // of the reads from memory
  ir::Reach margin;                   // of the launch: where its cells are near the boundary
  bool recomputes = false;            // computes t+1 of neighbouring cells again
  bool slow = false;  // divisions by values of cells, roots, transcendental functions
  bool adds_planes =
      false;  // neighbouring cells are read only in sums that can be built plane by plane
  bool shares =
      false;  // neighbouring cells share slow values, so that the next cell computes them again
  // Sums over boxes (convolutions.h): how many, their taps, and the rows of the tallest.
  int boxes = 0, taps = 0, tap_rows = 0;
  int widest = 1, narrowest = 8;  // bytes of a value
};

// Reads of all updates together, as if none read the result of another.
Reads reads_of(const ir::Stencil& stencil);
// All values that a launch computes, masks included. Reductions that a launch makes in every step
// are always included. Reductions that a step makes only on request, in a kernel of their own, are
// included if `with_reductions`.
std::vector<ir::ExprPtr> values_of(const Launch& launch, bool with_reductions);
// Reads of one launch, for what it computes in each step.
Reads reads_of(const ir::Stencil& stencil, const Launch& launch);

}  // namespace stencilc::plan
