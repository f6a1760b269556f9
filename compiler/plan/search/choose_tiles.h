// Chooses schedules in which the threads of a block compute values for each other.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plan/schedule/schedule.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {

// A schedule, and its time by prediction, in seconds, times what such schedules last longer.
struct Timed {
  Schedule schedule;
  double seconds = 0;
};

// The fastest schedule that keeps these values in tiles; none: there are no shapes for it.
// `seconds`: of a schedule, by prediction. `early`: may launches begin early? `least`: the time of
// what there is.
std::optional<Timed> with_tiles(Survey& survey, const std::vector<std::string>& values,
                                const Device& device, bool early, double least,
                                const std::function<double(const Schedule& schedule)>& seconds);

// The same in the plane for launches that compute values in memory, one cell a thread.
std::optional<Timed> with_tiles_beside_memory(
    Survey& survey, const std::vector<std::string>& values, const Device& device, bool early,
    const std::function<double(const Schedule& schedule)>& seconds);

// The fastest schedule of one launch whose blocks go through planes along z with these values;
// none: it has no values for that, or they do not fit into shared memory.
std::optional<Timed> with_planes(Survey& survey, const std::vector<std::string>& values,
                                 const Device& device, bool early,
                                 const std::function<double(const Schedule& schedule)>& seconds);

}  // namespace stencilc::plan
