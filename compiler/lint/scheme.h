// Updates that advance together, and what one step does to a wave.
//
// In the interior of a large grid a linear update with constant coefficients turns the wave
// exp(i (k . x)) into a multiple of itself. The fields of a system and the older levels that it
// reads make a vector, and the step a small matrix that depends on the wave number k.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "ir/ir.h"
#include "lint/eigenvalues.h"
#include "lint/linear.h"

namespace stencilc::lint {

// The sets of updates that depend on one another in a circle, or on themselves alone; their
// indices, ascending.
std::vector<std::vector<int>> circles(const ir::Stencil& stencil);

struct Scheme {  // fields are counted among those of the circle
  struct Step {  // field[t+1] = sum of taps
    int field = 0;
    std::vector<Tap> taps;
  };
  std::vector<Step> steps;                   // in the order in which they happen
  std::vector<int> first_state;              // of each field; -1: it has none
  int states = 0;                            // of the vector: a level of a field each
  std::array<bool, ir::kMaxRank> wide = {};  // the axes along which anything is read
  size_t taps() const;
};

// The scheme of a circle of updates, where it is linear with constant coefficients, all of them
// known, in every cell away from the rim. Statements for cells at the rim alone are left out.
std::optional<Scheme> scheme(const ir::Stencil& stencil, const std::vector<int>& circle,
                             const Values& values);

using Wave = std::array<double, ir::kMaxRank>;  // radians per cell along each axis

Matrix step_of(const Scheme& scheme, const Wave& wave);

}  // namespace stencilc::lint
