// Sets the points and series of `stencilc run`.
#pragma once

#include <string>

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/execute/call.h"

namespace stencilc::driver {

bool is_series(const ir::Stencil& stencil, const std::string& name);

// Sets the points and series for a run of `steps` steps from --points and --in; false after an
// error.
bool set_points(const Options& options, const ir::Stencil& stencil, int64_t steps, HostData& host,
                diag::Engine& engine);

// The series as an array with the extents points x steps.
data::Array series_array(const ir::Stencil& stencil, const HostData& host, const std::string& name);

}  // namespace stencilc::driver
