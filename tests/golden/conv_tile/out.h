// out.h: made by stencilc 0.1.0 from in.stn; the code is in out.cu.
#pragma once
#define STENCILC_HEADER_72b99e15b2b2ccb3  // which the code asks for

#ifdef __cplusplus
#include <stencil/cuda.h>

namespace blur {

struct Args {
  // Read only.
  const stencil::Grid<float, 2>& img;
  // Written only.
  stencil::Grid<float, 2>& dst;
  // Run-time weights, the last index fastest.
  float w[49] = {};
};

// Computes the outputs on `stream`, asynchronously. Returns the first failure, with its remedy.
[[nodiscard]] stencil::Status run(const Args& args, stencil::Stream stream = {});

}  // namespace blur

extern "C" {
#else
#include <cuda_runtime.h>
#include <stdbool.h>
#include <stdint.h>
#include <stencil/codes.h>
#endif
#if STENCIL_RUNTIME != 1
#error the runtime headers are those of another stencilc: emit this file again
#endif
// The same for C, Fortran and Python: pointers to device memory, extents in cells, the distance of
// rows in elements.
// Returns STENCIL_OK, which is 0, or another stencil_code; stencil_last_error() then says what is
// wrong and what helps.
int blur_run(
    const float* img, float* dst, int64_t nx, int64_t ny, int64_t pitch, const float* w,
    cudaStream_t stream);
#ifdef __cplusplus
}
#endif
