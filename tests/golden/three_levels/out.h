// out.h: made by stencilc 0.1.0 from in.stn; the code is in out.cu.
#pragma once
#define STENCILC_HEADER_e241f9783b20f25e  // which the code asks for

#ifdef __cplusplus
#include <stencil/cuda.h>

namespace three_levels {

struct Args {
  // Level t; the newest level after the run.
  stencil::Grid<double, 1>& u;
  // Level t-1; the one before it after the run.
  stencil::Grid<double, 1>& u_prev;
  // Level t-2; the one before it after the run.
  stencil::Grid<double, 1>& u_prev2;
};

// Advances the fields by `steps` steps on `stream`, asynchronously. Returns the first failure, with
// its remedy.
[[nodiscard]] stencil::Status run(
    const Args& args, stencil::Steps steps, stencil::Stream stream = {});

}  // namespace three_levels

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
// The same for C, Fortran and Python: pointers to device memory, extents in cells.
// The pointers of an array rotate: u[0] is level t, u[1] level t-1, u[2] level t-2, u[3] scratch of
// the same size; after the run the first is the newest level.
// Returns STENCIL_OK, which is 0, or another stencil_code; stencil_last_error() then says what is
// wrong and what helps.
int three_levels_run(double* u[4], int64_t nx, int64_t steps, cudaStream_t stream);
#ifdef __cplusplus
}
#endif
