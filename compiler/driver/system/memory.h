// How much memory this machine and its GPUs have left.
#pragma once

#include <optional>
#include <string>

namespace stencilc::driver {

// Bytes that this process can still get: of the machine, its container and `ulimit -v` the one that
// has least. Empty where Linux does not say.
std::optional<double> host_memory_left();

// The free bytes of the GPU that has most of them. Empty where `nvidia-smi` does not say. CUDA may
// number GPUs in another order, and so a number of one is not asked for.
std::optional<double> gpu_memory_left();

// "1.5 GiB"
std::string print_bytes(double bytes);

}  // namespace stencilc::driver
