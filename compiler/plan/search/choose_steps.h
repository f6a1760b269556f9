// Chooses how many time steps a launch takes, and in which shape.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "plan/schedule/schedule.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {

struct StepChoice {
  std::optional<Schedules> schedules;  // nothing: one step per launch is best
  std::string why_one;                 // why, if it is not by prediction
};

// Schedules of several steps per launch that are faster than `one`, for grids of about this size.
StepChoice choose_steps(const ir::Stencil& stencil, const Schedule& one, const Device& device,
                        const std::array<int64_t, 3>& extents);
StepChoice choose_steps(Survey& survey, const Schedule& one, const Device& device,
                        const std::array<int64_t, 3>& extents);

}  // namespace stencilc::plan
