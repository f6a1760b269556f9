// What follows from the decisions of a schedule.
#pragma once

#include "plan/schedule/schedule.h"

namespace stencilc::plan {

// Completes the schedule: the launches of a step, the buffers of fields, and with several steps a
// launch the schedule of steps that are taken one by one.
Schedule complete(Schedule schedule, const ir::Stencil& stencil, Target target,
                  const Device& device);

}  // namespace stencilc::plan
