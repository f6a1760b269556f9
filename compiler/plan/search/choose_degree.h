// How many time steps a launch takes where nobody says, and by which shape.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "plan/schedule/schedule.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {

struct Degree {
  std::optional<Schedule> schedule;  // nothing: one step a launch is best
  std::string why_one;               // then: why; empty: by the model
};

// What is faster than `one`, which takes one step a launch, for grids of about these extents.
Degree degree(const ir::Stencil& stencil, const Schedule& one, const Device& device,
              const std::array<int64_t, 3>& extents);
Degree degree(Survey& survey, const Schedule& one, const Device& device,
              const std::array<int64_t, 3>& extents);

}  // namespace stencilc::plan
