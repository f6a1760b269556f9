// Prints a schedule.
#pragma once

#include <string>

#include "plan/schedule/schedule.h"

namespace stencilc::plan {

std::string print(const Schedule& schedule,
                  const ir::Stencil& stencil);  // in the form that --schedule takes

}  // namespace stencilc::plan
