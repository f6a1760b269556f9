// out.h: made by stencilc 0.1.0 from in.stn; the code is in out.cu.
#pragma once
#define STENCILC_HEADER_0499280227accac1  // which the code asks for

#ifdef __cplusplus
#include <stencil/cuda.h>

namespace conv5x5 {

struct Args {
  // Read only.
  const stencil::Grid<uint8_t, 2>& img;
  // Written only.
  stencil::Grid<uint8_t, 2>& dst;
};

// Computes the outputs on `stream`, asynchronously. Returns the first failure, with its remedy.
[[nodiscard]] stencil::Status run(const Args& args, stencil::Stream stream = {});

}  // namespace conv5x5

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
int conv5x5_run(
    const uint8_t* img, uint8_t* dst, int64_t nx, int64_t ny, int64_t pitch, cudaStream_t stream);
#ifdef __cplusplus
}
#endif
