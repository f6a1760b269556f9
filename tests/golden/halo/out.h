// out.h: made by stencilc 0.1.0 from in.stn; the code is in out.cu.
#pragma once
#define STENCILC_HEADER_653e76c5e1d765e1  // which the code asks for

#ifdef __cplusplus
#include <stencil/cuda.h>

namespace subdomain {

struct Args {
  // The grids on all axes have a halo of {2, 1, 0} or more, the same in each.
  // The caller fills its halo.
  // Level t; the newest level after the run.
  stencil::Grid<float, 3>& u;
  // The caller fills its halo.
  // Level t; the newest level after the run.
  stencil::Grid<float, 3>& v;
  // Level t-1; the one before it after the run.
  stencil::Grid<float, 3>& v_prev;
  // The caller fills its halo of {2}.
  // Read only. On the axes nx.
  const stencil::Grid<float, 1>& s;
  float k = 0.1f;
};

// Advances the fields by `steps` steps on `stream`, asynchronously. Returns the first failure, with
// its remedy.
[[nodiscard]] stencil::Status run(
    const Args& args, stencil::Steps steps, stencil::Stream stream = {});

}  // namespace subdomain

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
// A halo lies around the cells, and pointers are to the first cell behind it. Each array on all
// axes holds (nx + 4) * (ny + 2) * nz elements. s holds nx + 4. The caller fills the halo of u, v,
// s; a run reads it and writes it only in scratch and older levels.
// The pointers of an array rotate: u[0] is level t, u[1] scratch of the same size; after the run
// the first is the newest level.
// Returns STENCIL_OK, which is 0, or another stencil_code; stencil_last_error() then says what is
// wrong and what helps.
int subdomain_run(
    float* u[2], float* v[3], const float* s, int64_t nx, int64_t ny, int64_t nz, int64_t pitch,
    int64_t plane, float k, int64_t steps, cudaStream_t stream);
#ifdef __cplusplus
}
#endif
