// Schedules worth trying.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.h"
#include "plan/schedule.h"

namespace stencilc::plan {

// Every preset and common changes to it, as --schedule takes them: those that are legal for the
// stencil, each once.
std::vector<std::string> candidates(const ir::Stencil& stencil, Target target);

}  // namespace stencilc::plan
