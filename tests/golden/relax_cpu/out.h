// out.h: made by stencilc 0.1.0 from in.stn; the code is in out.cpp.
#pragma once
#define STENCILC_HEADER_7bfdebfb5bfc0c33  // which the code asks for

#ifdef __cplusplus
#include <stencil/cpu.h>

namespace laplace2d {

struct Args {
  // Level t; the newest level after the run.
  stencil::Grid<float, 2>& u;
  float tol = 1e-04f;
  // Receives the value of the last step.
  float* res = nullptr;
  // Receives the value of the last step.
  float* energy = nullptr;
  // Receives how many steps the run took.
  int64_t* steps_taken = nullptr;
};

// Advances the fields by `steps` steps; by default until `iterate` is content. Returns the first
// failure, with its remedy.
[[nodiscard]] stencil::Status run(
    const Args& args, stencil::Steps steps = {stencil::kIterate}, stencil::Stream stream = {});

}  // namespace laplace2d

extern "C" {
#else
#include <stdbool.h>
#include <stdint.h>
#include <stencil/codes.h>
#endif
#if STENCIL_RUNTIME != 1
#error the runtime headers are those of another stencilc: emit this file again
#endif
// The same for C, Fortran and Python: pointers to arrays, extents in cells, the distance of rows in
// elements.
// The pointers of an array rotate: u[0] is level t, u[1] scratch of the same size; after the run
// the first is the newest level.
// Returns STENCIL_OK, which is 0, or another stencil_code; stencil_last_error() then says what is
// wrong and what helps.
int laplace2d_run(
    float* u[2], int64_t nx, int64_t ny, int64_t pitch, float tol, float* res, float* energy,
    int64_t steps, int64_t* steps_taken);
#ifdef __cplusplus
}
#endif
