// The CUDA runtime of the device that the executor plays. Internal to the fake_*.cpp.
#pragma once

#include <vector>

#include "check/image.h"

#define STENCILC_SHIM_C_API
#include "check/shim/cuda_runtime.h"

// A row of the tables below. The cast holds the function to its declaration in the shim.
#define STENCILC_API(name) \
  { #name, reinterpret_cast < void*>(static_cast <decltype(&::name)>(&fake::name)) }
#define STENCILC_INTERNAL(name) \
  { #name, reinterpret_cast < void*>(&fake::name) }

namespace stencilc::check {

// Notes an error for cudaGetLastError and hands it on.
cudaError_t result(cudaError_t error);
inline cudaError_t result_of(bool good, cudaError_t error) {
  return result(good ? cudaSuccess : error);
}

std::vector<HostFunction> memory_functions();
std::vector<HostFunction> launch_functions();
std::vector<HostFunction> driver_functions();
std::vector<HostFunction> texture_functions();

}  // namespace stencilc::check
