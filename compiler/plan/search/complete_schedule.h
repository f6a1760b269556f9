// Derives everything that follows from the decisions of a schedule.
#pragma once

#include "plan/schedule/schedule.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {

// Completes the schedule: the launches of a step, the buffers of fields, and, with several steps
// per launch, the schedule for single steps.
Schedule complete(Schedule schedule, Survey& survey, Target target, const Device& device);

}  // namespace stencilc::plan
