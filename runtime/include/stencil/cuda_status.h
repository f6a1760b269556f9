// CUDA errors as statuses, each with its cause and remedy.
#pragma once

#include <cuda_runtime.h>

#include "status.h"

namespace stencil {
inline namespace cuda {

// Errors after which the process cannot use the device any more.
inline bool is_sticky(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
      return true;
    default:
      return false;
  }
}

inline int device_architecture() {
  int device = 0, major = 0, minor = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return 0;
  if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess)
    return 0;
  return major * 10 + minor;
}

// `who` begins the message: "`laplace2d`" or "a copy to the host".
inline Status cuda_status(cudaError_t error, const char* who) {
  if (error == cudaSuccess) return {};
  const char* const name = cudaGetErrorName(error);
  if (is_sticky(error))
    return failure(Code::sticky_error,
                   "%s: a kernel failed with %s and the CUDA context is lost; restart the process, "
                   "and run it under `compute-sanitizer` to find the kernel",
                   who, name);
  switch (error) {
    case cudaErrorNoDevice:
      return failure(Code::no_device,
                     "%s: no CUDA device is visible; check `nvidia-smi` and the variable "
                     "`CUDA_VISIBLE_DEVICES`, or compile with `--target=cpu`",
                     who);
    case cudaErrorInsufficientDriver:
      return failure(Code::insufficient_driver,
                     "%s: there is no NVIDIA driver, or it is older than the CUDA runtime %d.%d of "
                     "this program; install or update it, or build with an older toolkit",
                     who, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorInvalidDeviceFunction:
      return failure(Code::no_kernel_image,
                     "%s: the program has no kernel for this device, sm_%d (%s); compile with "
                     "`-arch=sm_%d`",
                     who, device_architecture(), name, device_architecture());
    case cudaErrorInvalidConfiguration:
    case cudaErrorLaunchOutOfResources:
      return failure(Code::launch_configuration,
                     "%s: the device refuses the launch (%s): too many blocks or threads, or too "
                     "much shared memory; use a smaller grid or another schedule",
                     who, name);
    case cudaErrorMemoryAllocation:
      return failure(Code::out_of_memory,
                     "%s: the device is out of memory; use a smaller grid or release memory first",
                     who);
    default:
      return failure(Code::cuda_error, "%s: CUDA reports %s: %s", who, name,
                     cudaGetErrorString(error));
  }
}

}  // namespace cuda
}  // namespace stencil
