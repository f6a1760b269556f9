// out.h: made by stencilc 0.1.0 from in.stn; the code is in out.cu.
#pragma once
#define STENCILC_HEADER_1b3ba85db7670362  // which the code asks for

#ifdef __cplusplus
#include <stencil/cuda.h>

namespace fdtd2d {

struct Args {
  // Level t; the newest level after the run.
  stencil::Grid<double, 2>& ex;
  // Level t; the newest level after the run.
  stencil::Grid<double, 2>& ey;
  // Level t; the newest level after the run.
  stencil::Grid<double, 2>& hz;
  double cx = 0.5;
  double cy = 0.5;
  double ch = 0.7;
};

// Advances the fields by `steps` steps on `stream`, asynchronously. Returns the first failure, with
// its remedy.
[[nodiscard]] stencil::Status run(
    const Args& args, stencil::Steps steps, stencil::Stream stream = {});

}  // namespace fdtd2d

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
int fdtd2d_run(
    double* ex, double* ey, double* hz, int64_t nx, int64_t ny, int64_t pitch, double cx, double cy,
    double ch, int64_t first, int64_t steps, cudaStream_t stream);
#ifdef __cplusplus
}
#endif
