// What stands against several time steps in a launch, whatever its form.
#pragma once

#include <string>

#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {

struct Stepping;  // survey.h

constexpr int kMostBytes = 227 * 1024;  // of a block's shared memory, on the devices with most

// Of the stencil, of its fields (`dwells`: where blocks hold tiles of all that a step makes), and
// of what rows have beyond their ends; empty: nothing.
std::string problem_of_steps(const ir::Stencil& stencil);
std::string problem_of_fields(const Stepping& stepping, bool resident_tile);
std::string problem_of_whole_rows(const ir::Stencil& stencil, const Schedule& schedule);
std::string problem_of_columns(const ir::Stencil& stencil, const Schedule& schedule,
                               const Temporal& temporal);
// Of the planes of a block that marches along the third axis.
std::string problem_of_planes(const ir::Stencil& stencil, const Schedule& schedule,
                              const Temporal& temporal);

}  // namespace stencilc::plan
