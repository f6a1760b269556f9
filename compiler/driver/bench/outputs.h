// Where the results of a benchmark go: a table, a file, pictures.
#pragma once

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/measure/result.h"

namespace stencilc::driver {

// Prints the table, unless standard output takes the JSON, and writes the files that are asked for.
void write_report(const Options& options, const Report& report, diag::Engine& engine);

}  // namespace stencilc::driver
