// How fast a launch of several steps runs where a warp holds a strip of the only axis.
#pragma once

#include "plan/model/one_step.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {

// As predict_tiles() of model_tiles.h.
Prediction predict_line(Survey& survey, const Schedule& schedule, const Temporal& temporal,
                        const Device& device, const Card& card,
                        const std::array<int64_t, 3>& extents);

}  // namespace stencilc::plan
