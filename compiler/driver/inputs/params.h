// The params and run-time weights of a run, and room for its reductions.
#pragma once

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/execute/call.h"

namespace stencilc::driver {

// What becomes of params and weights that nobody gave a value: an error, or a small number, where
// only the time of a run matters.
enum class Missing { refused, made_up };

// Fills them from --param; false after a report.
bool set_params(const std::vector<NameValue>& given, const ir::Stencil& stencil, Missing missing,
                HostData& host, diag::Engine& engine);

}  // namespace stencilc::driver
