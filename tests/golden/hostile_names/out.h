// out.h: made by stencilc 0.1.0 from in.stn; the code is in out.cu.
#pragma once
#define STENCILC_HEADER_e11a5eeaa65197f3  // which the code asks for

#ifdef __cplusplus
#include <stencil/cuda.h>

namespace namespace_ {

struct Args {
  // Level t; the newest level after the run.
  stencil::Grid<float, 2>& u;
  // Level t; the newest level after the run.
  stencil::Grid<float, 2>& u_new;
  // Read only.
  const stencil::Grid<float, 2>& step_;
  // Read only.
  const stencil::Grid<float, 2>& stream_;
  float int_ = 0.25f;
  float pitch = 1.0f;
  float sum = 2.0f;
  float Index_ = 3.0f;
};

// Advances the fields by `steps` steps on `stream`, asynchronously. Returns the first failure, with
// its remedy.
[[nodiscard]] stencil::Status run(
    const Args& args, stencil::Steps steps, stencil::Stream stream = {});

}  // namespace namespace_

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
int namespace__run(
    float* u[2], float* u_new[2], const float* step_, const float* stream_, int64_t ni,
    int64_t nthreadIdx, int64_t pitch_2, float int_, float pitch, float sum, float Index_,
    int64_t steps, cudaStream_t stream);
#ifdef __cplusplus
}
#endif
