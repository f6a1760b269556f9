// Predicts the speed of resident tiles that take several steps per launch.
#pragma once

#include "plan/model/one_step.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {

// Like the prediction of streaming launches, for all fields that a step stores.
Prediction predict_tiles(Survey& survey, const Schedule& schedule, const Temporal& temporal,
                         const Device& device, const Card& card,
                         const std::array<int64_t, 3>& extents);

// The shortest time in seconds from the start of a launch to the end of the next one.
inline constexpr double kLeastOfLaunch = 1.5e-6;

}  // namespace stencilc::plan
