// The types of storage of 16 bits, on CUDA: stencil::f16 is __half and stencil::bf16 __nv_bfloat16.
#pragma once

#if !defined(__STENCIL_EXECUTOR__)  // which has no such headers and takes the types of the CPU
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define STENCIL_HALF_OF_CUDA
#endif

#include "half.h"
