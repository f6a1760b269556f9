// Writes the results of a benchmark as a table, a file and charts.
#pragma once

#include "diag/diagnostic.h"
#include "driver/bench/scaling_report.h"
#include "driver/cli/options.h"
#include "driver/measure/result.h"

namespace stencilc::driver {

// Prints the table, unless standard output gets the JSON, and writes the requested files.
void write_report(const Options& options, const Report& report, diag::Engine& engine);

// The same of times on several devices.
void write_report(const Options& options, const ScalingReport& report, diag::Engine& engine);

}  // namespace stencilc::driver
