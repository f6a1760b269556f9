// Chooses whether a launch computes values of t+1 again at neighbouring cells where the planner
// would start another launch to read them.
#pragma once

#include <optional>

#include "plan/model/one_step.h"
#include "plan/schedule/schedule.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {

// A schedule with one cell per thread and fewer launches than `schedule`; none where there is none,
// or where its kernels need so many registers that few blocks run side by side. Those that needed
// more lost up to 1.7 times (bench/notes/one-step.md, "Fewer launches").
std::optional<Schedule> with_fewer_launches(Survey& survey, const Schedule& schedule);

// The least predicted gain over more launches for which values are computed again. It is larger
// where that makes a step which moves its bytes one that computes.
double least_gain_of_fewer(const Forecast& fewer, const Forecast& more);

}  // namespace stencilc::plan
