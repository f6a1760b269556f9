// What the cells of a launch read, as far as the shape of a thread's cells depends on it.
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
  std::map<Row, std::set<int>> rows;  // the offsets along x; of fields on all axes alone
  std::map<int, int> bytes;           // by field: of an element
  std::vector<int> stores;            // the bytes of each field that a cell stores
  ir::Instructions work;              // of a cell
  std::set<int> beside;               // the fields that are read beside the cell
  ir::Reach reach;                    // of what is read from memory
  ir::Reach margin;                   // of the launch: where its cells lie near the rim
  bool recomputes = false;            // t+1 beside the cell
  bool slow = false;         // divisions by values of cells, roots, transcendental functions
  bool adds_planes = false;  // cells beside the own one are read only for sums of planes
  bool shares = false;       // such values of neighbouring cells, which the next cell computes, too
  // Of sums over boxes (convolutions.h): how many, their taps, and the rows of the highest.
  int boxes = 0, taps = 0, tap_rows = 0;
  int widest = 1, narrowest = 8;  // bytes of a value
};

// Of all updates together, as if none built on another.
Reads reads_of(const ir::Stencil& stencil);
// What a launch computes, its masks among it. Its reductions belong to every launch that makes them
// in each step; where a step makes them only when it is asked for them, by a kernel of its own,
// they count `with_reductions`.
std::vector<ir::ExprPtr> values_of(const Launch& launch, bool with_reductions);
// Of what one launch computes in each step.
Reads reads_of(const ir::Stencil& stencil, const Launch& launch);

}  // namespace stencilc::plan
