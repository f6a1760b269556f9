// Counts the instructions of a schedule with a profiler.
#pragma once

#include <optional>
#include <string>

#include "driver/cli/options.h"
#include "ir/ir.h"

namespace stencilc::driver {

// The number of steps of the run that is profiled: enough for whole launches of several steps.
int64_t profiled_steps(const ir::Stencil& stencil);

// Whether to count instructions. Prints a line on stderr if they were requested but cannot be
// counted.
bool counts_instructions(const Options& options);

// Runs this program again under ncu. Returns thread instructions per cell and step, or nothing,
// with the reason in `problem`.
std::optional<double> instructions_per_cell(const Options& options, const std::string& schedule,
                                            const ir::Stencil& stencil, double cells,
                                            std::string& problem);

}  // namespace stencilc::driver
