// Lists the rejected schedules and their predicted speed, for --explain.
#pragma once

#include <string>
#include <vector>

#include "plan/model/one_step.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {

struct Alternative {
  Schedule schedule;
  Forecast forecast;
};

// For each kind of schedule that the device supports, except that of `taken`, the one with the best
// prediction; the fastest first, and kinds that would spill last. Kinds differ in how sums are
// built, what is in shared memory, how many cells are moved at once, and how many steps per launch
// takes. With `sizes`, the best of each kind is predicted by its kernels, as `taken` is.
std::vector<Alternative> alternatives(const ir::Stencil& stencil, const Schedule& taken,
                                      const Device& device, const std::array<int64_t, 3>& extents,
                                      KernelSizes sizes = nullptr);

// The parts of schedules that the device supports but the model was not fitted to, in the form that
// --schedule takes.
std::vector<std::string> not_modelled(const Device& device, const ir::Stencil& stencil);

}  // namespace stencilc::plan
