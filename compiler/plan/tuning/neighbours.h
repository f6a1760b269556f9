// Lists the schedules that differ from one in a single decision.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.h"
#include "plan/schedule/schedule.h"

namespace stencilc::plan {

// Those that differ in one decision, or in how the threads of a block are divided between two axes;
// legal for the stencil and the device, in the form that --schedule takes, each once.
std::vector<std::string> neighbours(const std::string& schedule, const ir::Stencil& stencil,
                                    Target target, const Device& device);

}  // namespace stencilc::plan
