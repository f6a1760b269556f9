// Predicts the speed of streaming launches of several steps in 3-D, where a block shares planes.
#pragma once

#include "plan/model/one_step.h"
#include "plan/temporal/temporal_blocking.h"
#include "plan/temporal/temporal_footprint.h"

namespace stencilc::plan {

// The registers that a thread would like to have, even if there are fewer.
double wanted_registers_of_planes(const TemporalFootprint& use, const Schedule& schedule,
                                  const Temporal& temporal);

// Like the prediction for 2-D.
Prediction predict_planes(Survey& survey, const Launch& launch, const Schedule& schedule,
                          const Temporal& temporal, const Device& device, const Card& card,
                          const std::array<int64_t, 3>& extents);

}  // namespace stencilc::plan
