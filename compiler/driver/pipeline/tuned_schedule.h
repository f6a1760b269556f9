// The schedule that was found by measuring.
#pragma once

#include <optional>

#include "diag/diagnostic.h"
#include "driver/pipeline/compile.h"

namespace stencilc::driver {

// That of the tune file; nothing where it has none that serves, perhaps after a warning.
std::optional<plan::Schedule> tuned_schedule(const ir::Stencil& stencil,
                                             const CompileOptions& options,
                                             const plan::Device& device, diag::Engine& engine);

}  // namespace stencilc::driver
