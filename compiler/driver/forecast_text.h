// What the model predicts, as lines of --explain.
#pragma once

#include <string>
#include <vector>

#include "plan/model.h"

namespace stencilc::driver {

// For the schedule and what it was preferred to, on each of the devices that a card stands for.
std::vector<std::string> forecast_lines(const ir::Stencil& stencil, const plan::Schedule& schedule,
                                        const std::vector<plan::Device>& devices);

}  // namespace stencilc::driver
