// Predicts the speed of launches of several steps in 1-D, where each warp keeps a tile.
#pragma once

#include "plan/model/one_step.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {

// Like the prediction of resident tiles.
Prediction predict_line(Survey& survey, const Schedule& schedule, const Temporal& temporal,
                        const Device& device, const Card& card,
                        const std::array<int64_t, 3>& extents);

}  // namespace stencilc::plan
