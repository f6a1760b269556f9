// Parses the text of a schedule, from `--schedule` and from `schedule` blocks.
#pragma once

#include <string>

#include "plan/schedule/schedule.h"

namespace stencilc::plan {

// A schedule, or what is wrong with it.
struct Choice {
  Schedule schedule;
  std::string problem;     // empty: the schedule is legal
  bool of_device = false;  // the problem is that of the device; another device may run the schedule
};

// Parses a preset and changes to it, as in coarsened,threads=32x8,coarsen=y4. The device has to be
// able to run it.
Choice parse(const std::string& text, const ir::Stencil& stencil, Target target,
             const Device& device = any_device());

}  // namespace stencilc::plan
