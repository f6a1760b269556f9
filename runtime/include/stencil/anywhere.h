// What the host and kernels both call.
#pragma once

#if defined(__CUDACC__) || defined(__CUDA__)
#define STENCIL_ANYWHERE __host__ __device__
#else
#define STENCIL_ANYWHERE
#endif
