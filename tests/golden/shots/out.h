// out.h: made by stencilc 0.1.0 from in.stn; the code is in out.cu.
#pragma once
#define STENCILC_HEADER_2dd9f45ca369fe7a  // which the code asks for

#ifdef __cplusplus
#include <stencil/cuda.h>

namespace shots {

struct Args {
  // Level t; the newest level after the run.
  stencil::Grid<float, 2>& u;
  // Level t-1; the one before it after the run.
  stencil::Grid<float, 2>& u_prev;
  float dt = 0.3f;
  // Cells, in device memory.
  stencil::Points sources;
  // Places between the cells, in device memory.
  stencil::LinearPoints receivers;
  // A value for each step and each of sources, in device memory.
  stencil::Series<const float> pulse;
  // Filled: a value for each step and each of receivers, in device memory.
  stencil::Series<float> trace;
};

// Advances the fields by `steps` steps on `stream`, asynchronously. Returns the first failure, with
// its remedy.
[[nodiscard]] stencil::Status run(
    const Args& args, stencil::Steps steps, stencil::Stream stream = {});

}  // namespace shots

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
// The pointers of an array rotate: u[0] is level t, u[1] level t-1, u[2] and u[3] scratch of the
// same size; after the run the first is the newest level.
// Returns STENCIL_OK, which is 0, or another stencil_code; stencil_last_error() then says what is
// wrong and what helps.
int shots_run(
    float* u[4], int64_t nx, int64_t nz, int64_t pitch, float dt, const int32_t* sources,
    int64_t sources_points, const double* receivers, int64_t receivers_points, const float* pulse,
    int64_t pulse_steps, float* trace, int64_t trace_steps, int64_t first, int64_t steps,
    cudaStream_t stream);
#ifdef __cplusplus
}
#endif
