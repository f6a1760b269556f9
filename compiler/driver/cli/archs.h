// Finds the GPUs that the output is for.
#pragma once

#include "diag/diagnostic.h"
#include "driver/cli/options.h"

namespace stencilc::driver {

// Finds the devices of options.archs, `native` included. If no architecture is named and kernels
// are to run, takes the GPUs of this machine. Returns false after an error.
bool find_devices(Options& options, diag::Engine& engine);

// Reads the architectures from the output of nvidia-smi --query-gpu=compute_cap: "9.0" is sm_90.
// Other lines are ignored.
std::vector<std::string> archs_of(const std::string& capabilities);

// Whether the target can build and run kernels here; false after an error.
bool has_machine(const Options& options, const char* does, diag::Engine& engine);

}  // namespace stencilc::driver
