// How long a step takes on a grid that leaves much of a card idle, in space, where blocks march and
// few of them are there at once: then what a thread waits for counts, and is not hidden.
#pragma once

#include <array>
#include <cstdint>

#include "plan/schedule/schedule.h"

namespace stencilc::plan {

class Survey;  // survey.h

// Seconds, launches counted; infinite: it does not run well. Of schedules of one step a launch
// whose launches begin early.
double seconds_of_small(Survey& survey, const Schedule& schedule, const Device& device,
                        const std::array<int64_t, 3>& extents);

}  // namespace stencilc::plan
