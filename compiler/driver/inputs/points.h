// Sets the points and series of `stencilc run`.
#pragma once

#include <string>

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/execute/call.h"
#include "driver/inputs/input_facts.h"

namespace stencilc::driver {

bool is_series(const ir::Stencil& stencil, const std::string& name);

// Sets the points and series for a run of `steps` steps from --points and --in; false after an
// error. A series has a row for each step, beginning with step 0, also where the run begins with a
// later one (host.first). Adds what is made up to the facts.
bool set_points(const Options& options, const ir::Stencil& stencil, int64_t steps, HostData& host,
                InputFacts& facts, diag::Engine& engine);

// The series as an array with the extents points x steps.
data::Array series_array(const ir::Stencil& stencil, const HostData& host, const std::string& name);

}  // namespace stencilc::driver
