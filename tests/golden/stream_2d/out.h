// out.h: made by stencilc 0.1.0 from in.stn; the code is in out.cu.
#pragma once
#define STENCILC_HEADER_67fb670032802341  // which the code asks for

#ifdef __cplusplus
#include <stencil/cuda.h>

namespace plate {

struct Args {
  // Level t; the newest level after the run.
  stencil::Grid<float, 2>& u;
  float a = 0.2f;
};

// Advances the fields by `steps` steps on `stream`, asynchronously. Returns the first failure, with
// its remedy.
[[nodiscard]] stencil::Status run(
    const Args& args, stencil::Steps steps, stencil::Stream stream = {});

}  // namespace plate

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
// The pointers of an array rotate: u[0] is level t, u[1] scratch of the same size; after the run
// the first is the newest level.
// Returns STENCIL_OK, which is 0, or another stencil_code; stencil_last_error() then says what is
// wrong and what helps.
int plate_run(
    float* u[2], int64_t nx, int64_t ny, int64_t pitch, float a, int64_t steps,
    cudaStream_t stream);
#ifdef __cplusplus
}
#endif
