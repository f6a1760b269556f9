// Predicts the time of a step on a 3-D grid that leaves much of a GPU idle. There latency counts,
// because few blocks run at the same time and do not hide it.
#pragma once

#include <array>
#include <cstdint>

#include "plan/schedule/schedule.h"

namespace stencilc::plan {

class Survey;  // survey.h

// Seconds, including the time between launches; infinite if the schedule does not run well. For
// schedules of one step per launch with `launches=early`.
double seconds_of_small(Survey& survey, const Schedule& schedule, const Device& device,
                        const std::array<int64_t, 3>& extents);

}  // namespace stencilc::plan
