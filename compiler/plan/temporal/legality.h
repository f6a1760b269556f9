// Checks whether a launch can take several time steps, whatever its form.
#pragma once

#include <string>

#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {

struct Stepping;  // survey.h

constexpr int kMostBytes = 227 * 1024;  // of shared memory per block, on the devices with the most

// Each returns what prevents several steps, or an empty string: in the stencil, in its fields
// (`resident_tile`: for resident tiles), and in the ghost cells of rows.
std::string problem_of_steps(const ir::Stencil& stencil);
std::string problem_of_fields(const Stepping& stepping, bool resident_tile);
std::string problem_of_whole_rows(const ir::Stencil& stencil, const Schedule& schedule);
std::string problem_of_columns(const ir::Stencil& stencil, const Schedule& schedule,
                               const Temporal& temporal);
// For the planes of a block that streams along the third axis.
std::string problem_of_planes(const ir::Stencil& stencil, const Schedule& schedule,
                              const Temporal& temporal);

}  // namespace stencilc::plan
