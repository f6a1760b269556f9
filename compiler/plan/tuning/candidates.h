// Lists schedules worth trying.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.h"
#include "plan/schedule/schedule.h"

namespace stencilc::plan {

// Every preset and common changes to it, in the form that --schedule takes: those that are legal
// for the stencil and the device, each once.
std::vector<std::string> candidates(const ir::Stencil& stencil, Target target,
                                    const Device& device = any_device());

}  // namespace stencilc::plan
