// Schedules beside a schedule.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.h"
#include "plan/schedule/schedule.h"

namespace stencilc::plan {

// Those that differ in one decision, or in how the threads of a block are shared out among two
// axes; legal for the stencil and the device, as --schedule takes them, each once.
std::vector<std::string> neighbours(const std::string& schedule, const ir::Stencil& stencil,
                                    Target target, const Device& device);

}  // namespace stencilc::plan
