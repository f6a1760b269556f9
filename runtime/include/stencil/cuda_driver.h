// Functions of the CUDA driver. Its library is not linked, so that programs start without one.
#pragma once

#include <cuda_runtime.h>

namespace stencil {
inline namespace cuda {

// The function of this name as of a version of CUDA (12000 is 12.0); null where the driver has
// none.
inline cudaError_t find_driver_function(const char* name, unsigned version, void** found) {
  *found = nullptr;
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
  const cudaError_t error =
      cudaGetDriverEntryPointByVersion(name, found, version, cudaEnableDefault, &result);
#else
  static_cast<void>(version);
  const cudaError_t error = cudaGetDriverEntryPoint(name, found, cudaEnableDefault, &result);
#endif
  if (error != cudaSuccess || result != cudaDriverEntryPointSuccess) *found = nullptr;
  return error;
}

}  // namespace cuda
}  // namespace stencil
