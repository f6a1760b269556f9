// The shapes of launches of several time steps.
#pragma once

#include <array>
#include <vector>

#include "plan/schedule/schedule.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {

// Those among which the model chooses; simple ones first.
std::vector<Schedule> deep_shapes(Survey& survey, const Device& device,
                                  const std::array<int64_t, 3>& extents);
// Of these blocks that dwell on tiles, with two axes: of fewer rows and more steps for small grids.
std::vector<Schedule> tiles_in_the_plane(Survey& survey, const Device& device);

// Can cells be held as bits?
bool holds_bits(Survey& survey);
// Does the grid leave much of a card idle, so that launches take longer than what they compute?
bool is_small(const std::array<int64_t, 3>& extents);

}  // namespace stencilc::plan
