// Finds updates that depend on each other, and computes what one step does to a wave.
//
// In the interior of a large grid, a linear update with constant coefficients multiplies the wave
// exp(i (k . x)) by a factor. The fields of a system and the older levels that it reads form a
// vector, and the step is a small matrix that depends on the wave number k.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "ir/ir.h"
#include "lint/eigenvalues.h"
#include "lint/linear.h"

namespace stencilc::lint {

// The sets of updates that depend on each other in a cycle, or on themselves; indices in ascending
// order.
std::vector<std::vector<int>> circles(const ir::Stencil& stencil);

struct Scheme {  // fields are numbered within the cycle
  struct Step {  // field[t+1] = sum of taps
    int field = 0;
    std::vector<Tap> taps;
  };
  std::vector<Step> steps;                   // in the order in which they are computed
  std::vector<int> first_state;              // per field; -1: none
  int states = 0;                            // of the vector: one for each level of each field
  std::array<bool, ir::kMaxRank> wide = {};  // the axes along which neighbours are read
  size_t taps() const;
};

// The scheme of a cycle of updates, if it is linear with known constant coefficients in every cell
// away from the boundary. Statements for cells near the boundary are left out.
std::optional<Scheme> scheme(const ir::Stencil& stencil, const std::vector<int>& circle,
                             const Values& values);

using Wave = std::array<double, ir::kMaxRank>;  // radians per cell along each axis

Matrix step_of(const Scheme& scheme, const Wave& wave);

}  // namespace stencilc::lint
