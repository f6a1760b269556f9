// Lists the shapes of launches of several time steps.
#pragma once

#include <array>
#include <vector>

#include "plan/schedule/schedule.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {

// The shapes from which the model chooses; simple ones first.
std::vector<Schedule> deep_shapes(Survey& survey, const Device& device,
                                  const std::array<int64_t, 3>& extents);
// Of these, the resident tiles in 2-D; for small grids with fewer rows and more steps.
std::vector<Schedule> tiles_in_the_plane(Survey& survey, const Device& device);

// Whether cells can be packed into bits.
bool holds_bits(Survey& survey);
// Whether the grid is so small that launches take longer than their computation.
bool is_small(const std::array<int64_t, 3>& extents);

}  // namespace stencilc::plan
