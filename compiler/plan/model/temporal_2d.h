// How fast a launch of several steps runs: model.h, of temporal blocking.
#pragma once

#include "plan/model/one_step.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {

// Of a schedule of which temporal() takes several steps; clocks and bytes are those of a cell and a
// step.
Prediction predict_steps(Survey& survey, const Launch& launch, const Schedule& schedule,
                         const Temporal& temporal, const Device& device, const Card& card,
                         const std::array<int64_t, 3>& extents);

// The registers that a thread wants, whatever it gets.
double wanted_registers(Survey& survey, const Launch& launch, const Schedule& schedule,
                        const Temporal& temporal);

// Where a little more than these are wanted, and `resident` does not ask for few blocks, ptxas
// rather spills than lets a multiprocessor hold fewer than twelve warps.
inline constexpr int kOfTwelveWarps = 168;

}  // namespace stencilc::plan
