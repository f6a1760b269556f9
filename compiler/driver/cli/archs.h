// The GPUs that the output is for.
#pragma once

#include "diag/diagnostic.h"
#include "driver/cli/options.h"

namespace stencilc::driver {

// Finds the devices of options.archs, `native` among them; of the GPUs of this machine where
// kernels are to run and nobody names others. Reports what is not known and returns false.
bool find_devices(Options& options, diag::Engine& engine);

// The architectures in what nvidia-smi prints for --query-gpu=compute_cap: "9.0" is sm_90. Lines
// that are no number of this form are left out.
std::vector<std::string> archs_of(const std::string& capabilities);

// Whether the target has what it builds and runs with; false after a report.
bool has_machine(const Options& options, const char* does, diag::Engine& engine);

}  // namespace stencilc::driver
