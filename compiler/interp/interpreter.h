// The reference interpreter, with which every kernel is compared.
//
// It is plain, slow and independent of lowering: it walks the IR cell by cell, in one order, over
// dense arrays, statement by statement, and maps ghost cells into the grid one reflection at a
// time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ir/ir.h"

namespace stencilc::interp {

using Extents = std::array<int64_t, ir::kMaxRank>;  // 1 for axes beyond the rank

// One time level of one field: its cells, x fastest; 1 cell along an axis that it does not have.
// Along an axis with a ghost side there is a halo (ir::ghost_halo) at both ends; the result of a
// step has the halo of level t.
using Grid = std::vector<ir::Scalar>;

struct State {
  Extents extents = {1, 1, 1};
  std::vector<ir::Offset> halos;  // [field]
  std::vector<std::vector<Grid>>
      fields;  // [field][0] is level t, [1] level t-1, ...; one level if no update steps the field
  std::vector<ir::Scalar> params;
  std::vector<std::vector<ir::Scalar>> weights;
  std::vector<std::vector<std::array<double, ir::kMaxRank>>> points;  // positions, for each list
  std::vector<std::vector<ir::Scalar>> series;                        // [series][t * points + p]
  int64_t time = 0;                                                   // `t` of the next step
  std::vector<ir::Scalar> reductions;                                 // of the last step or check
};

// A state with zero in every cell and weight, default params and no points.
State make_state(const ir::Stencil& stencil, Extents extents);

// Takes `steps` steps, or as many as the `iterate` of the stencil says if it is negative. Each step
// writes the outputs and moves stepped fields by one level; reductions are those of the last step.
// Returns the number of steps.
int64_t run(const ir::Stencil& stencil, State& state, int64_t steps);

// The value of a reduction over `values`, which holds all cells, x fastest, in rows of `row`.
// Groups of 32 cells of a row are combined pairwise, 16 apart, 8 apart, ... 1; then groups of 32
// results, until one is left. Cells outside the domain hold identity().
ir::Scalar reduce(const ir::Reduction& reduction, std::vector<ir::Scalar> values, int64_t row);
ir::Scalar identity(const ir::Reduction& reduction);

// Where an index on a line of `extent` cells ends after the boundaries at both ends: inside, or
// outside on a side without a cell for it. An end that no read crosses maps an index that comes
// from the other end in the same way as that end.
struct Landing {
  int64_t index = 0;
  bool negated = false;  // mapped an odd number of times by antireflect
};
Landing extend(ir::Edge low, ir::Edge high, int64_t index, int64_t extent);

}  // namespace stencilc::interp
