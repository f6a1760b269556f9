// Fills the fields of `stencilc run` from files and generators.
#pragma once

#include <string>

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/execute/call.h"
#include "driver/inputs/input_facts.h"

namespace stencilc::driver {

// Sets the extents and the buffers from --size and --in, and the facts; false after an error. Also
// checks the names in --out and --plot, before anything is built or computed. Of a program that
// runs on each colour of a picture it sets the run of `facts.channel`.
bool set_fields(const Options& options, const ir::Stencil& stencil, HostData& host,
                InputFacts& facts, diag::Engine& engine);

}  // namespace stencilc::driver
