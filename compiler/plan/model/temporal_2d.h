// Predicts the speed of streaming launches of several steps in 2-D.
#pragma once

#include "plan/model/one_step.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {

// For a schedule whose launches take several steps; clocks and bytes are per cell and step.
Prediction predict_steps(Survey& survey, const Launch& launch, const Schedule& schedule,
                         const Temporal& temporal, const Device& device, const Card& card,
                         const std::array<int64_t, 3>& extents);

// The registers that a thread would like to have, even if there are fewer.
double wanted_registers(Survey& survey, const Launch& launch, const Schedule& schedule,
                        const Temporal& temporal);

// If a thread needs slightly more registers than this, ptxas spills rather than let a
// multiprocessor hold fewer than twelve warps, unless `resident` asks for few blocks.
inline constexpr int kOfTwelveWarps = 168;

}  // namespace stencilc::plan
