// The fields of `stencilc run`: from files and generators.
#pragma once

#include <string>

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/execute/call.h"

namespace stencilc::driver {

int field_index(const ir::Stencil& stencil, const std::string& name);  // or -1

// Fills the extents and the buffers from --size and --in; false after a report. Names in --out and
// --plot are checked too, before anything is built or computed for them.
bool set_fields(const Options& options, const ir::Stencil& stencil, HostData& host,
                diag::Engine& engine);

}  // namespace stencilc::driver
