// Declares the CUDA runtime of the executor. Internal to the fake_*.cpp.
#pragma once

#include <vector>

#include "check/cuda/image.h"

#define STENCILC_SHIM_C_API
#include "check/shim/cuda_runtime.h"

// A row of the tables below. The cast checks the function against its declaration in the shim.
#define STENCILC_API(name) \
  { #name, reinterpret_cast < void*>(static_cast <decltype(&::name)>(&fake::name)) }
#define STENCILC_INTERNAL(name) \
  { #name, reinterpret_cast < void*>(&fake::name) }

namespace stencilc::check {

// Stores an error for cudaGetLastError and returns it.
cudaError_t result(cudaError_t error);
inline cudaError_t result_of(bool good, cudaError_t error) {
  return result(good ? cudaSuccess : error);
}

std::vector<HostFunction> memory_functions();
std::vector<HostFunction> stream_functions();
std::vector<HostFunction> graph_functions();
std::vector<HostFunction> launch_functions();
std::vector<HostFunction> driver_functions();
std::vector<HostFunction> texture_functions();

}  // namespace stencilc::check
