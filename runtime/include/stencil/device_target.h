// How a function is marked that kernels call: for host and device under CUDA, plain otherwise. The
// two targets have their own inline namespaces, so that one program can hold both.
#pragma once

#if defined(__CUDACC__) || defined(__CUDA__)
#include <cuda_runtime.h>
#define STENCIL_FUNCTION __host__ __device__ inline
#define STENCIL_TARGET cuda
#else
#define STENCIL_FUNCTION inline
#define STENCIL_TARGET cpu
#endif
