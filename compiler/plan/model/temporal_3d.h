// How fast a launch of several steps runs in space, where blocks march and share planes.
#pragma once

#include "plan/model/one_step.h"
#include "plan/temporal/temporal_blocking.h"
#include "plan/temporal/temporal_footprint.h"

namespace stencilc::plan {

// The registers that a thread wants, whatever it gets.
double wanted_registers_of_planes(const TemporalFootprint& use, const Schedule& schedule,
                                  const Temporal& temporal);

// As predict_steps() of model_steps.h.
Prediction predict_planes(Survey& survey, const Launch& launch, const Schedule& schedule,
                          const Temporal& temporal, const Device& device, const Card& card,
                          const std::array<int64_t, 3>& extents);

}  // namespace stencilc::plan
