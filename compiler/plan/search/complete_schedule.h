// What follows from the decisions of a schedule.
#pragma once

#include "plan/schedule/schedule.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {

// Completes the schedule: the launches of a step, the buffers of fields, and with several steps a
// launch the schedule of steps that are taken one by one.
Schedule complete(Schedule schedule, Survey& survey, Target target, const Device& device);

}  // namespace stencilc::plan
