// Finds the schedule of a tune file.
#pragma once

#include <optional>

#include "diag/diagnostic.h"
#include "driver/pipeline/compile.h"

namespace stencilc::driver {

// The tuned schedule; nothing if there is none that can be used, perhaps after a warning.
std::optional<plan::Schedule> tuned_schedule(const ir::Stencil& stencil,
                                             const CompileOptions& options,
                                             const plan::Device& device, diag::Engine& engine);

}  // namespace stencilc::driver
