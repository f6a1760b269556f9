// out.h: made by stencilc 0.1.0 from in.stn; the code is in out.cu.
#pragma once
#define STENCILC_HEADER_429fab126f1ef4c2  // which the code asks for

#ifdef __cplusplus
#include <stencil/cuda.h>

namespace boundaries {

struct Args {
  // Level t; the newest level after the run.
  stencil::Grid<float, 2>& a;
  // Level t; the newest level after the run.
  stencil::Grid<float, 2>& b;
  // Level t; the newest level after the run.
  stencil::Grid<float, 2>& c;
  // Level t; the newest level after the run.
  stencil::Grid<float, 2>& d;
  // Level t; the newest level after the run.
  stencil::Grid<double, 2>& e;
  // Level t; the newest level after the run.
  stencil::Grid<float, 2>& f;
  // Level t; the newest level after the run.
  stencil::Grid<float, 2>& g;
  // Read only.
  const stencil::Grid<float, 2>& h;
  // Written only.
  stencil::Grid<double, 2>& sum;
};

// Advances the fields by `steps` steps on `stream`, asynchronously. Returns the first failure, with
// its remedy.
[[nodiscard]] stencil::Status run(
    const Args& args, stencil::Steps steps, stencil::Stream stream = {});

}  // namespace boundaries

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
// The pointers of an array rotate: a[0] is level t, a[1] scratch of the same size; after the run
// the first is the newest level.
// Returns STENCIL_OK, which is 0, or another stencil_code; stencil_last_error() then says what is
// wrong and what helps.
int boundaries_run(
    float* a[2], float* b[2], float* c[2], float* d[2], double* e[2], float* f[2], float* g[2],
    const float* h, double* sum, int64_t nx, int64_t ny, int64_t pitch, int64_t steps,
    cudaStream_t stream);
#ifdef __cplusplus
}
#endif
