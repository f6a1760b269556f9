// How fast a launch of several steps runs whose blocks dwell on tiles.
#pragma once

#include "plan/model/one_step.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {

// As predict_steps() of model_steps.h, for all that a step stores.
Prediction predict_tiles(Survey& survey, const Schedule& schedule, const Temporal& temporal,
                         const Device& device, const Card& card,
                         const std::array<int64_t, 3>& extents);

// Seconds that a launch takes at least, from its beginning to the end of the next one.
inline constexpr double kLeastOfLaunch = 1.5e-6;

}  // namespace stencilc::plan
