// The reference interpreter: the oracle every kernel is compared with.
//
// Plain, slow and independent of lowering: it walks the IR cell by cell, in one order, over dense
// arrays, statement by statement, and extends a field beyond its rim by stepping back inside one
// reflection at a time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ir/ir.h"

namespace stencilc::interp {

using Extents = std::array<int64_t, ir::kMaxRank>;  // 1 beyond the rank

// One time level of one field: its cells, x fastest; 1 cell along an axis it does not have. Along
// an axis with a ghost side the halo (ir::ghost_halo) stands before and behind them; what a step
// makes of the field has the halo of level t.
using Grid = std::vector<ir::Scalar>;

struct State {
  Extents extents = {1, 1, 1};
  std::vector<ir::Offset> halos;          // [field]
  std::vector<std::vector<Grid>> fields;  // [field][0] is level t, [1] level t-1, ...; one level
                                          // where the field is not stepped
  std::vector<ir::Scalar> params;
  std::vector<std::vector<ir::Scalar>> weights;
  std::vector<std::vector<std::array<double, ir::kMaxRank>>> points;  // places, for each list
  std::vector<std::vector<ir::Scalar>> series;                        // [series][t * points + p]
  int64_t time = 0;                                                   // `t` of the next step
  std::vector<ir::Scalar> reductions;                                 // of the last step or check
};

// A state with every cell and weight zero, the params at their defaults and no points.
State make_state(const ir::Stencil& stencil, Extents extents);

// Runs `steps` steps, or, where that is negative, as the stencil's `iterate` says. Outputs are
// written in each step, stepped fields move on by one level; reductions are those of the last step.
// Returns the number of steps taken.
int64_t run(const ir::Stencil& stencil, State& state, int64_t steps);

// The value of a reduction over `values`, those of all cells, x fastest, in rows of `row`: groups
// of 32 cells of a row are combined pairwise, 16 apart, 8 apart, ... 1; then groups of 32 results,
// until one is left. Cells that are left out hold identity().
ir::Scalar reduce(const ir::Reduction& reduction, std::vector<ir::Scalar> values, int64_t row);
ir::Scalar identity(const ir::Reduction& reduction);

// Where an index on a line of `extent` cells ends by what holds beyond its two ends: inside, or
// beyond a side where no other cell stands for it. An end that no read crosses sends back an index
// from the other end as that one does.
struct Landing {
  int64_t index = 0;
  bool negated = false;  // an odd number of turns at antireflect
};
Landing extend(ir::Edge low, ir::Edge high, int64_t index, int64_t extent);

}  // namespace stencilc::interp
