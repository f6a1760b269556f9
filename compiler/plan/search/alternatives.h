// What else a stencil could be run by, and how fast: for --explain.
#pragma once

#include <string>
#include <vector>

#include "plan/model/one_step.h"

namespace stencilc::plan {

struct Alternative {
  Schedule schedule;
  Forecast forecast;
};

// Of each kind of schedules that the device has, but for that of `taken`, the one that the model
// takes for the fastest; the fastest first, kinds whose registers do not suffice last. Kinds differ
// in how sums are built, in what lies in shared memory, in how many cells are moved at once, and in
// how many steps a launch takes.
std::vector<Alternative> alternatives(const ir::Stencil& stencil, const Schedule& taken,
                                      const Device& device, const std::array<int64_t, 3>& extents);

// The parts of schedules that the device has and the model is not fitted to, as --schedule takes
// them.
std::vector<std::string> unweighed(const Device& device, const ir::Stencil& stencil);

}  // namespace stencilc::plan
