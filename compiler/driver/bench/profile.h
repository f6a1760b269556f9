// Instructions of a schedule, counted by a profiler.
#pragma once

#include <optional>
#include <string>

#include "driver/cli/options.h"
#include "ir/ir.h"

namespace stencilc::driver {

// The steps of the one run that a profiler looks at: many enough to be whole launches of as many
// steps as launches usually take.
int64_t profiled_steps(const ir::Stencil& stencil);

// Whether instructions are asked for and can be counted; where only the second fails, a line on
// stderr says why.
bool counts_instructions(const Options& options);

// Runs this program once more under ncu. Thread instructions for each cell and step, or none and
// why.
std::optional<double> instructions_per_cell(const Options& options, const std::string& schedule,
                                            const ir::Stencil& stencil, double cells,
                                            std::string& problem);

}  // namespace stencilc::driver
