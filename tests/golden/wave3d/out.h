// out.h: made by stencilc 0.1.0 from in.stn; the code is in out.cu.
#pragma once
#define STENCILC_HEADER_1c3362d18471e552  // which the code asks for

#ifdef __cplusplus
#include <stencil/cuda.h>

namespace wave3d {

struct Args {
  // Level t; the newest level after the run.
  stencil::Grid<float, 3>& u;
  // Level t-1; the one before it after the run.
  stencil::Grid<float, 3>& u_prev;
  // Read only.
  const stencil::Grid<float, 3>& c;
  float dt = 0.3f;
  float h = 1.0f;
};

// Advances the fields by `steps` steps on `stream`, asynchronously. Returns the first failure, with
// its remedy.
[[nodiscard]] stencil::Status run(
    const Args& args, stencil::Steps steps, stencil::Stream stream = {});

}  // namespace wave3d

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
// rows and planes in elements.
// The pointers of an array rotate: u[0] is level t, u[1] level t-1; after the run the first is the
// newest level.
// Returns STENCIL_OK, which is 0, or another stencil_code; stencil_last_error() then says what is
// wrong and what helps.
int wave3d_run(
    float* u[2], const float* c, int64_t nx, int64_t ny, int64_t nz, int64_t pitch, int64_t plane,
    float dt, float h, int64_t steps, cudaStream_t stream);
#ifdef __cplusplus
}
#endif
