// Points and series of `stencilc run`.
#pragma once

#include <string>

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/execute/call.h"

namespace stencilc::driver {

bool is_series(const ir::Stencil& stencil, const std::string& name);

// Fills the points and series of a run of `steps` steps from --points and --in; false after a
// report.
bool set_points(const Options& options, const ir::Stencil& stencil, int64_t steps, HostData& host,
                diag::Engine& engine);

// The series as an array of points x steps.
data::Array series_array(const ir::Stencil& stencil, const HostData& host, const std::string& name);

}  // namespace stencilc::driver
