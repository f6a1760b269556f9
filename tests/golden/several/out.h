// out.h: made by stencilc 0.1.0 from in.stn; the code is in out.cu.
#pragma once
#define STENCILC_HEADER_4f4b592917b73bc4  // which the code asks for

#ifdef __cplusplus
#include <stencil/cuda.h>

namespace cg_product {

struct Args {
  // Read only.
  const stencil::Grid<double, 3>& p;
  // Read only.
  const stencil::Grid<double, 3>& k;
  // Written only.
  stencil::Grid<double, 3>& q;
  // Receives the value of the last step, on the host. The call then waits for it.
  double* pq = nullptr;
};

// Computes the outputs on `stream`, asynchronously. Returns the first failure, with its remedy.
[[nodiscard]] stencil::Status run(const Args& args, stencil::Stream stream = {});

}  // namespace cg_product

namespace cg_advance {

struct Args {
  // Level t; the newest level after the run.
  stencil::Grid<double, 3>& u;
  // Level t; the newest level after the run.
  stencil::Grid<double, 3>& r;
  // Read only.
  const stencil::Grid<double, 3>& p;
  // Read only.
  const stencil::Grid<double, 3>& q;
  double alpha;
  // Receives the value of the last step, on the host. The call then waits for it.
  double* rr = nullptr;
};

// Advances the fields by `steps` steps on `stream`, asynchronously. Returns the first failure, with
// its remedy.
[[nodiscard]] stencil::Status run(
    const Args& args, stencil::Steps steps, stencil::Stream stream = {});

}  // namespace cg_advance

namespace cg_direct {

struct Args {
  // Level t; the newest level after the run.
  stencil::Grid<double, 3>& p;
  // Read only.
  const stencil::Grid<double, 3>& r;
  double beta;
};

// Advances the fields by `steps` steps on `stream`, asynchronously. Returns the first failure, with
// its remedy.
[[nodiscard]] stencil::Status run(
    const Args& args, stencil::Steps steps, stencil::Stream stream = {});

}  // namespace cg_direct

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
int cg_product_run(
    const double* p, const double* k, double* q, int64_t nx, int64_t ny, int64_t nz, int64_t pitch,
    int64_t plane, double* pq, cudaStream_t stream);
// The same for C, Fortran and Python: pointers to device memory, extents in cells, the distance of
// rows and planes in elements.
// Returns STENCIL_OK, which is 0, or another stencil_code; stencil_last_error() then says what is
// wrong and what helps.
int cg_advance_run(
    double* u, double* r, const double* p, const double* q, int64_t nx, int64_t ny, int64_t nz,
    int64_t pitch, int64_t plane, double alpha, double* rr, int64_t steps, cudaStream_t stream);
// The same for C, Fortran and Python: pointers to device memory, extents in cells, the distance of
// rows and planes in elements.
// Returns STENCIL_OK, which is 0, or another stencil_code; stencil_last_error() then says what is
// wrong and what helps.
int cg_direct_run(
    double* p, const double* r, int64_t nx, int64_t ny, int64_t nz, int64_t pitch, int64_t plane,
    double beta, int64_t steps, cudaStream_t stream);
#ifdef __cplusplus
}
#endif
