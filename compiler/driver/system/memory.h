// How much memory this machine and its GPUs have left.
#pragma once

#include <optional>
#include <string>

namespace stencilc::driver {

// Bytes that can still be had of the machine or its container, whichever has less, and what this
// process may take of them by `ulimit -v`. Empty where there is no limit or Linux does not say.
std::optional<double> machine_memory_left();
std::optional<double> process_memory_left();
// The lesser one of both.
std::optional<double> host_memory_left();

// The free bytes of the GPU that has most of them. Empty where `nvidia-smi` does not say. CUDA may
// number GPUs in another order, and so a number of one is not asked for.
std::optional<double> gpu_memory_left();

// "1.5 GiB"
std::string print_bytes(double bytes);

}  // namespace stencilc::driver
