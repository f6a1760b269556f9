// The reference interpreter: the oracle every kernel is compared with.
//
// Plain, slow and independent of lowering: it walks the IR cell by cell, in one order, over dense
// arrays, and extends a field beyond its rim by stepping back inside one reflection at a time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ir/ir.h"

namespace stencilc::interp {

using Extents = std::array<int64_t, ir::kMaxRank>;  // 1 beyond the rank

// One time level of one field: extents[0] * extents[1] * extents[2] cells, x fastest.
using Grid = std::vector<ir::Scalar>;

struct State {
  Extents extents = {1, 1, 1};
  std::vector<std::vector<Grid>> fields;  // [field][0] is level t, [1] level t-1, ...; one level
                                          // where the field is not stepped
  std::vector<ir::Scalar> params;
};

// A state with every cell zero and the params at their defaults.
State make_state(const ir::Stencil& stencil, Extents extents);

// Runs `steps` steps: outputs are written in each, stepped fields move on by one level.
void run(const ir::Stencil& stencil, State& state, int64_t steps);

// The cell of [0, extent) whose value stands at `index` by `edge`; -1 where a constant stands. For
// fixed and none, which are never read outside, the index itself.
int64_t extend(ir::Edge edge, int64_t index, int64_t extent);

}  // namespace stencilc::interp
