// Where the schedule of a stencil comes from.
#pragma once

#include <optional>

#include "diag/diagnostic.h"
#include "driver/compile.h"

namespace stencilc::driver {

// In this order: --schedule; what the tune file holds for the stencil and the devices; the
// compiler's choice for the device. None after a report.
std::optional<plan::Schedule> schedule_for(const ir::Stencil& stencil,
                                           const CompileOptions& options,
                                           const plan::Device& device, diag::Engine& engine);

// What to do about a schedule that the device cannot run.
std::string devices_of(const CompileOptions& options);

}  // namespace stencilc::driver
