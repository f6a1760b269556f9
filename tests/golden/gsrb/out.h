// out.h: made by stencilc 0.1.0 from in.stn; the code is in out.cu.
#pragma once
#define STENCILC_HEADER_df29abd4ea8a612b  // which the code asks for

#ifdef __cplusplus
#include <stencil/cuda.h>

namespace gsrb {

struct Args {
  // Updated in place.
  stencil::Grid<double, 3>& p;
  // Read only.
  const stencil::Grid<double, 3>& rhs;
  double h2;
  // Receives the value of the last step, on the host. The call then waits for it.
  double* r = nullptr;
};

// Advances the fields by `steps` steps on `stream`, asynchronously. Returns the first failure, with
// its remedy.
[[nodiscard]] stencil::Status run(
    const Args& args, stencil::Steps steps, stencil::Stream stream = {});

}  // namespace gsrb

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
// Returns STENCIL_OK, which is 0, or another stencil_code; stencil_last_error() then says what is
// wrong and what helps.
int gsrb_run(
    double* p, const double* rhs, int64_t nx, int64_t ny, int64_t nz, int64_t pitch, int64_t plane,
    double h2, double* r, int64_t steps, cudaStream_t stream);
#ifdef __cplusplus
}
#endif
