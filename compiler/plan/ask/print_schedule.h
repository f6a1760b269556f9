// A schedule as text.
#pragma once

#include <string>

#include "plan/schedule/schedule.h"

namespace stencilc::plan {

std::string print(const Schedule& schedule, const ir::Stencil& stencil);  // as --schedule takes it

}  // namespace stencilc::plan
