// out.h: made by stencilc 0.1.0 from in.stn; the code is in out.cpp.
#pragma once
#define STENCILC_HEADER_bffc90c0a8d7c476  // which the code asks for

#ifdef __cplusplus
#include <stencil/cpu.h>

namespace advection {

struct Args {
  // Level t; the newest level after the run.
  stencil::Grid<double, 1>& q;
  double c = 0.5;
};

// Advances the fields by `steps` steps. Returns the first failure, with its remedy.
[[nodiscard]] stencil::Status run(
    const Args& args, stencil::Steps steps, stencil::Stream stream = {});

}  // namespace advection

extern "C" {
#else
#include <stdbool.h>
#include <stdint.h>
#include <stencil/codes.h>
#endif
#if STENCIL_RUNTIME != 1
#error the runtime headers are those of another stencilc: emit this file again
#endif
// The same for C, Fortran and Python: pointers to arrays, extents in cells.
// The pointers of an array rotate: q[0] is level t, q[1] scratch of the same size; after the run
// the first is the newest level.
// Returns STENCIL_OK, which is 0, or another stencil_code; stencil_last_error() then says what is
// wrong and what helps.
int advection_run(double* q[2], int64_t nx, double c, int64_t steps);
#ifdef __cplusplus
}
#endif
