// A schedule as text asks for it: `--schedule` and the blocks of a program.
#pragma once

#include <string>

#include "plan/schedule/schedule.h"

namespace stencilc::plan {

// A schedule, or why there is none.
struct Choice {
  Schedule schedule;
  std::string problem;     // empty: the schedule is legal
  bool of_device = false;  // is it legal on another device?
};

// --schedule=naive or --schedule=coarsened,threads=32x8,coarsen=y4: a preset and changes to it,
// that the device can run.
Choice parse(const std::string& text, const ir::Stencil& stencil, Target target,
             const Device& device = any_device());

}  // namespace stencilc::plan
